"""What a release has beside its tasks that decides what their apps are: compose files, names of images."""

import hashlib
from collections.abc import Collection, Iterable
from pathlib import Path

from pydantic import Field

from tenure.apps.recipe import released
from tenure.schema.errors import BadInput
from tenure.schema.folder import AnyFolder, OperateFolder
from tenure.schema.shape import Shape
from tenure.schema.sites import sites
from tenure.schema.tree import read_toml

IMAGES = "images.toml"
"""The file that names images which are not called as the release calls them: ``app = "image"``."""


class Release(Shape):
    """Where released apps are made from."""

    hash: str
    """SHA-256 over the compose files and the names of images."""
    images: dict[str, str] = Field(default_factory=dict)
    """App → image, where it is not the release's own name."""
    folder: Path = Field(default=Path(), exclude=True)
    """Has ``<app>.yml``; where it lies does not matter, what it holds does."""

    def as_it_was(self) -> "Release":
        """This release, seen to be what it was.

        Raises:
            BadInput: It is not.
        """
        if read_release(self.folder).hash != self.hash:
            raise BadInput(f"{self.folder} has changed since the run began; start the command again")
        return self


def read_release(folder: Path, apps: Collection[str] = ()) -> Release:
    """The release in a folder.

    Args:
        folder: Has ``<app>.yml`` of each app that is started by one, and perhaps ``images.toml``.
        apps: Released apps that it must have what it takes for.

    Raises:
        BadInput: It has not, or ``images.toml`` is broken.
    """
    if not folder.is_dir():
        raise BadInput(f"{folder}: there is no such folder")
    known = sites()
    if lacking := sorted(app for app in apps if known[app].compose and not (folder / f"{app}.yml").is_file()):
        raise BadInput(f"{folder}: there is no {', '.join(f'{app}.yml' for app in lacking)}")
    named = read_toml(folder / IMAGES) if (folder / IMAGES).is_file() else {}
    for app, image in named.items():
        if app not in known or known[app].compose:
            raise BadInput(f"{folder}/{IMAGES}: {app} is no app that a release starts by an image")
        if not isinstance(image, str) or not image:
            raise BadInput(f"{folder}/{IMAGES}: {app}: write the image's name")
    composes = (folder / f"{app}.yml" for app in sorted(known) if known[app].compose)
    parts = [f"{file.name}\0{file.read_bytes().hex()}" for file in composes if file.is_file()]
    parts += [f"{app}\0{image}" for app, image in sorted(named.items())]
    return Release(
        hash=hashlib.sha256("\0\0".join(parts).encode()).hexdigest(), images=named, folder=folder.resolve()
    )


def release_for(tasks: Iterable[AnyFolder], folder: Path | None) -> Release | None:
    """The release that a run's tasks need.

    Args:
        tasks: The tasks.
        folder: Where it is said to be.

    Raises:
        BadInput: They need one and none is given, or the other way round, or it lacks something.
    """
    apps = {
        app for task in tasks if isinstance(task, OperateFolder) and released(task) for app in task.task.apps
    }
    if folder is not None:
        if not apps:
            raise BadInput("--release goes with released operate tasks only")
        return read_release(folder, apps)
    if composed := sorted(app for app in apps if sites()[app].compose):
        raise BadInput(
            f"--release: {', '.join(composed)}: a compose file of the release starts it; give the folder "
            f"with {composed[0]}.yml"
        )
    return None
