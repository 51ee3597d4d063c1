"""From a released folder to a task folder of ours."""

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tenure.adopt.anomaly import Anomaly, Findings
from tenure.adopt.build.nodes import Graph, read_nodes
from tenure.adopt.build.source import Source, read_source
from tenure.schema.build import BuildTask, Domain, Login, Node, Quirks, User, first_error
from tenure.schema.errors import BadInput
from tenure.schema.toml import to_toml
from tenure.schema.words import Suite

SPARE = ("admin", "member", "guest")
"""Roles of users that the graph does not name: a task has three."""
MARK = "adopted.json"
"""Of a folder that an adoption wrote, which another may replace."""
PORT = re.compile(r"localhost:(\d{2,5})|\bport (\d{2,5})\b")


class Profile(StrEnum):
    """Whose rules an adopted task is scored by."""

    PROTOCOL = "protocol"
    """Ours."""
    RELEASED = "released"
    """Those of the evaluator that the task came with, as far as they are known."""


@dataclass(frozen=True)
class Adopted:
    """An adopted task, not yet written."""

    task: BuildTask
    nodes: tuple[Node, ...]
    anomalies: tuple[Anomaly, ...]
    source: Source
    profile: Profile


def adopt(
    folder: Path,
    *,
    profile: Profile = Profile.PROTOCOL,
    domain: Domain | None = None,
    prd: Path | None = None,
    knowledge: Path | None = None,
    known_category: Callable[[str], bool] = lambda category: True,
) -> Adopted:
    """Read a released task.

    Args:
        folder: The task's folder, as released; or one above its DAG.
        profile: Whose rules score it.
        domain: The task's domain, which released folders do not name.
        prd: The requirements (``task.md``), where they lie elsewhere.
        knowledge: The knowledge base, likewise.
        known_category: Whether a category belongs to a backbone; one that does not is put into Logic.

    Raises:
        BadInput: The folder holds no task, or a file in it is broken.
    """
    found = Findings()
    source = read_source(folder, found, prd=prd, knowledge=knowledge)
    try:
        graph = read_nodes(source, found, known_category)
        task = _task(source, graph, _quirks(source, profile, found), domain, found)
    except ValidationError as error:
        raise BadInput(f"{folder}: cannot be adopted: {first_error(error)}") from error
    return Adopted(task, graph.nodes, tuple(found.all), source, profile)


def write(adopted: Adopted, out: Path) -> Path:
    """Write an adopted task as a task folder of ours; ``adopted.json`` beside it keeps what was odd.

    Raises:
        BadInput: ``out`` holds something else than an earlier adoption.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())) and not (out / MARK).is_file():
        raise BadInput(f"{out}: holds something else than an adopted task; name an empty or a new folder")
    (out / "dag").mkdir(parents=True, exist_ok=True)
    nodes = [node.model_dump(mode="json", exclude_defaults=True) for node in adopted.nodes]
    about = {
        "profile": adopted.profile,
        "files": adopted.source.hashes,
        "anomalies": [one.model_dump(mode="json") for one in adopted.anomalies],
    }
    for name, text in (
        ("task.toml", to_toml(adopted.task.model_dump(mode="json", by_alias=True, exclude_defaults=True))),
        ("prd.md", adopted.source.prd or "The requirements were not in the released folder.\n"),
        ("knowledge_base.json", _json(adopted.source.knowledge)),
        ("dag/nodes.json", _json(nodes)),
        (MARK, _json(about)),
    ):
        (out / name).write_text(text, encoding="utf-8", newline="\n")
    return out


def _task(source: Source, graph: Graph, quirks: Quirks, domain: Domain | None, found: Findings) -> BuildTask:
    if domain is None:
        found.changed("domain", source.name, "none named", "DW; give it by option")
    if not source.service:
        found.changed("service", source.name, "no compose file names a database", "postgres")
    paths = [told["login_path"] for told in graph.roles.values() if "login_path" in told]
    path = paths[0] if paths else "/login"
    found.changed("login", "task.toml [login]", path, "a JSON body of email and password; see to it")
    title = f"Adopted {source.name}"
    return BuildTask(
        suite=Suite.BUILD,
        name=source.name,
        title=title,
        version="1-0",
        canary="adopted-" + hashlib.sha256(source.name.encode()).hexdigest(),
        domain=domain or Domain.DW,
        category="Adopted",
        product="product as the requirements describe it",
        stack=("As the requirements say.",),
        service=source.service or "postgres",
        port=_port(source),
        users=_users(graph, found),
        login=Login(path=path, json={"email": "{email}", "password": "{password}"}, token_path="$.token"),
        trajectories=graph.trajectories,
        quirks=quirks,
    )


def _users(graph: Graph, found: Findings) -> dict[str, User]:
    """Three users: those that the graph logs in, then spare ones."""
    roles = list(dict.fromkeys([*graph.roles, *SPARE]))
    for role in list(graph.roles)[3:]:
        found.lost("user", role, "a fourth user", "left out: a task has three")
    users = {}
    for role in roles[:3]:
        told = graph.roles.get(role, {})
        email, password = told.get("email"), told.get("password")
        if not email or not password:
            found.changed("user", role, "no address or password in the graph", "one of ours; see the PRD")
        users[role] = User(
            email=email or f"{role}@example.test", password=password or f"Adopted-{role}-1", role=role
        )
    return users


def _quirks(source: Source, profile: Profile, found: Findings) -> Quirks:
    if profile is Profile.PROTOCOL:
        return Quirks()
    known: dict[str, dict[str, bool]] = json.loads(
        files(__package__).joinpath("quirks.json").read_text("utf-8")
    )
    if source.name not in known:
        found.changed("evaluator", source.name, "its evaluator was never read", "our rules")
    return Quirks(**known.get(source.name, {}))


def _port(source: Source) -> int:
    told = PORT.search(json.dumps(source.graph))
    number = int(told[1] or told[2]) if told else 8000
    return number if 1 <= number <= 65535 else 8000


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"
