"""App recipes: what an app is, and how it is installed, started, filled and asked. Declared in TOML.

One folder per app, named like it: ``recipe.toml``; lock files of PyPI (``requirements.lock``) or npm
(``package.json``, ``package-lock.json``); ``app.py`` with hooks; ``inside/`` with what its machine shows.
"""

import hashlib
import os
import string
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from pydantic import Field, ValidationError, field_validator, model_validator

from tenure.schema.build import first_error
from tenure.schema.errors import BadInput
from tenure.schema.folder import OperateFolder
from tenure.schema.modules import load_module
from tenure.schema.operate import Account, OperateDomain
from tenure.schema.shape import Shape
from tenure.schema.sites import sites
from tenure.schema.tree import read_toml, tree_hash

SHIPPED = Path(__file__).with_name("recipes")
SHARED = Path(__file__).with_name("data")
"""What generators of several apps use."""
ELSEWHERE = "TENURE_APPS"
"""Variable with further folders of recipes, as in PATH."""
Command = tuple[str, ...]


class Install(Shape):
    """What is fetched once. Lock files beside the recipe say the rest."""

    python: tuple[str, ...] = ()
    """Versions of Python that the lock file fits, best first; needed with ``requirements.lock``."""
    source: tuple[str, ...] = ()
    """Distributions that PyPI has no wheel of: these are built here."""
    rebuild: tuple[str, ...] = ()
    """npm packages whose install scripts are run; no others are."""
    packages: tuple[str, ...] = ()
    """Debian packages that the host must have: an optional extra."""
    steps: tuple[Command, ...] = ()
    """Commands run after that in the program's folder."""


class Run(Shape):
    """How the app runs."""

    start: Command = Field(min_length=1)
    """A program that stays in the foreground."""
    port: int = Field(gt=1023, lt=65536)
    """That it listens on, on its own machine's loopback."""
    environment: dict[str, str] = Field(default_factory=dict)
    health: str = "/"
    """Path whose answer shows that it is ready."""
    ok: tuple[int, ...] = (200, 301, 302, 303, 401, 403)
    """Statuses that do."""
    wait: float = 60.0
    """Seconds until it must be."""
    memory: int = 2048
    """MiB that it may use."""
    disk: int = 2048
    """MiB that it may write."""


class Config(Shape):
    """A file that is written before each start, and never kept in a snapshot."""

    path: str = Field(pattern=r"^/app/")
    text: str


class Seeding(Shape):
    """How an empty app is set up, before it is started for the first time and its hook loads data."""

    before: tuple[Command, ...] = ()


class Accounts(Shape):
    """Who there is."""

    agent: Account
    """The one that agents get."""
    admin: Account
    """The one that probes use."""


class Database(Shape):
    """What probes read rows of."""

    kind: Literal["sqlite", "postgres", "mariadb"]
    path: str = ""
    """The file of SQLite, below ``/app`` or ``/tmp``."""
    refresh: Command = ()
    """Run in the machine before rows are read, where the app keeps its state in another form."""

    @field_validator("path")
    @classmethod
    def _inside(cls, value: str) -> str:
        if value and not value.startswith(("/app/", "/tmp/")):
            raise ValueError(f"{value} must be below /app or /tmp")
        return value


class Recipe(Shape):
    """One app."""

    name: str = Field(pattern=r"^[a-z][a-z0-9-]*$")
    path: Path
    title: str
    says: str
    """What it is, in one line."""
    domains: tuple[OperateDomain, ...] = Field(min_length=1)
    licence: str
    """The app's."""
    package: str = ""
    """The package of PyPI or npm whose version is the app's; the recipe's name by default."""
    extra: bool = False
    """Whether it is optional: no task that ships needs it."""
    install: Install = Install()
    run: Run
    config: tuple[Config, ...] = ()
    seed: Seeding = Seeding()
    accounts: Accounts
    database: Database | None = None

    @model_validator(mode="before")
    @classmethod
    def _named(cls, held: Any) -> Any:
        return {"package": held.get("name"), **held} if isinstance(held, dict) else held

    @cached_property
    def hooks(self) -> ModuleType | None:
        """``app.py``, where there is one.

        Raises:
            BadInput: It cannot be imported.
        """
        path = self.path / "app.py"
        return load_module(path) if path.is_file() else None

    @cached_property
    def hash(self) -> str:
        """SHA-256 over the recipe and the generators that several recipes share."""
        return hashlib.sha256(f"{tree_hash(self.path)} {tree_hash(SHARED)}".encode()).hexdigest()


def read_recipe(folder: Path) -> Recipe:
    """The recipe in a folder.

    Raises:
        BadInput: It is broken; the text names the file and the field.
    """
    try:
        recipe = Recipe.model_validate(
            {**read_toml(folder / "recipe.toml"), "name": folder.name, "path": folder.resolve()}
        )
    except ValidationError as error:
        raise BadInput(f"{folder}/recipe.toml: {first_error(error)}") from error
    if (folder / "requirements.lock").is_file() and not recipe.install.python:
        raise BadInput(f"{folder}/recipe.toml: install: python must say which versions the lock file fits")
    return recipe


def recipes() -> dict[str, Recipe]:
    """Every recipe by its name: those that ship, and those of ``$TENURE_APPS``.

    Raises:
        BadInput: One is broken, or two have one name.
    """
    elsewhere = [Path(name) for name in os.environ.get(ELSEWHERE, "").split(os.pathsep) if name]
    found: dict[str, Recipe] = {}
    for path in (path for folder in (SHIPPED, *elsewhere) for path in sorted(folder.glob("*/recipe.toml"))):
        recipe = read_recipe(path.parent)
        if recipe.name in found:
            raise BadInput(f"{path}: an app called {recipe.name} is at {found[recipe.name].path}, too")
        found[recipe.name] = recipe
    return dict(sorted(found.items()))


def find_recipe(name: str) -> Recipe:
    """One recipe.

    Raises:
        BadInput: There is none of this name.
    """
    known = recipes()
    if name not in known:
        raise BadInput(f"app {name}: unknown; choose one of {', '.join(known)}")
    return known[name]


def task_hash(folder: OperateFolder) -> str:
    """SHA-256 over a task's files and the recipes of its apps: all that decides the task.

    Raises:
        BadInput: There is no recipe of one of its apps.
    """
    if released(folder):
        known = sites()
        parts = [known[name].model_dump_json() for name in folder.task.apps]
    else:
        parts = [find_recipe(name).hash for name in folder.task.apps]
    return hashlib.sha256(" ".join([folder.hash, *parts]).encode()).hexdigest()


def released(folder: OperateFolder) -> bool:
    """Whether a task's apps are the released ones, in containers.

    Recipes that somebody gave for all of them stand for them. One that ships and has a released app's name
    does not: its data are others.
    """
    names = set(folder.task.apps)
    given = {name for name, one in recipes().items() if not one.path.is_relative_to(SHIPPED.resolve())}
    return bool(folder.task.verifier) and names <= sites().keys() and not names <= given


def filled(text: str, values: Mapping[str, str], where: str) -> str:
    """A text of a recipe with its ``${placeholders}`` filled.

    Raises:
        BadInput: One is unknown, or a ``$`` stands alone (``$$`` is a dollar).
    """
    try:
        return string.Template(text).substitute(values)
    except KeyError as error:
        raise BadInput(f"{where}: ${{{error.args[0]}}} is unknown; known: {', '.join(values)}") from error
    except ValueError as error:
        raise BadInput(f"{where}: {error}; write $$ for a dollar") from error
