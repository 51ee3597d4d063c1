"""Installing an app's program: once, from PyPI and npm by lock files, whole or not at all.

What is installed is code that nobody here has read. It runs with the host's files to read and its own
folder to write, with none of our variables, and ends when we do.
"""

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from uv import find_uv_bin

from tenure.apps.recipe import Recipe
from tenure.schema.errors import BadInput, Fault
from tenure.workspace.base import PATH
from tenure.workspace.layers import Layer, kept, layer
from tenure.workspace.packages import interpreter_binds, python_prefix
from tenure.world.prepare import cache_folder

PROGRAM = "/opt/program"
"""Where an app's machine has it."""
REQUIREMENTS, PACKAGE, LOCK = "requirements.lock", "package.json", "package-lock.json"
Say = Callable[[str], None]
"""Takes progress, a line at a time."""
_PASSED_ON = ("SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "LANG")
_PREFIXES = ("UV_", "PIP_", "npm_config_", "NPM_CONFIG_")
"""Beginnings of names of variables that say where registries are."""
_BEAT = 15.0
"""Seconds after which it is said that an installation still goes on."""
_SECONDS = 3600.0
_MACHINES = {"x86_64": "x64", "aarch64": "arm64"}
_INTERPRETER = (
    "import os, sys; print(os.path.realpath(sys.base_prefix)); print(os.path.realpath(sys.executable))"
)


@dataclass(frozen=True)
class Interpreter:
    """A Python of the host.

    Attributes:
        executable: The program.
        prefix: Where it is installed, on the host and inside.
        version: As ``3.11.7``.
    """

    executable: Path
    prefix: Path
    version: str


@dataclass(frozen=True)
class Program:
    """An installed program.

    Attributes:
        layer: Its folder and hash; ``None`` where the host's own packages are all of it.
        python: The interpreter that it was installed for.
        versions: What it is made of: package → version.
        path: Folders inside that come first in PATH.
    """

    layer: Layer | None
    python: Interpreter | None
    versions: Mapping[str, str]
    path: tuple[str, ...]

    @property
    def binds(self) -> tuple[tuple[Path, str], ...]:
        """What a machine must show for it: (folder of the host, path inside)."""
        shown = [(self.layer.source, self.layer.target)] if self.layer else []
        return (*shown, *(interpreter_binds(self.python.prefix) if self.python else ()))


def apps_folder() -> Path:
    """Where programs and snapshots are kept between runs."""
    return cache_folder() / "apps"


def install_program(recipe: Recipe, say: Say) -> Program:
    """An app's program, from the cache; installed there when it is not.

    Args:
        recipe: The app.
        say: Told what is going on.

    Raises:
        BadInput: The host lacks something; the text says what to do.
        Fault: A registry or a build failed; the text ends with its last line.
    """
    python = _interpreter(recipe)
    versions = _installed(recipe)
    if not _locks(recipe) and not recipe.install.steps:
        return Program(None, None, versions, ())
    found = layer(
        recipe.name,
        PROGRAM,
        _key(recipe, python),
        lambda work: _fill(work, recipe, python, say),
        cache=apps_folder(),
    )
    return Program(found, python, {**versions, **dict(found.contents)}, _path(Path(PROGRAM)))


def program_folder(recipe: Recipe) -> Path | None:
    """Where an app's program is in the cache; ``None`` while it is not installed.

    Raises:
        BadInput: The host lacks what it needs.
    """
    return kept(recipe.name, PROGRAM, _key(recipe, _interpreter(recipe)), apps_folder())


def locked_version(recipe: Recipe) -> str:
    """The app's own version, as its lock file pins it; empty where it is the host's."""
    name, folder = recipe.package, recipe.path
    if (folder / REQUIREMENTS).is_file():
        text = (folder / REQUIREMENTS).read_text("utf-8")
        if found := re.search(rf"^{re.escape(name)}(?:\[.*\])?==(\S+)", text, re.MULTILINE):
            return found[1]
    if (folder / LOCK).is_file():
        held = json.loads((folder / LOCK).read_bytes())["packages"].get(f"node_modules/{name}", {})
        return str(held.get("version", ""))
    return ""


def _locks(recipe: Recipe) -> list[Path]:
    return [path for name in (REQUIREMENTS, PACKAGE, LOCK) if (path := recipe.path / name).is_file()]


def _key(recipe: Recipe, python: Interpreter | None) -> list[str]:
    """All that decides what is installed."""
    key = [recipe.install.model_dump_json(exclude_defaults=True), platform.machine()]
    key += [python.version, str(python.executable)] if python else []
    return [*key, *(path.read_text("utf-8") for path in _locks(recipe))]


def _path(program: Path) -> tuple[str, ...]:
    node = program / "node_modules" / f"node-linux-{_MACHINES.get(platform.machine(), 'x64')}" / "bin"
    return tuple(str(folder) for folder in (program / "bin", node, program / "node_modules" / ".bin"))


def _fill(work: Path, recipe: Recipe, python: Interpreter | None, say: Say) -> dict[str, str]:
    begun = time.monotonic()
    build = _Build(work, recipe, say)
    versions: dict[str, str] = {}
    if python is not None:
        build.pypi(python)
        versions["python"] = python.version
    if (recipe.path / LOCK).is_file():
        versions |= build.npm()
    for step in recipe.install.steps:
        build.run(step, step[0])
    if python is not None:
        versions |= build.frozen()
    say(f"{recipe.name}: installed in {time.monotonic() - begun:.0f} s")
    return versions


class _Build:
    """One installation under way."""

    def __init__(self, work: Path, recipe: Recipe, say: Say) -> None:
        self._work = work
        self._recipe = recipe
        self._say = say
        self._downloads = apps_folder() / "downloads"
        (self._downloads / "tmp").mkdir(parents=True, exist_ok=True)
        passed_on = {
            name: value
            for name, value in os.environ.items()
            if name in _PASSED_ON or name.startswith(_PREFIXES)
        }
        self._environment = {
            **passed_on,
            "PATH": ":".join((*_path(work), PATH)),
            "HOME": str(Path.home()),
            "TMPDIR": str(self._downloads / "tmp"),
            "UV_CACHE_DIR": str(self._downloads / "uv"),
            "UV_NO_PROGRESS": "1",
            "UV_LINK_MODE": "copy",
            "npm_config_cache": str(self._downloads / "npm"),
            "npm_config_update_notifier": "false",
        }

    def pypi(self, python: Interpreter) -> None:
        uv, lock = find_uv_bin(), self._recipe.path / REQUIREMENTS
        self.run((uv, "venv", "--relocatable", "--allow-existing", "--python", str(python.executable), "."))
        wanted = [word for name in self._recipe.install.source for word in ("--no-binary", name)]
        # What builds is in the lock file, too.
        wanted = [*wanted, "--build-constraints", str(lock)] if wanted else ["--only-binary", ":all:"]
        sync = ("pip", "install", "--require-hashes", "--compile-bytecode", "--python", "bin/python")
        self.run((uv, *sync, *wanted, "--requirements", str(lock)), "packages of PyPI")

    def npm(self) -> dict[str, str]:
        if shutil.which("npm", path=PATH) is None:
            raise BadInput(f"{self._recipe.name}: needs npm on this host; install it (apt-get install npm)")
        for name in (PACKAGE, LOCK):
            shutil.copyfile(self._recipe.path / name, self._work / name)
        self.run(("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"), "packages of npm")
        headers = Path(_path(self._work)[1]).parent
        if headers.is_dir():
            self._environment["npm_config_nodedir"] = str(headers)
        for name in self._recipe.install.rebuild:
            self.run(("npm", "rebuild", "--foreground-scripts", name), f"{name}, which is compiled")
        locked = json.loads((self._work / LOCK).read_bytes())["packages"]
        direct = (f"node_modules/{name}" for name in _direct(self._work / PACKAGE))
        return {
            path.removeprefix("node_modules/"): locked[path]["version"] for path in direct if path in locked
        }

    def frozen(self) -> dict[str, str]:
        listed = self.run((find_uv_bin(), "pip", "list", "--format", "json", "--python", "bin/python"))
        return {one["name"]: one["version"] for one in json.loads(listed)}

    def run(self, command: Sequence[str], what: str = "") -> str:
        """Run a command to its end, in the folder."""
        name = self._recipe.name
        if what:
            self._say(f"{name}: installing {what} (once)")
        closed = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
        for folder in (self._work, self._downloads):
            closed += ["--bind", str(folder), str(folder)]
        closed += ["--unshare-pid", "--die-with-parent", "--new-session", "--chdir", str(self._work), "--"]
        begun = time.monotonic()
        # Output goes to files: nobody has to read it while the command is waited for.
        log = (apps_folder() / f"{name}.log").open("w+b")
        with (
            log,
            subprocess.Popen(
                [*closed, *command],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                env=self._environment,
            ) as process,
        ):
            said = b""
            while True:
                try:
                    said, _ = process.communicate(timeout=_BEAT)
                    break
                except subprocess.TimeoutExpired:
                    elapsed = time.monotonic() - begun
                    self._say(f"{name}: still at it after {elapsed:.0f} s")
                    if elapsed > _SECONDS:
                        process.kill()
            log.seek(0)
            told = (log.read() + said).decode("utf-8", "replace").strip().splitlines()
        if process.returncode:
            shown = f"{Path(command[0]).name} {command[1]}"
            raise Fault(f"{name}: {shown} failed: {_trouble(told)[:300]} (all of it: {log.name})")
        return said.decode()


def _trouble(said: Sequence[str]) -> str:
    """The last error of a program's output with what it gives as the cause, else its last line."""
    errors = [number for number, line in enumerate(said) if "error" in line.lower()]
    return " ".join(line.strip() for line in (said[errors[-1] :] if errors else said[-1:]))


def _direct(manifest: Path) -> list[str]:
    held = json.loads(manifest.read_bytes())
    return [*held.get("dependencies", {}), *held.get("optionalDependencies", {})]


def _interpreter(recipe: Recipe) -> Interpreter | None:
    """The first of the wanted versions that this host has; ``None`` for an app that is not of PyPI."""
    if not (recipe.path / REQUIREMENTS).is_file():
        return None
    own = f"{sys.version_info.major}.{sys.version_info.minor}"
    for version in recipe.install.python:
        if version == own:
            executable = python_prefix() / "bin" / f"python{own}"
            return Interpreter(executable, python_prefix(), platform.python_version())
        found = _found(version)
        if found is not None:
            return found
    wanted = " or ".join(recipe.install.python)
    raise BadInput(
        f"app {recipe.name}: needs Python {wanted}; install one of them (pyenv, apt or your system's)"
    )


def _found(version: str) -> Interpreter | None:
    find = [find_uv_bin(), "python", "find", "--no-python-downloads", "--no-project", "--system", version]
    try:
        executable = subprocess.run(find, capture_output=True, text=True, check=True).stdout.strip()
        said = subprocess.run(
            [executable, "-I", "-c", f"{_INTERPRETER}; print(sys.version.split()[0])"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()
    except (OSError, subprocess.CalledProcessError):
        return None
    return Interpreter(Path(said[1]), Path(said[0]), said[2])


def _installed(recipe: Recipe) -> dict[str, str]:
    """Versions of the Debian packages that a recipe wants of the host.

    Raises:
        BadInput: One is missing.
    """
    wanted = recipe.install.packages
    if not wanted:
        return {}
    try:
        form = "${binary:Package}\t${Version}\t${db:Status-Status}\n"
        said = subprocess.run(["dpkg-query", "-W", f"-f={form}", *wanted], capture_output=True, text=True)
    except OSError as error:
        raise BadInput(f"app {recipe.name}: needs Debian's packages; this host has no dpkg") from error
    rows = [line.split("\t") for line in said.stdout.splitlines()]
    found = {name.partition(":")[0]: version for name, version, status in rows if status == "installed"}
    if missing := [name for name in wanted if name not in found]:
        raise BadInput(f"app {recipe.name}: apt-get install {' '.join(missing)}")
    return found
