"""From a command line's words to the tasks and the run that they mean."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tenure.apps.release import release_for
from tenure.engine.spec import Price, RunSpec, TaskRef
from tenure.prove.record import best_proof
from tenure.schema import BadInput, Interface, Suite
from tenure.schema.folder import AnyFolder, BuildFolder, GrowFolder, TaskFolder, find_folder, shipped


def suite_of(name: str) -> Suite:
    """A suite by name.

    Raises:
        BadInput: It is none.
    """
    if name not in {str(suite) for suite in Suite}:
        raise BadInput(f"there is no suite {name!r}; suites: {', '.join(Suite)}")
    return Suite(name)


def tasks_of(suite: Suite, names: Sequence[str]) -> dict[str, AnyFolder]:
    """The named tasks of a suite, or all of it.

    Raises:
        BadInput: A name is not a task's, a task is of another suite, or two have one name.
    """
    found = {name: find_folder(name) for name in names}
    for name, folder in found.items():
        if folder.task.suite is not suite:
            raise BadInput(f"{name} is of the {folder.task.suite} suite, not of {suite}")
    twice = [id for id, n in Counter(folder.task.id for folder in found.values()).items() if n > 1]
    if twice:
        raise BadInput(f"two of the tasks are called {twice[0]}; run them apart")
    return found or {folder.task.id: folder for folder in shipped(suite)}


def spec_of(
    suite: str,
    names: Sequence[str],
    *,
    interface: str | None,
    price: str | None,
    grader_price: str | None = None,
    release: Path | None = None,
    **fields: Any,
) -> RunSpec:
    """The run that a command line means. Fields that are ``None`` are left to the suite.

    Raises:
        BadInput: An argument is wrong.
    """
    which = suite_of(suite)
    tasks = tasks_of(which, names)
    if which is Suite.CARRY:
        interface = interface or Interface.API
    for name, folder in tasks.items():
        if isinstance(folder, TaskFolder) and interface not in folder.task.interfaces:
            offered = ", ".join(folder.task.interfaces)
            raise BadInput(f"{name} has no {interface} interface; interfaces: {offered}")
        if isinstance(folder, BuildFolder):
            _ = folder.dag, folder.entries  # What is broken in them is said before anything is opened.
        if isinstance(folder, GrowFolder):
            _ = folder.stages, folder.plans
    refs = tuple(TaskRef.of(name, folder) for name, folder in tasks.items())
    proofs = {f.task.id: proof.key for f in tasks.values() if (proof := best_proof(f)) is not None}
    given = {name: value for name, value in fields.items() if value is not None}
    if interface is not None:
        given["interface"] = interface
    if (made_of := release_for(tasks.values(), release)) is not None:
        given["release"] = made_of
    try:
        prices = {"price": _price("--price", price), "grader_price": _price("--grader-price", grader_price)}
        return RunSpec(suite=which, tasks=refs, proofs=proofs, **prices, **given)
    except ValidationError as error:
        first = error.errors()[0]
        says = first["msg"].removeprefix("Value error, ")
        option = f"--{str(first['loc'][0]).replace('_', '-')}: " if first["loc"] else ""
        raise BadInput(option + says) from error


def _price(option: str, text: str | None) -> Price | None:
    if text is None:
        return None
    try:
        read, written = (float(part) for part in text.split("/"))
        return Price(input=read, output=written)
    except ValueError as error:
        raise BadInput(f"{option} {text!r}: write it as INPUT/OUTPUT, such as 3/15") from error
