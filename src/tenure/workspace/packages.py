"""Python inside a machine: the interpreter that Tenure runs under, and packages installed beside it."""

import os
import re
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement

from tenure.schema import BadInput
from tenure.workspace.layers import Layer, copy_file, copy_tree, layer

PACKAGES = "/opt/packages"
_TOOLS = ("pip", "setuptools", "wheel", "_distutils_hack", "distutils-precedence.pth")
_LEFT_OUT = {"test", "tests", "idlelib", "turtledemo", "lib2to3", "__pycache__"}


def python_prefix() -> Path:
    """Where the interpreter that Tenure runs under is installed, on the host and inside."""
    return Path(os.path.realpath(sys.base_prefix))


def interpreter_binds(prefix: Path) -> list[tuple[Path, str]]:
    """What a machine must show for a Python of the host: (folder of the host, path inside).

    Args:
        prefix: Where it is installed.
    """
    # Machines have the interpreter that we run under, and the system's, anyway.
    return [] if prefix in (python_prefix(), Path("/usr")) else [(prefix, str(prefix))]


@cache
def python_layer() -> Layer | None:
    """The interpreter, without what is installed in it but pip; none when it belongs to /usr.

    It appears at its own path, which it knows its library by.
    """
    prefix = python_prefix()
    if prefix == Path("/usr"):
        return None
    executable = prefix / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}"
    state = executable.stat()
    library = Path("lib") / executable.name

    def left_out(path: Path) -> bool:
        if path.is_relative_to(library / "site-packages") and path != library / "site-packages":
            name = path.relative_to(library / "site-packages").parts[0]
            return (name.partition("-")[0] not in _TOOLS and name not in _TOOLS) or path.name == "__pycache__"
        inside = path.parts[:1] in (("bin",), ("include",), ("lib",))
        return (
            not inside
            or path.name in _LEFT_OUT
            or (len(path.parts) > 2 and path.parts[2].startswith("config-"))
        )

    def fill(folder: Path) -> dict[str, str]:
        copy_tree(prefix, folder, without=left_out)
        _compile(folder / library, prefix / library)
        return {"python": ".".join(map(str, sys.version_info[:3]))}

    return layer("python", str(prefix), [sys.version, f"{state.st_mtime_ns} {state.st_size}"], fill)


def packages_layer(names: Iterable[str]) -> Layer:
    """Copies of installed distributions and of all that they need, at /opt/packages.

    Raises:
        BadInput: One is not installed.
    """
    found: dict[str, Distribution] = {}
    for name in names:
        _collect(name, found)
    versions = {name: found[name].version for name in sorted(found)}

    def fill(folder: Path) -> dict[str, str]:
        for one in found.values():
            for file in one.files or ():
                source = Path(str(one.locate_file(file)))
                if ".." not in file.parts and "__pycache__" not in file.parts and source.is_file():
                    copy_file(source, folder / file)
        _compile(folder, Path(PACKAGES))
        return versions

    return layer("packages", PACKAGES, [sys.version, *(f"{n}={v}" for n, v in versions.items())], fill)


def _collect(wanted: str, found: dict[str, Distribution]) -> None:
    requirement = Requirement(wanted)
    name = re.sub(r"[-_.]+", "-", requirement.name).lower()
    extras = {"", *requirement.extras}
    if name == "tenure":
        raise BadInput("packages: a machine must not show Tenure's own files")
    if name in found and not requirement.extras:
        return
    try:
        found[name] = distribution(name)
    except PackageNotFoundError as error:
        raise BadInput(f"packages: {name} is not installed beside Tenure; pip install {name}") from error
    for line in found[name].requires or ():
        need = Requirement(line)
        if need.marker is None or any(need.marker.evaluate({"extra": extra}) for extra in extras):
            _collect(f"{need.name}[{','.join(need.extras)}]" if need.extras else need.name, found)


def _compile(folder: Path, seen_as: Path) -> None:
    """Compile modules once: inside, nobody may write the results."""
    command = [
        sys.executable,
        "-I",
        "-m",
        "compileall",
        "-q",
        "-j",
        "0",
        "--invalidation-mode",
        "unchecked-hash",
    ]
    subprocess.run(
        [*command, "-s", str(folder), "-p", str(seen_as), str(folder)], capture_output=True, check=False
    )
