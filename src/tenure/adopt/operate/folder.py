"""From a released folder of tasks to task folders of ours."""

import hashlib
import json
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from tenure.adopt.anomaly import Anomaly, Findings
from tenure.adopt.files import inside
from tenure.adopt.operate.description import Description, read_description
from tenure.adopt.operate.inputs import Place, read_inputs
from tenure.adopt.operate.script import Script, read_script
from tenure.schema.build import first_error
from tenure.schema.errors import BadInput
from tenure.schema.operate import NAME, CheckKind, OperateCheck, OperateDomain, OperateTask, Track
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
        place: Where the released folder lies.
        inputs: Input file of ours → where it lies, and its path in the release.
        hashes: Path of what was read → SHA-256.
        anomalies: What is odd about it.
    """

    task: OperateTask
    description: Description
    script: Script
    place: Place
    inputs: dict[str, tuple[Path, str]]
    hashes: dict[str, str]
    anomalies: tuple[Anomaly, ...]


class Release(NamedTuple):
    """What a released folder of tasks comes to.

    Attributes:
        tasks: Those that can be adopted.
        refused: One anomaly for each that cannot.
    """

    tasks: tuple[AdoptedTask, ...]
    refused: tuple[Anomaly, ...]


def adopt(root: Path) -> Release:
    """Read every released task at or below a folder: each that holds ``meta.json`` and ``description.md``.

    A task that cannot be adopted, or whose id another has, is refused and stops no other.

    Raises:
        BadInput: There is no task.
    """
    if not root.is_dir():
        raise BadInput(f"{root}: no such folder; give the release's folder, or one below it")
    # Inputs and the track are told by the folders above a task, which a relative path does not have.
    top = root.resolve()
    folders = [path.parent for path in sorted(top.rglob(META)) if (path.parent / DESCRIPTION).is_file()]
    if not folders:
        raise BadInput(f"{root}: holds no folder with {META} and {DESCRIPTION}")
    tasks: dict[str, AdoptedTask] = {}
    refused = []
    for place in (Place(folder, top) for folder in folders):
        try:
            one = _adopt(place)
            if first := tasks.get(one.task.name):
                raise BadInput(f"its id {one.task.name} is that of {first.place.name}, too")
            tasks[one.task.name] = one
        except BadInput as error:
            refused.append(refusal(place, error))
        except ValidationError as error:
            refused.append(refusal(place, BadInput(first_error(error))))
    return Release(tuple(tasks.values()), tuple(refused))


def refusal(place: Place, error: BadInput) -> Anomaly:
    """The anomaly that a task is which cannot be adopted."""
    found = Findings()
    found.lost("not_adopted", place.name, error, "left out")
    return found.all[0]


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
        # What passes with no app there passed without its judge, too, whichever function it shares with one.
        kind = CheckKind.SCRIPT if guard else known.kind
        checks.append(known.model_copy(update={"weight": check.weight, "guard": guard, "kind": kind}))
    return replace(
        adopted,
        task=adopted.task.model_copy(update={"checks": tuple(checks)}),
        anomalies=tuple(found.all),
    )


def declared(adopted: AdoptedTask) -> OperateTask:
    """The declaration of an adopted task, as it will be written.

    Raises:
        BadInput: It is none that a task can have: without a check, with guards alone, …
    """
    try:
        return OperateTask.model_validate(adopted.task.model_dump())
    except ValidationError as error:
        raise BadInput(f"cannot be adopted: {first_error(error)}") from error


def write(adopted: AdoptedTask, out: Path) -> Path:
    """Write an adopted task as a task folder of ours; ``adopted.json`` beside it keeps what was odd.

    Raises:
        BadInput: ``out`` holds something else than an earlier adoption, or the task cannot be declared.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())) and not (out / MARK).is_file():
        raise BadInput(f"{out}: holds something else than an adopted task; name an empty or a new folder")
    task = declared(adopted)
    (out / "inputs").mkdir(parents=True, exist_ok=True)
    for name, (path, _) in adopted.inputs.items():
        shutil.copyfile(path, out / "inputs" / name)
    shutil.copyfile(adopted.place.folder / VERIFIER, out / VERIFIER)
    about = {
        "inputs": {name: released for name, (_, released) in adopted.inputs.items()},
        "imports": adopted.script.imports,
        "judged": adopted.script.judged,
        "files": adopted.hashes,
        "anomalies": [one.model_dump(mode="json") for one in adopted.anomalies],
    }
    for name, text in (
        ("task.toml", to_toml(task.model_dump(mode="json", exclude_defaults=True))),
        ("instruction.md", adopted.description.text),
        (MARK, json.dumps(about, ensure_ascii=False, indent=1) + "\n"),
    ):
        (out / name).write_text(text, encoding="utf-8", newline="\n")
    return out


def _adopt(place: Place) -> AdoptedTask:
    hashes: dict[str, str] = {}
    name = place.folder.name
    meta = _meta(place, hashes)
    found = Findings()
    task = _text_of(meta, "task_id", name, name, found)
    if not re.fullmatch(NAME, task):
        raise BadInput(
            f"{META}: task_id: {task!r} is no name: letters, digits, _, . and -, not one of these first"
        )
    if task != name:
        found.note("id_differs", task, f"its folder is called {name}", "the id counts")
    apps = _apps(meta.get("meta_data"), task, found)
    description = read_description(_text(DESCRIPTION, place, hashes), task, apps, found)
    if not (place.folder / VERIFIER).is_file():
        raise BadInput(f"has no {VERIFIER}; nothing could grade it")
    script = read_script(_text(VERIFIER, place, hashes), task, apps, found)
    inputs = read_inputs(meta.get("multimodal_input"), task, place, found)
    hashes |= {given.released: given.hash for given in inputs}
    told = OperateTask.model_construct(
        suite=Suite.OPERATE,
        name=task.lower().replace("_", "-"),
        title=description.title,
        version="1-0",
        canary="adopted-" + hashlib.sha256(task.encode()).hexdigest(),
        domain=_domain(meta, place.folder, found),
        track=Track.MULTIMODAL if inputs else place.track,
        apps=apps,
        credentials=description.credentials,
        inputs=tuple(given.input for given in inputs),
        steps=description.steps,
        verifier=VERIFIER,
        # A source that computes all its labels tells none yet: what a dry run adds is validated by write.
        checks=script.checks,
    )
    places = {given.input.file: (given.path, given.released) for given in inputs}
    return AdoptedTask(told, description, script, place, places, hashes, tuple(found.all))


def _apps(about: Any, task: str, found: Findings) -> tuple[str, ...]:
    sites = about.get("sites") if isinstance(about, dict) else None
    if not isinstance(sites, list) or not sites or not all(isinstance(site, str) for site in sites):
        raise BadInput(f"{META}: meta_data.sites: must be a list of apps")
    for site in sites:
        if site_of(site) is None:
            found.lost("unknown_service", task, site, "kept; give it a recipe")
    return tuple(dict.fromkeys(site_of(site) or site for site in sites))


def _domain(meta: dict[str, Any], folder: Path, found: Findings) -> OperateDomain:
    told = _text_of(meta, "category_id", folder.parent.name, folder.name, found)
    if told.lower() != folder.parent.name.lower():
        found.note("domain_differs", folder.name, f"{told} in {folder.parent.name}", told)
    try:
        return OperateDomain(told.lower())
    except ValueError as error:
        known = ", ".join(OperateDomain)
        raise BadInput(f"{META}: category_id: {told!r} is none of {known}") from error


def _text_of(meta: dict[str, Any], key: str, default: str, task: str, found: Findings) -> str:
    value = meta.get(key)
    if isinstance(value, str) and value:
        return value
    found.changed("meta_missing", task, f"no {key}", default)
    return default


def _meta(place: Place, hashes: dict[str, str]) -> dict[str, Any]:
    try:
        held = json.loads(_text(META, place, hashes))
        json.dumps(held, ensure_ascii=False).encode()  # Half of a surrogate pair can be read and not written.
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{META}: is not JSON ({error})") from error
    if not isinstance(held, dict):
        raise BadInput(f"{META}: must be one JSON object")
    return held


def _text(name: str, place: Place, hashes: dict[str, str]) -> str:
    path = place.folder / name
    try:
        if not inside(path, place.release):
            raise BadInput(f"{name}: leads out of the release")
        if path.stat().st_size > LARGEST:
            raise BadInput(f"{name}: larger than {LARGEST // 1024**2} MiB; this is no task's file")
        data = path.read_bytes()
        hashes[name] = hashlib.sha256(data).hexdigest()
        return data.decode("utf-8-sig")
    except OSError as error:
        raise BadInput(f"{name}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{name}: is not UTF-8 text") from error
