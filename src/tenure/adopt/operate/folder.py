"""From a released folder of tasks to task folders of ours."""

import hashlib
import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from pydantic import ValidationError

from tenure.adopt.anomaly import Anomaly, Findings
from tenure.adopt.operate.description import Description, read_description
from tenure.adopt.operate.script import Script, read_script
from tenure.schema.build import first_error
from tenure.schema.errors import BadInput
from tenure.schema.operate import OperateCheck, OperateDomain, OperateTask, TaskInput, Track
from tenure.schema.sites import site_of
from tenure.schema.toml import to_toml
from tenure.schema.words import Suite

META, DESCRIPTION, VERIFIER = "meta.json", "description.md", "verify.py"
MARK = "adopted.json"
"""Of a folder that an adoption wrote, which another may replace."""
LARGEST = 16 * 1024**2
"""Bytes of one text file that is read."""


@dataclass(frozen=True)
class AdoptedTask:
    """One adopted task, not yet written.

    Attributes:
        task: The declaration.
        description: What the agent is told.
        script: What the verifier's source says.
        source: The released folder.
        inputs: Input file of ours → where it lies, and its path in the release.
        hashes: Path of what was read → SHA-256.
        anomalies: What is odd about it.
    """

    task: OperateTask
    description: Description
    script: Script
    source: Path
    inputs: dict[str, tuple[Path, str]]
    hashes: dict[str, str]
    anomalies: tuple[Anomaly, ...]


def adopt(root: Path) -> tuple[AdoptedTask, ...]:
    """Read every released task at or below a folder: each that holds ``meta.json`` and ``description.md``.

    Raises:
        BadInput: There is none, two have one id, or a file is broken.
    """
    if not root.is_dir():
        raise BadInput(f"{root}: no such folder; give the release's folder, or one below it")
    folders = [path.parent for path in sorted(root.rglob(META)) if (path.parent / DESCRIPTION).is_file()]
    if not folders:
        raise BadInput(f"{root}: holds no folder with {META} and {DESCRIPTION}")
    tasks = tuple(_adopt(folder) for folder in folders)
    seen: dict[str, Path] = {}
    for one in tasks:
        first = seen.setdefault(one.task.name, one.source)
        if first != one.source:
            raise BadInput(f"{one.source}: its id {one.task.name} is that of {first}, too")
    return tasks


def with_checks(adopted: AdoptedTask, seen: Sequence[OperateCheck], passing: Sequence[str]) -> AdoptedTask:
    """A task as a dry run of its verifier showed it, with no app there.

    Args:
        adopted: The task as its source tells it.
        seen: The checks that the dry run printed, in order. Labels and points of the source go before.
        passing: Ids of those that passed: they hold without any work, so they become guards.
    """
    found = Findings(list(adopted.anomalies))
    told = {check.id: check for check in adopted.script.checks}
    for check in seen:
        known = told.get(check.id)
        if known is not None and known.weight != check.weight:
            found.changed(
                "points_changed",
                f"{adopted.task.name} check {check.id}",
                f"{known.weight:g} in the source, {check.weight:g} in a run",
                "those of the run",
            )
    ids = [check.id for check in seen]
    unseen = [check for check in adopted.script.checks if check.id not in ids]
    if unseen:
        names = ", ".join(check.id for check in unseen)
        found.note("unseen_in_dry_run", adopted.task.name, names, "kept, at the end")
    checks = []
    for check in (*seen, *unseen):
        known = told.get(check.id, check)
        guard = check.id in passing
        if guard:
            where = f"{adopted.task.name} check {check.id}"
            found.changed("passes_without_apps", where, known.says, "a guard")
        checks.append(known.model_copy(update={"weight": check.weight, "guard": guard}))
    return replace(
        adopted,
        task=adopted.task.model_copy(update={"checks": tuple(checks)}),
        anomalies=tuple(found.all),
    )


def write(adopted: AdoptedTask, out: Path) -> Path:
    """Write an adopted task as a task folder of ours; ``adopted.json`` beside it keeps what was odd.

    Raises:
        BadInput: ``out`` holds something else than an earlier adoption, or the task has no check.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())) and not (out / MARK).is_file():
        raise BadInput(f"{out}: holds something else than an adopted task; name an empty or a new folder")
    try:
        task = OperateTask.model_validate(adopted.task.model_dump())
    except ValidationError as error:
        raise BadInput(f"{adopted.source}: cannot be adopted: {first_error(error)}") from error
    (out / "inputs").mkdir(parents=True, exist_ok=True)
    for name, (path, _) in adopted.inputs.items():
        shutil.copyfile(path, out / "inputs" / name)
    shutil.copyfile(adopted.source / VERIFIER, out / VERIFIER)
    about = {
        "inputs": {name: released for name, (_, released) in adopted.inputs.items()},
        "imports": adopted.script.imports,
        "judged": adopted.script.judged,
        "files": adopted.hashes,
        "anomalies": [one.model_dump(mode="json") for one in adopted.anomalies],
    }
    declared = task.model_dump(mode="json", exclude_defaults=True)
    for name, text in (
        ("task.toml", to_toml(declared)),
        ("instruction.md", adopted.description.text),
        (MARK, json.dumps(about, ensure_ascii=False, indent=1) + "\n"),
    ):
        (out / name).write_text(text, encoding="utf-8", newline="\n")
    return out


def _adopt(folder: Path) -> AdoptedTask:
    hashes: dict[str, str] = {}
    meta = _meta(folder, hashes)
    found = Findings()
    task = _text_of(meta, "task_id", folder.name, folder.name, found)
    if task != folder.name:
        found.note("id_differs", task, f"its folder is called {folder.name}", "the id counts")
    apps = _apps(meta.get("meta_data"), task, found)
    description = read_description(_text(folder / DESCRIPTION, folder, hashes), task, apps, found)
    if not (folder / VERIFIER).is_file():
        raise BadInput(f"{folder}: has no {VERIFIER}; nothing could grade it")
    script = read_script(_text(folder / VERIFIER, folder, hashes), task, apps, found)
    track = _track(folder)
    inputs = _inputs(meta.get("multimodal_input"), folder, task, track, hashes, found)
    declared = OperateTask.model_construct(
        suite=Suite.OPERATE,
        name=task.lower().replace("_", "-"),
        title=description.title,
        version="1-0",
        canary="adopted-" + hashlib.sha256(task.encode()).hexdigest(),
        domain=_domain(meta, folder, found),
        track=Track.MULTIMODAL if inputs else track,
        apps=apps,
        credentials=description.credentials,
        inputs=tuple(given for given, _, _ in inputs),
        steps=description.steps,
        verifier=VERIFIER,
        # A source that computes all its labels tells none yet: what a dry run adds is validated by write.
        checks=script.checks,
    )
    places = {given.file: (path, released) for given, path, released in inputs}
    return AdoptedTask(declared, description, script, folder, places, hashes, tuple(found.all))


def _apps(about: Any, task: str, found: Findings) -> tuple[str, ...]:
    sites = about.get("sites") if isinstance(about, dict) else None
    if not isinstance(sites, list) or not sites or not all(isinstance(site, str) for site in sites):
        raise BadInput(f"{task}/{META}: meta_data.sites: must be a list of apps")
    for site in sites:
        if site_of(site) is None:
            found.lost("unknown_service", task, site, "kept; give it a recipe")
    return tuple(dict.fromkeys(site_of(site) or site for site in sites))


def _track(folder: Path) -> Track:
    return Track.MULTIMODAL if "multi-m" in folder.parts else Track.TEXT


def _domain(meta: dict[str, Any], folder: Path, found: Findings) -> OperateDomain:
    told = _text_of(meta, "category_id", folder.parent.name, folder.name, found)
    if told.lower() != folder.parent.name.lower():
        found.note("domain_differs", folder.name, f"{told} in {folder.parent.name}", told)
    try:
        return OperateDomain(told.lower())
    except ValueError as error:
        known = ", ".join(OperateDomain)
        raise BadInput(f"{folder}/{META}: category_id: {told!r} is none of {known}") from error


def _inputs(
    told: Any, folder: Path, task: str, track: Track, hashes: dict[str, str], found: Findings
) -> list[tuple[TaskInput, Path, str]]:
    """Each input with where it lies: its path is meant from the release's own root."""
    held = []
    for one in told if isinstance(told, list) else []:
        released = str(one.get("file", "")) if isinstance(one, dict) else ""
        path = next((up / released for up in folder.parents if (up / released).is_file()), None)
        if not released or path is None:
            found.lost("input_missing", task, released or one, "left out")
            continue
        hashes[released] = hashlib.sha256(path.read_bytes()).hexdigest()
        kind = "pdf" if path.suffix.lower() == ".pdf" else "image"
        if one.get("type") != kind:
            found.note("input_type", task, f"{released} is called {one.get('type')}", kind)
        given = TaskInput(file=PurePosixPath(released).name, type=kind, role=str(one.get("role", "")))
        held.append((given, path, released))
    if track is Track.MULTIMODAL and not held:
        found.note("no_input", task, "multimodal, and given no file")
    return held


def _text_of(meta: dict[str, Any], key: str, default: str, task: str, found: Findings) -> str:
    value = meta.get(key)
    if isinstance(value, str) and value:
        return value
    found.changed("meta_missing", task, f"no {key}", default)
    return default


def _meta(folder: Path, hashes: dict[str, str]) -> dict[str, Any]:
    try:
        held = json.loads(_text(folder / META, folder, hashes))
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{folder / META}: is not JSON ({error})") from error
    if not isinstance(held, dict):
        raise BadInput(f"{folder / META}: must be one JSON object")
    return held


def _text(path: Path, folder: Path, hashes: dict[str, str]) -> str:
    try:
        if path.stat().st_size > LARGEST:
            raise BadInput(f"{path}: larger than {LARGEST // 1024**2} MiB; this is no task's file")
        data = path.read_bytes()
        hashes[path.relative_to(folder).as_posix()] = hashlib.sha256(data).hexdigest()
        return data.decode("utf-8-sig")
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: is not UTF-8 text") from error
