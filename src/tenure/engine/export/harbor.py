"""Build and grow tasks as Harbor's task folders (its schema 1.4).

A build is one step, graded in the container that the agent leaves. A product is a step per request;
the last one's code is graded in a container of its own, on an empty database. Graphs and plans are in
folders that reach a container after the agent has ended; references are in none.
"""

import shutil
from base64 import encodebytes
from importlib.metadata import version
from pathlib import Path, PurePosixPath
from typing import Any

from tenure.engine.build.prompt import build_prompt
from tenure.engine.export import container
from tenure.engine.grow.builder.prompt import system_prompt
from tenure.engine.grow.builder.requests import request_of
from tenure.engine.usual import THREE_HOURS, TWO_HOURS
from tenure.schema import BadInput
from tenure.schema.build import BuildTask
from tenure.schema.folder import AnyFolder, BuildFolder, GrowFolder
from tenure.schema.grow import Product
from tenure.schema.toml import to_toml

SCHEMA = "1.4"
KIND = "docker"
"""What prompts say of the machine."""
GRADED = ("task.toml", "dag", "plans", "stages", "assets", "prd.md", "knowledge_base.json")
"""What of a task's folder graders need."""
GRADING_SECONDS = {"build": 5_400.0, "grow": 36_000.0}
_SERVICES = ("postgres", "none")

_TEST_BUILD = """\
#!/bin/sh
# {canary}
set -eu
chmod 700 /tests
start-database
python3 -m venv /opt/tenure
/opt/tenure/bin/pip install --quiet {tenure}
/opt/tenure/bin/playwright install --with-deps chromium-headless-shell
exec /opt/tenure/bin/python -m tenure.engine.export.verify build /tests/task {app} /logs/verifier {reader}
"""
_TEST_STEP = """\
#!/bin/sh
# {canary}
# The finished product alone is graded, at the last step; the others' rewards count for nothing.
mkdir -p /logs/verifier && echo 0 > /logs/verifier/reward.txt
"""
_TEST_GROW = """\
#!/bin/sh
# {canary}
exec python3 -m tenure.engine.export.verify grow /tests/task {app} /logs/verifier "${{TENURE_GRADER:-}}"
"""
_COMPOSE = """\
# What lets the grader isolate its browser inside this container.
services:
  main:
    cap_add: [SYS_ADMIN, NET_ADMIN]
    security_opt: [seccomp=unconfined, apparmor=unconfined]
"""
_SET_UP_STEP = """\
#!/bin/bash
# {canary}
# What comes with the request lies beside the product, and is no part of it.
set -eu
{files}
rm -f {app}/setup.sh
"""
_FILE = """\
mkdir -p '{folder}'
base64 -d > '{path}' <<'END'
{data}END"""
_CONSTANTS = "\n\nUntil a start of the product sets them otherwise, these variables hold: {values}.\n"


def export_harbor(folder: AnyFolder, out: Path, tenure: str = "") -> Path:
    """Write a task in Harbor's format.

    Args:
        folder: A build or grow task.
        out: A folder that is new or empty.
        tenure: What graders install Tenure from: a requirement or a wheel's path; this version by default.

    Returns:
        The task's folder.

    Raises:
        BadInput: It is of another suite, needs what the container has not, or ``out`` holds something.
    """
    if not isinstance(folder, BuildFolder | GrowFolder):
        raise BadInput(
            f"{folder.task.id}: Harbor takes build and grow tasks; this is a {folder.task.suite} task"
        )
    if folder.task.service not in _SERVICES:
        raise BadInput(
            f"{folder.task.id}: its database is {folder.task.service}; an export has PostgreSQL only"
        )
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise BadInput(f"{out}: holds something already; name an empty or a new folder")
    wheel = Path(tenure) if tenure.endswith(".whl") else None
    if wheel is not None and not wheel.is_file():
        raise BadInput(f"{wheel}: no such wheel")
    source = wheel.name if wheel else tenure or f"tenure=={version('tenure')}"
    tests = _build(folder, out, source) if isinstance(folder, BuildFolder) else _grow(folder, out, source)
    _copy_task(folder, tests / "task")
    if wheel is not None:
        shutil.copyfile(wheel, tests / wheel.name)
    return out


def _build(folder: BuildFolder, out: Path, tenure: str) -> Path:
    task = folder.task
    prompt = build_prompt(task, KIND, database=container.DATABASE if task.service != "none" else "")
    documents = (("task.md", "prd.md"), ("knowledge_base.json", "knowledge_base.json"))
    copies = [(name, f"{container.APP}/{name}") for name, _ in documents]
    _write(out / "environment" / "Dockerfile", container.dockerfile(task.packages, copies))
    for name, source in documents:
        shutil.copyfile(folder.path / source, out / "environment" / name)
    _write(out / "environment" / container.START_DATABASE, container.START)
    _write(out / "instruction.md", _marked(prompt, task.canary))
    _write(
        out / "tests" / "test.sh",
        _TEST_BUILD.format(
            canary=task.canary, tenure=container.source(tenure), app=container.APP, reader=container.READER
        ),
    )
    held = {
        **_head(task, folder.hash),
        "agent": _agent(THREE_HOURS),
        "verifier": {
            "timeout_sec": GRADING_SECONDS["build"],
            "user": "root",
            "environment_mode": "shared",
            "network_mode": "public",
        },
        "environment": _environment({"PORT": str(task.port), "DATABASE_URL": container.DATABASE_URL}),
    }
    _write(out / "task.toml", f"# {task.canary}\n{to_toml(held)}")
    return out / "tests"


def _grow(folder: GrowFolder, out: Path, tenure: str) -> Path:
    task = folder.task
    _write(out / "environment" / "Dockerfile", container.dockerfile(task.packages))
    _write(out / "environment" / container.START_DATABASE, container.START)
    steps = [_step(folder, number, out / "steps") for number in range(1, len(folder.stages) + 1)]
    last = out / "steps" / folder.stages[-1].path.name / "tests"
    _write(last / "Dockerfile", container.grader_dockerfile(tenure))
    _write(last / "docker-compose.yaml", _COMPOSE)
    _write(last / "test.sh", _TEST_GROW.format(canary=task.canary, app=container.APP))
    steps[-1]["verifier"] = {
        "timeout_sec": GRADING_SECONDS["grow"],
        "environment_mode": "separate",
        "env": {"TENURE_GRADER": "${TENURE_GRADER:-}"},
        "environment": {"build_timeout_sec": 1_800.0, "cpus": 4, "memory_mb": 8_192},
    }
    address = f"{task.service.upper()}_DATABASE_URL"
    held = {
        **_head(task, folder.hash),
        "multi_step_reward_strategy": "final",
        "artifacts": [{"source": container.APP}],
        "agent": _agent(TWO_HOURS),
        "environment": _environment({"APPLICATION_PORT": str(task.port), address: container.DATABASE_URL}),
        "steps": steps,
    }
    _write(out / "task.toml", f"# {task.canary}\n{to_toml(held)}")
    return last


def _step(folder: GrowFolder, number: int, steps: Path) -> dict[str, Any]:
    """One request: what the agent is told, the files that come with it, and a test that grades nothing."""
    task, placed = folder.task, folder.stages[number - 1]
    name = placed.path.name
    request = request_of(folder, placed, container.HOME)
    text = request.text
    if number == 1:
        programs, database = container.PROGRAMS, container.DATABASE
        text = f"{system_prompt(task, KIND, database=database, programs=programs)}\n\n{text}"
    if request.variables:
        values = ", ".join(f"{key}={value}" for key, value in request.variables.items())
        text = text.rstrip("\n") + _CONSTANTS.format(values=values)
    _write(steps / name / "instruction.md", _marked(text, task.canary))
    # Harbor uploads as root, and the set-up is the agent's: so it carries the files itself.
    files = "\n".join(
        _FILE.format(folder=PurePosixPath(path).parent, path=path, data=encodebytes(data).decode())
        for path, data in request.files.items()
    )
    set_up = _SET_UP_STEP.format(canary=task.canary, files=files, app=container.APP)
    _write(steps / name / "workdir" / "setup.sh", set_up)
    _write(steps / name / "tests" / "test.sh", _TEST_STEP.format(canary=task.canary))
    return {"name": name, "verifier": {"timeout_sec": 60.0, "environment_mode": "shared"}}


def _head(task: BuildTask | Product, digest: str) -> dict[str, Any]:
    return {
        "schema_version": SCHEMA,
        "task": {
            "name": f"tenure/{task.suite}-{task.name}",
            "version": task.version,
            "description": task.title,
            "keywords": [str(task.suite), "software"],
        },
        "metadata": {"task": task.id, "canary": task.canary, "hash": digest},
    }


def _agent(seconds: float) -> dict[str, Any]:
    return {"timeout_sec": seconds, "user": container.USER, "network_mode": "no-network"}


def _environment(variables: dict[str, str]) -> dict[str, Any]:
    return {
        "build_timeout_sec": 1_800.0,
        "cpus": 4,
        "memory_mb": 8_192,
        "storage_mb": 20_480,
        "workdir": container.APP,
        "env": variables,
        "healthcheck": {"command": container.START_DATABASE, "start_period_sec": 30.0, "retries": 5},
    }


def _copy_task(folder: BuildFolder | GrowFolder, into: Path) -> None:
    for name in GRADED:
        source = folder.path / name
        if source.is_dir():
            shutil.copytree(source, into / name)
        elif source.exists():
            into.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, into / name)


def _marked(text: str, canary: str) -> str:
    """An instruction below its canary: Harbor takes a line with that word off before an agent sees it."""
    return f"<!-- canary: {canary} -->\n\n{text}"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    if text.startswith("#!"):
        path.chmod(0o755)
