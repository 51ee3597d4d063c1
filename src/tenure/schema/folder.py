"""Task folders: finding them, loading them, and saying in one line what is wrong with one.

A carry task folder holds ``task.toml`` (the declaration), ``instruction.md`` (the request, with
``{fact}`` placeholders), ``story.py`` (plants the story in a world), ``checks.py``, ``oracle.py``
(``async def solve(hands)``) and ``mutants.py``.
"""

import hashlib
import importlib.util
import string
import sys
import tomllib
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import Any

from pydantic import ValidationError

from tenure.schema.errors import BadInput
from tenure.schema.task import Task

_loading = RLock()
"""Attempts prepare their worlds in threads; a half-imported module must not be seen."""
CATALOG = Path(__file__).resolve().parent.parent / "catalog"
"""The worlds and tasks that ship."""
FILES = ("task.toml", "instruction.md", "story.py", "checks.py", "oracle.py", "mutants.py")


class TaskFolder:
    """One task on disk. Its Python files are loaded by path, each only when it is asked for."""

    def __init__(self, path: Path) -> None:
        """Read the declaration.

        Raises:
            BadInput: The folder is broken; the text names the file and the field.
        """
        self.path = path.resolve()
        for name in FILES:
            if not (self.path / name).is_file():
                raise BadInput(f"{path}: the task folder has no {name}")
        try:
            declared = tomllib.loads((self.path / "task.toml").read_text("utf-8"))
            self.task = Task.model_validate(declared)
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise BadInput(f"{path}/task.toml is not TOML: {error}") from error
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"]) or "task"
            raise BadInput(f"{path}/task.toml: {where}: {first['msg']}") from error
        self.template = (self.path / "instruction.md").read_text("utf-8")
        if not self.template.strip():
            raise BadInput(f"{path}/instruction.md is empty")

    def module(self, name: str) -> ModuleType:
        """One of the folder's Python files as a module (``checks``, ``oracle``, …).

        Raises:
            BadInput: The file cannot be imported.
        """
        return load_module(self.path / f"{name}.py")

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
    def hash(self) -> str:
        """SHA-256 over the folder's files."""
        return tree_hash(self.path)

    @cached_property
    def world_hash(self) -> str:
        """SHA-256 over the world's files."""
        return tree_hash(self.world_folder)

    def instruction(self, facts: Mapping[str, Any]) -> str:
        """The request as the agent gets it."""
        return fill(self.template, facts, self.path / "instruction.md").strip()


def load_module(path: Path) -> ModuleType:
    """Import a Python file by path, under a name of its own; imported once per process.

    Files of one folder import each other as ``from .story import …`` through a synthetic package.

    Raises:
        BadInput: The file fails to import.
    """
    package = "tenure_catalog_" + hashlib.sha256(str(path.parent).encode()).hexdigest()[:12]
    name = f"{package}.{path.stem}"
    with _loading:
        return sys.modules.get(name) or _load(path, package, name)


def _load(path: Path, package: str, name: str) -> ModuleType:
    if package not in sys.modules:
        parent = ModuleType(package)
        parent.__path__ = [str(path.parent)]
        sys.modules[package] = parent
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BadInput(f"{path} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise BadInput(f"{path} cannot be imported: {type(error).__name__}: {error}") from error
    return module


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


def tree_hash(folder: Path) -> str:
    """SHA-256 over the names and bytes of a folder's files, caches left out."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            data = path.read_bytes()
            digest.update(f"{path.relative_to(folder).as_posix()}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()


def find_task(name: str) -> TaskFolder:
    """A task by ``suite/name`` from the catalog, or by the path of its folder.

    Raises:
        BadInput: There is none.
    """
    shipped = CATALOG / name
    if not name.startswith((".", "/")) and (shipped / "task.toml").is_file():
        return TaskFolder(shipped)
    path = Path(name)
    if (path / "task.toml").is_file() or (path.is_dir() and name.startswith((".", "/"))):
        return TaskFolder(path)
    # By their folders' names: a broken one must not hide what is wrong here.
    known = ", ".join(sorted("/".join(path.parts[-3:-1]) for path in CATALOG.glob("*/*/task.toml")))
    raise BadInput(f"there is no task {name!r}; tasks: {known} (or give a task folder's path)")


def shipped_tasks(suite: str | None = None) -> list[TaskFolder]:
    """The tasks of the catalog, by id."""
    found = [TaskFolder(path.parent) for path in sorted(CATALOG.glob(f"{suite or '*'}/*/task.toml"))]
    return sorted(found, key=lambda folder: folder.task.id)
