"""Task folders: finding them, loading them, and saying in one line what is wrong with one.

A carry task folder holds ``task.toml`` (the declaration), ``instruction.md`` (the request, with
``{fact}`` placeholders), ``story.py`` (plants the story in a world), ``checks.py``, ``oracle.py``
(``async def solve(hands)``) and ``mutants.py``. A build task folder holds ``task.toml``, ``prd.md``,
``knowledge_base.json``, ``dag/*.json`` and, where it ships, ``reference/``, ``oracle.py``, ``mutants.py``.
A grow task folder holds ``task.toml``, ``stages/NN-name/`` (``stage.toml`` and ``prd.md``),
``plans/*.toml`` and, where a stage names files, ``assets/``. An operate task folder holds ``task.toml``,
``instruction.md``, ``checks.py`` or a released verifier and, where it is given files, ``inputs/``.
"""

import json
import re
import string
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, Generic, TypeVar, cast

from pydantic import ValidationError

from tenure.schema.build import BuildTask, Dag, Node, first_error
from tenure.schema.errors import BadInput
from tenure.schema.grow import NAME, Plan, Product, Stage
from tenure.schema.modules import load_module
from tenure.schema.operate import OperateTask
from tenure.schema.task import Task
from tenure.schema.tree import read_toml, tree_hash
from tenure.schema.words import Suite

CATALOG = Path(__file__).resolve().parent.parent / "catalog"
"""The worlds and tasks that ship."""
Declared = TypeVar("Declared", Task, BuildTask, Product, OperateTask)


class Folder(Generic[Declared]):
    """One task on disk. Its Python files are loaded by path, each only when it is asked for."""

    files: ClassVar[tuple[str, ...]]
    """What every folder of the suite holds beside ``task.toml``."""
    shape: ClassVar[type[Task] | type[BuildTask] | type[Product] | type[OperateTask]]
    task: Declared

    def __init__(self, path: Path) -> None:
        """Read the declaration.

        Raises:
            BadInput: The folder is broken; the text names the file and the field.
        """
        self.path = path.resolve()
        for name in ("task.toml", *self.files):
            if not (self.path / name).exists():
                raise BadInput(f"{path}: the task folder has no {name}")
        try:
            self.task = cast(Declared, self.shape.model_validate(read_toml(self.path / "task.toml")))
        except ValidationError as error:
            raise BadInput(f"{path}/task.toml: {first_error(error)}") from error

    def module(self, name: str) -> ModuleType:
        """One of the folder's Python files as a module (``checks``, ``oracle``, …).

        Raises:
            BadInput: The file cannot be imported.
        """
        return load_module(self.path / f"{name}.py")

    @cached_property
    def hash(self) -> str:
        """SHA-256 over the folder's files."""
        return tree_hash(self.path)


class TaskFolder(Folder[Task]):
    """A carry task."""

    files = ("instruction.md", "story.py", "checks.py", "oracle.py", "mutants.py")
    shape = Task

    def __init__(self, path: Path) -> None:
        """Read the declaration and the request.

        Raises:
            BadInput: The folder is broken; the text names the file and the field.
        """
        super().__init__(path)
        self.template = (self.path / "instruction.md").read_text("utf-8")
        if not self.template.strip():
            raise BadInput(f"{path}/instruction.md is empty")

    @cached_property
    def world(self) -> ModuleType:
        """The world that the task's story is planted in; has ``build(base, seed)``."""
        path = self.world_folder / "world.py"
        if not path.is_file():
            raise BadInput(f"{self.path}/task.toml: world: there is no {path}")
        return load_module(path)

    @property
    def world_folder(self) -> Path:
        """Where the world's files are: below ``catalog/worlds``, or beside the task (``./…``)."""
        name = self.task.world
        return self.path / name if name.startswith(".") else CATALOG / "worlds" / name

    @cached_property
    def world_hash(self) -> str:
        """SHA-256 over the world's files."""
        return tree_hash(self.world_folder)

    def instruction(self, facts: Mapping[str, Any]) -> str:
        """The request as the agent gets it."""
        return fill(self.template, facts, self.path / "instruction.md").strip()


class BuildFolder(Folder[BuildTask]):
    """A build task: ``prd.md``, ``knowledge_base.json``, the graph in ``dag/*.json``, a reference."""

    files = ("prd.md", "knowledge_base.json", "dag")
    shape = BuildTask

    @cached_property
    def dag(self) -> Dag:
        """The graph: the nodes of every file of ``dag/``, in the files' order.

        Raises:
            BadInput: A file is broken; the text names it and the node.
        """
        nodes: list[Node] = []
        for path in sorted((self.path / "dag").glob("*.json")):
            try:
                held = json.loads(path.read_text("utf-8"))
            except ValueError as error:
                raise BadInput(f"{path} is not JSON: {error}") from error
            if not isinstance(held, list):
                raise BadInput(f"{path} must hold a list of nodes")
            for n, node in enumerate(held):
                try:
                    nodes.append(Node.model_validate(node))
                except ValidationError as error:
                    name = node.get("id") if isinstance(node, dict) else None
                    raise BadInput(f"{path}: node {name or n}: {first_error(error)}") from error
        return Dag(nodes=tuple(nodes), trajectories=self.task.trajectories, quirks=self.task.quirks)

    @cached_property
    def entries(self) -> frozenset[str]:
        """The ids of the knowledge base's entries.

        Raises:
            BadInput: The file is broken.
        """
        path = self.path / "knowledge_base.json"
        try:
            return frozenset(str(entry["id"]) for entry in json.loads(path.read_bytes())["clarifications"])
        except ValueError as error:
            raise BadInput(f"{path} is not JSON: {error}") from error
        except (KeyError, TypeError) as error:
            raise BadInput(f"{path} must hold clarifications, a list of entries with an id each") from error

    @property
    def reference(self) -> Path:
        """The reference implementation: what the oracle writes below ``/app``."""
        return self.path / "reference"


@dataclass(frozen=True)
class PlacedStage:
    """A stage where it stands among the others.

    Attributes:
        number: 1 is the first request.
        name: The folder's name without its number.
        stage: The declaration.
        path: The folder.
    """

    number: int
    name: str
    stage: Stage
    path: Path

    @property
    def prd(self) -> str:
        """The request, as the builder gets it."""
        return (self.path / "prd.md").read_text("utf-8")


class GrowFolder(Folder[Product]):
    """A grow task: ``stages/NN-name/{stage.toml,prd.md}``, ``plans/*.toml``, ``assets/``."""

    files = ("stages", "plans")
    shape = Product

    @cached_property
    def stages(self) -> tuple[PlacedStage, ...]:
        """The requests in order.

        Raises:
            BadInput: A folder's name has no number, its declaration is broken, or it has no PRD.
        """
        placed = []
        for path in sorted(entry for entry in (self.path / "stages").iterdir() if entry.is_dir()):
            number, _, name = path.name.partition("-")
            if not number.isdecimal() or not re.match(NAME, name):
                raise BadInput(f"{path}: a stage's folder is called NN-name, such as 03-split-fares")
            if not (path / "prd.md").is_file():
                raise BadInput(f"{path}: the stage has no prd.md")
            placed.append(PlacedStage(int(number), name, _declared(path / "stage.toml", Stage), path))
        return tuple(sorted(placed, key=lambda stage: stage.number))

    @cached_property
    def plans(self) -> tuple[Plan, ...]:
        """The plans, by id.

        Raises:
            BadInput: A file is broken; the text names it and the field.
        """
        return tuple(
            _declared(path, Plan, id=path.name.removesuffix(".toml"))
            for path in sorted((self.path / "plans").glob("*.toml"))
        )

    @property
    def assets(self) -> Path:
        """Where the files that stages and plans name are."""
        return self.path / "assets"

    @property
    def reference(self) -> Path:
        """The reference builds."""
        return self.path / "reference"


class OperateFolder(Folder[OperateTask]):
    """An operate task: ``instruction.md``, ``inputs/``, ``checks.py`` or a released verifier."""

    files = ("instruction.md",)
    shape = OperateTask

    def __init__(self, path: Path) -> None:
        """Read the declaration.

        Raises:
            BadInput: The folder is broken; the text names the file and the field.
        """
        super().__init__(path)
        needed = [self.task.verifier or "checks.py", *(f"inputs/{given.file}" for given in self.task.inputs)]
        for name in needed:
            if not (self.path / name).is_file():
                raise BadInput(f"{path}: the task folder has no {name}")

    @property
    def instruction(self) -> str:
        """The request, as the agent gets it."""
        return (self.path / "instruction.md").read_text("utf-8").strip()


_Part = TypeVar("_Part", Stage, Plan)


def _declared(path: Path, shape: type[_Part], **given: str) -> _Part:
    try:
        return shape.model_validate({**read_toml(path), **given})
    except ValidationError as error:
        raise BadInput(f"{path}: {first_error(error)}") from error


def fill(template: str, facts: Mapping[str, Any], where: Path) -> str:
    """Fill ``{fact}`` placeholders.

    Raises:
        BadInput: A placeholder names no fact, or braces do not match.
    """
    try:
        return string.Formatter().vformat(template, (), facts)
    except (KeyError, IndexError) as error:
        raise BadInput(f"{where}: no fact is called {error}") from error
    except ValueError as error:
        raise BadInput(f"{where}: {error}") from error


AnyFolder = TaskFolder | BuildFolder | GrowFolder | OperateFolder
_KINDS = {
    Suite.CARRY: TaskFolder,
    Suite.BUILD: BuildFolder,
    Suite.GROW: GrowFolder,
    Suite.OPERATE: OperateFolder,
}


def open_folder(path: Path) -> AnyFolder:
    """A task folder of whichever suite its declaration names.

    Raises:
        BadInput: It is broken, or of a suite that has no folders yet.
    """
    suite = read_toml(path / "task.toml").get("suite")
    for name, kind in _KINDS.items():
        if suite == name:
            return cast(AnyFolder, kind(path))
    raise BadInput(f"{path}/task.toml: suite: {suite!r} is none that this version runs")


def find_folder(name: str) -> AnyFolder:
    """A task by ``suite/name`` from the catalog, or by the path of its folder.

    Raises:
        BadInput: There is none, or it is broken.
    """
    shipped = CATALOG / name
    if not name.startswith((".", "/")) and (shipped / "task.toml").is_file():
        return open_folder(shipped)
    path = Path(name)
    if (path / "task.toml").is_file():
        return open_folder(path)
    if path.is_dir() and name.startswith((".", "/")):
        raise BadInput(f"{path}: the task folder has no task.toml")
    # By their folders' names: a broken one must not hide what is wrong here.
    known = ", ".join(sorted("/".join(path.parts[-3:-1]) for path in CATALOG.glob("*/*/task.toml")))
    raise BadInput(f"there is no task {name!r}; tasks: {known} (or give a task folder's path)")


def find_task(name: str) -> TaskFolder:
    """A carry task, as :func:`find_folder`.

    Raises:
        BadInput: There is none, or it is of another suite.
    """
    return _of_kind(find_folder(name), TaskFolder, name)


def find_build(name: str) -> BuildFolder:
    """A build task, as :func:`find_folder`.

    Raises:
        BadInput: There is none, or it is of another suite.
    """
    return _of_kind(find_folder(name), BuildFolder, name)


def find_grow(name: str) -> GrowFolder:
    """A grow task, as :func:`find_folder`.

    Raises:
        BadInput: There is none, or it is of another suite.
    """
    return _of_kind(find_folder(name), GrowFolder, name)


def find_operate(name: str) -> OperateFolder:
    """An operate task by ``suite/name`` from the catalog, or by the path of its folder.

    Raises:
        BadInput: There is none, or it is of another suite.
    """
    return _of_kind(find_folder(name), OperateFolder, name)


_Kind = TypeVar("_Kind", TaskFolder, BuildFolder, GrowFolder, OperateFolder)


def _of_kind(folder: AnyFolder, kind: type[_Kind], name: str) -> _Kind:
    if not isinstance(folder, kind):
        raise BadInput(f"{name} is of the {folder.task.suite} suite, which this does not take")
    return folder


def shipped(suite: Suite | None = None) -> list[AnyFolder]:
    """The tasks of the catalog, of one suite or of all, by id."""
    found = [open_folder(path.parent) for path in sorted(CATALOG.glob(f"{suite or '*'}/*/task.toml"))]
    return sorted(found, key=lambda folder: folder.task.id)


def shipped_tasks() -> list[TaskFolder]:
    """The carry tasks of the catalog, by id."""
    return [folder for folder in shipped(Suite.CARRY) if isinstance(folder, TaskFolder)]


def shipped_builds() -> list[BuildFolder]:
    """The build tasks of the catalog, by id."""
    return [folder for folder in shipped(Suite.BUILD) if isinstance(folder, BuildFolder)]


def shipped_grows() -> list[GrowFolder]:
    """The grow tasks of the catalog, by id."""
    return [folder for folder in shipped(Suite.GROW) if isinstance(folder, GrowFolder)]
