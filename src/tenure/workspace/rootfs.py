"""A machine's file system: a listed set of folders, and nothing else.

``pinned`` shows copies: the files of listed packages that the host has installed, and of all that
they depend on, hashed. ``host`` shows the host's own /usr, which may change between two runs: for
development, and so that a host without dpkg can run at all.
"""

import fnmatch
import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from tenure.schema import BadInput
from tenure.workspace.base import PATH
from tenure.workspace.layers import Layer, copy_file, copy_tree, layer
from tenure.workspace.machine import MachineSpec, Root
from tenure.workspace.packages import PACKAGES as BESIDE
from tenure.workspace.packages import packages_layer, python_layer, python_prefix
from tenure.workspace.stock import stock_environment, stock_layers

_PACKAGE = Path(__file__).resolve().parent.parent

PACKAGES = (
    *(
        "base-files",
        "bash",
        "bzip2",
        "ca-certificates",
        "coreutils",
        "curl",
        "dash",
        "debianutils",
        "diffutils",
    ),
    *("file", "findutils", "g++", "gawk", "gcc", "git", "grep", "gzip", "hostname", "iproute2", "jq", "less"),
    *("libc-bin", "libc6-dev", "libffi-dev", "libpq-dev", "libssl-dev", "lsof", "make", "mawk", "nano"),
    *(
        "netcat-openbsd",
        "nodejs",
        "npm",
        "openssl",
        "passwd",
        "patch",
        "perl",
        "pkg-config",
        "postgresql-client",
    ),
    *("postgresql-client-[0-9]*", "procps", "psmisc", "python3", "python3-venv", "ripgrep", "rsync", "sed"),
    *(
        "sqlite3",
        "tar",
        "tmux",
        "tzdata",
        "unzip",
        "util-linux",
        "vim-tiny",
        "wget",
        "which",
        "xz-utils",
        "zip",
    ),
)
"""What a pinned machine has of the host's packages, as far as they are installed (patterns allowed)."""
LEAST = ("base-files", "bash", "coreutils", "dash", "libc-bin", "procps", "util-linux")
"""What every pinned machine has: its commands are entered with these."""
_LEFT_OUT = (
    "share/doc",
    "share/man",
    "share/locale",
    "share/info",
    "share/lintian",
    "share/bug",
    "share/doc-base",
)
_DRIVERS = "dri"
"""Folders of drivers for graphics cards, which no machine has: one large file under many names."""
_TREES = ("lib/node_modules/npm", "lib/node_modules/corepack")
"""Folders of /usr that a program of the host may have renewed past its package."""
_ETC_FILES = (
    *("bash.bashrc", "debian_version", "gai.conf", "host.conf", "inputrc", "ld.so.cache", "ld.so.conf"),
    *("login.defs", "magic", "mime.types", "os-release", "profile", "protocols", "services", "shells"),
    *("ssl/certs/ca-certificates.crt", "ssl/openssl.cnf"),
)
_ETC_TREES = ("alternatives", "ld.so.conf.d", "perl", "postgresql-common", "python3*")
_ETC_OWN = {
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\nservices: files\nprotocols: files\n",
    "resolv.conf": "",
    "timezone": "Etc/UTC\n",
    "passwd": "",
    "group": "",
    "hosts": "",
    "hostname": "workspace\n",
}
_WORDS = re.compile(r"[ (:\[]")


def layers_of(spec: MachineSpec) -> tuple[Root, list[Layer]]:
    """The folders that a machine shows, outermost first, and the mode they are of.

    Raises:
        BadInput: A package is not installed, or a folder would show Tenure itself.
        Fault: A folder cannot be copied.
    """
    root = spec.root or ("pinned" if shutil.which("dpkg-query") else "host")
    names = (*LEAST, *spec.system) if spec.system else PACKAGES
    found = [_usr_layer(names) if root == "pinned" else _host_usr(), _etc_layer()]
    if root == "host" and Path("/usr/local").is_dir():
        # What was installed by hand is no part of the system, and may hold Tenure itself.
        found.append(layer("local", "/usr/local", (), lambda folder: {}))
    if python := python_layer():
        found.append(python)
    if spec.packages:
        found.append(packages_layer(spec.packages))
    found += stock_layers(spec.locks)
    for source, target in spec.binds:
        _refuse_own(source)
        found.append(Layer("bind", source.resolve(), target, "unpinned"))
    return root, found


def image_of(root: Root, layers: Sequence[Layer]) -> str:
    """One name for all that a machine shows: the mode and a hash."""
    joined = "\n".join(f"{layer.target} {layer.hash}" for layer in layers)
    return f"{root}:{hashlib.sha256(joined.encode()).hexdigest()[:16]}"


def variables_of(spec: MachineSpec, layers: Sequence[Layer]) -> dict[str, str]:
    """The variables that a machine's layers need in every command."""
    prefix = python_prefix()
    python = () if prefix in (Path("/usr"), Path("/usr/local")) else (f"{prefix}/bin",)
    variables = {"PATH": ":".join((*spec.path, *python, PATH))}
    if spec.packages:
        variables["PYTHONPATH"] = BESIDE
    if spec.locks:
        variables |= stock_environment(layers, "HTTPS_PROXY" in spec.environment)
    return variables


def _refuse_own(source: Path) -> None:
    """Nothing that a machine shows may hold Tenure, its interpreter's packages or a catalog."""
    source = source.resolve()
    package = _PACKAGE
    own = [package, Path(sys.prefix).resolve()] if sys.prefix != sys.base_prefix else [package]
    for folder in own:
        if folder.is_relative_to(source) or source.is_relative_to(folder):
            raise BadInput(f"{source}: a machine must not show Tenure's own files; choose another folder")


def _host_usr() -> Layer:
    if _PACKAGE.is_relative_to("/usr/local"):
        return Layer("usr", Path("/usr"), "/usr", "unpinned")
    _refuse_own(Path("/usr"))
    return Layer("usr", Path("/usr"), "/usr", "unpinned")


@cache
def _usr_layer(names: tuple[str, ...]) -> Layer:
    chosen = _closure(names)
    key = [f"{name}={version}" for name, version in sorted(chosen.items())]
    trees = _TREES if names == PACKAGES else ()
    return layer("usr", "/usr", key, lambda folder: _copy_usr(folder, chosen, trees))


def _closure(names: Iterable[str]) -> dict[str, str]:
    """Name and version of the named packages and of all that they depend on."""
    fields = (
        "binary:Package",
        "Package",
        "Version",
        "Provides",
        "Pre-Depends",
        "Depends",
        "db:Status-Status",
    )
    form = "\t".join(f"${{{field}}}" for field in fields) + "\n"
    said = subprocess.run(
        ["dpkg-query", "-W", f"-f={form}"], capture_output=True, text=True, check=True
    ).stdout
    installed: dict[str, tuple[str, str, str]] = {}
    provided: dict[str, str] = {}
    for line in said.splitlines():
        binary, name, version, provides, earlier, needs, status = line.split("\t")
        if status == "installed":
            installed.setdefault(name, (binary, version, f"{earlier},{needs}"))
            for virtual in filter(None, provides.split(",")):
                provided.setdefault(_WORDS.split(virtual.strip())[0], name)
    todo = [name for pattern in names for name in fnmatch.filter(installed, pattern)]
    chosen: dict[str, str] = {}
    while todo:
        name = todo.pop()
        binary, version, needs = installed[name]
        if binary in chosen:
            continue
        chosen[binary] = version
        for choice in re.split(r"[,|]", needs):
            wanted = _WORDS.split(choice.strip())[0]
            wanted = wanted if wanted in installed else provided.get(wanted, "")
            if wanted:
                todo.append(wanted)
    return chosen


def _copy_usr(folder: Path, chosen: dict[str, str], trees: Iterable[str]) -> dict[str, str]:
    listed = subprocess.run(
        ["dpkg-query", "-L", *sorted(chosen)], capture_output=True, text=True, check=True
    ).stdout
    usr = Path("/usr")
    real = cache(lambda parent: Path(os.path.realpath(parent)))
    for line in listed.splitlines():
        given = Path(line)
        path = real(given.parent) / given.name
        if not line.startswith("/") or not path.is_relative_to(usr):
            continue
        inside = path.relative_to(usr)
        if str(inside).startswith(_LEFT_OUT) or _DRIVERS in inside.parts:
            continue
        if path.is_symlink() or path.is_file():
            copy_file(path, folder / inside)
    for tree in trees:
        copy_tree(usr / tree, folder / tree)
    # Links that the alternatives system made belong to no package.
    for link in (*usr.glob("bin/*"), *usr.glob("sbin/*")):
        if link.is_symlink() and str(link.readlink()).startswith("/etc/alternatives/"):
            end = Path(os.path.realpath(link))
            if end.is_relative_to(usr) and (folder / end.relative_to(usr)).exists():
                copy_file(link, folder / link.relative_to(usr))
    for empty in ("local/bin", "local/lib", "local/share", "lib64"):
        (folder / empty).mkdir(parents=True, exist_ok=True)
    return chosen


@cache
def _etc_layer() -> Layer:
    etc = Path("/etc")
    trees = [tree for pattern in _ETC_TREES for tree in sorted(etc.glob(pattern)) if tree.is_dir()]
    sources = [etc / name for name in _ETC_FILES if (etc / name).is_file()]
    state = [f"{path} {path.stat().st_mtime_ns} {path.stat().st_size}" for path in (*sources, *trees)]

    def fill(folder: Path) -> dict[str, str]:
        for source in sources:
            copy_file(Path(os.path.realpath(source)), folder / source.relative_to(etc))
        for tree in trees:
            copy_tree(tree, folder / tree.relative_to(etc))
        for name, text in _ETC_OWN.items():
            (folder / name).write_text(text)
        (folder / "localtime").symlink_to("/usr/share/zoneinfo/Etc/UTC")
        (folder / "ssl/certs").mkdir(parents=True, exist_ok=True)
        return {}

    return layer("etc", "/etc", [*state, repr(_ETC_OWN)], fill)
