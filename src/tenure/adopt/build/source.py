"""Finding and reading the files of a released SaaSBench task."""

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tenure.adopt.anomaly import Findings
from tenure.adopt.files import inside
from tenure.schema.errors import BadInput

GRAPHS = ("dag_smoke.json", "dag.json")
"""The released scripts take the first that is there."""
SCORING = "scoring_config.json"
KNOWLEDGE = "knowledge_base.json"
PRD = "task.md"
LARGEST = 16 * 1024**2
"""Bytes of one file that is read."""
SERVICES = {
    "postgres": "postgres",
    "mariadb": "mariadb",
    "mysql": "mariadb",
    "mongo": "mongodb",
    "clickhouse": "clickhouse",
    "redis": "redis",
}
"""Part of an image's name → the service that the app gets; the first that a compose file names."""


@dataclass(frozen=True)
class Source:
    """What a released folder holds.

    Attributes:
        graph: The DAG document.
        scoring: ``scoring_config``, from its own file or from the DAG's.
        knowledge: Knowledge-base entries.
        prd: The requirements' text; empty when the folder has none.
        service: The database, as compose files name it; empty when they name none.
        hashes: Path below the folder → SHA-256 of what was read.
    """

    name: str
    graph: dict[str, Any]
    scoring: dict[str, Any]
    knowledge: list[dict[str, Any]]
    prd: str
    service: str
    hashes: dict[str, str]


def read_source(folder: Path, found: Findings, *, prd: Path | None, knowledge: Path | None) -> Source:
    """Read a released folder: the task's, or one above its DAG.

    Args:
        folder: The folder.
        found: Takes what is odd.
        prd: The requirements, where they lie elsewhere.
        knowledge: The knowledge base, likewise.

    Raises:
        BadInput: There is no DAG or more than one, or a file is not what it should be.
    """
    if not folder.is_dir():
        raise BadInput(f"{folder}: no such folder; give the folder of one released task")
    hashes: dict[str, str] = {}

    def take(path: Path, within: Path | None = folder) -> str:
        text = _text(path, within)
        shown = path.relative_to(folder) if path.is_relative_to(folder) else Path(path.name)
        hashes[shown.as_posix()] = hashlib.sha256(text.encode()).hexdigest()
        return text

    place = _graph(folder, found)
    graph = _document(place, take(place))
    if not isinstance(graph, dict) or not isinstance(graph.get("nodes"), list):
        raise BadInput(f"{place}: nodes: must be a list of nodes")
    config = place.parent / SCORING
    scoring = _document(config, take(config)) if config.is_file() else graph.get("scoring_config", {})
    if not isinstance(scoring, dict):
        raise BadInput(f"{config}: must be one JSON object")
    # What is given by option may lie anywhere; what the release holds may not lead out of it.
    prd_within, prd = (None, prd) if prd else (folder, _one(folder, PRD))
    knowledge_within, knowledge = (None, knowledge) if knowledge else (folder, _one(folder, KNOWLEDGE))
    entries = (
        _entries(knowledge, _document(knowledge, take(knowledge, knowledge_within))) if knowledge else []
    )
    for what, path in (("requirements", prd), ("knowledge base", knowledge)):
        if path is None:
            found.lost(
                "file_missing", folder.resolve().name, f"no {what}", "an empty file; give it by option"
            )
    return Source(
        name=_name(graph, folder),
        graph=graph,
        scoring=scoring,
        knowledge=entries,
        prd=take(prd, prd_within) if prd else "",
        service=_service(folder),
        hashes=hashes,
    )


def _graph(folder: Path, found: Findings) -> Path:
    places = {path.parent for name in GRAPHS for path in folder.rglob(name)}
    if not places:
        raise BadInput(f"{folder}: holds no {' or '.join(GRAPHS)}; give the folder of one released task")
    if len(places) > 1:
        raise BadInput(f"{folder}: holds {len(places)} graphs; give the folder of one released task")
    (place,) = places
    there = [place / name for name in GRAPHS if (place / name).is_file()]
    if len(there) > 1:
        names = " and ".join(path.name for path in there)
        found.note("two_graphs", place.resolve().name, names, f"{there[0].name} is read")
    return there[0]


def _one(folder: Path, name: str) -> Path | None:
    return min(folder.rglob(name), key=lambda path: len(path.parts), default=None)


def _text(path: Path, within: Path | None) -> str:
    try:
        if within is not None and not inside(path, within):
            raise BadInput(f"{path}: leads out of the folder")
        if path.stat().st_size > LARGEST:
            raise BadInput(f"{path}: larger than {LARGEST // 1024**2} MiB; this is no task's file")
        return path.read_text("utf-8-sig")
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: is not UTF-8 text") from error


def _document(path: Path, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{path}: is not JSON ({error})") from error


def _entries(path: Path, held: Any) -> list[dict[str, Any]]:
    entries = held
    if isinstance(held, dict):
        entries = next((held[key] for key in ("clarifications", "entries", "items") if key in held), None)
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise BadInput(f"{path}: must hold a list of entries {{id, question, answer, …}}")
    return entries


def _name(graph: dict[str, Any], folder: Path) -> str:
    meta = graph.get("meta")
    given = meta.get("task_id") if isinstance(meta, dict) else None
    text = str(given or folder.resolve().name).removeprefix("task_")
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "adopted"


def _service(folder: Path) -> str:
    for path in sorted(folder.rglob("docker-compose*.y*ml")):
        for image in re.findall(r"image:\s*['\"]?(\S+)", _text(path, folder)):
            known = next((service for part, service in SERVICES.items() if part in image.lower()), None)
            if known:
                return known
    return ""
