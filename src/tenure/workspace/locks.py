"""Lock files of code that nobody here wrote: made harmless before pip and npm read them outside a machine.

Only exact versions from a registry are taken over. Anything else (addresses, paths, options, scripts,
open versions) could lead pip or npm to run or read something on the host; a lock file that holds such
a line locks nothing, and what it names is not to be had in a machine without a network.
"""

import json
import re
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from packaging.requirements import InvalidRequirement, Requirement

from tenure.workspace.gateway import registries
from tenure.workspace.machine import MEBI, Machine
from tenure.workspace.stock import NPM_LOCK

PIP_LOCK, MANIFEST = "requirements.txt", "package.json"
_LARGEST = 16 * MEBI
_SECONDS = 60.0
_LIST = (
    "find . -maxdepth 4 \\( -name node_modules -o -name .venv -o -name venv -o -name .git \\) -prune "
    f"-o -type f \\( -name {PIP_LOCK} -o -name {NPM_LOCK} \\) -print0"
)
_HASH = re.compile(r"\s+--hash[= ]\S+")
_NPM_REGISTRY = "registry.npmjs.org"
_NEEDS = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")
_RANGE = re.compile(r"[\w.*+~^<>=|, -]+")
"""What a version may be asked for as; an address, a path or another name has a ``:`` or ``/``."""


async def locked(machine: Machine) -> dict[str, bytes]:
    """The lock files below /app that can be used: at most one for pip and one for npm, by file name.

    Of several the one that lies highest is taken. npm's comes with its ``package.json``.
    """
    done = await machine.run(["sh", "-c", _LIST], timeout=_SECONDS)
    paths = sorted(
        (PurePosixPath(path) for path in done.stdout.decode("utf-8", "surrogateescape").split("\0") if path),
        key=lambda path: (len(path.parts), str(path)),
    )
    taken: dict[str, bytes] = {}
    for path in paths:
        if path.name in taken:
            continue
        try:
            text = (await machine.read(str(path), limit=_LARGEST)).decode("utf-8")
            if path.name == PIP_LOCK:
                taken |= pip_lock(text)
            else:
                manifest = await machine.read(str(path.with_name(MANIFEST)), limit=_LARGEST)
                taken |= npm_lock(text, manifest.decode("utf-8"))
        except (OSError, ValueError):
            continue
    return taken


def pip_lock(text: str) -> dict[str, bytes]:
    """Requirements that name exact versions, each on a line of its own; nothing where one does not."""
    lines = []
    for line in text.replace("\\\n", " ").splitlines():
        line = _HASH.sub("", re.sub(r"(^|\s)#.*", "", line)).strip()
        if not line:
            continue
        try:
            wanted = Requirement(line)
        except InvalidRequirement:
            return {}
        versions = list(wanted.specifier)
        if wanted.url or len(versions) != 1 or versions[0].operator != "==" or "*" in versions[0].version:
            return {}
        lines.append(str(wanted))
    return {PIP_LOCK: "".join(f"{line}\n" for line in sorted(lines)).encode()} if lines else {}


def npm_lock(text: str, manifest: str) -> dict[str, bytes]:
    """A lock file and its manifest, with what npm needs to fetch packages; nothing where one is no package.

    Raises:
        ValueError: One is no JSON.
    """
    lock, wanted = json.loads(text), json.loads(manifest)
    if not isinstance(lock, dict) or not isinstance(wanted, dict):
        return {}
    packages = lock.get("packages")
    if not isinstance(packages, dict) or lock.get("lockfileVersion") not in (2, 3):
        return {}
    needs = {name: wanted[name] for name in _NEEDS if name in wanted}
    if not _ranges(needs.values()) or not all(_fetched(n, one) for n, one in packages.items() if n):
        return {}
    own = {"name": "product", "version": "1.0.0", **needs}
    made = {**own, "lockfileVersion": 3, "requires": True, "packages": {**packages, "": own}}
    return {NPM_LOCK: json.dumps(made).encode(), MANIFEST: json.dumps(own).encode()}


def _ranges(groups: Iterable[Any]) -> bool:
    """Whether every package is asked for by a version of its own name."""
    return all(
        isinstance(group, dict)
        and all(isinstance(value, str) and _RANGE.fullmatch(value or "*") for value in group.values())
        for group in groups
    )


def _fetched(name: str, package: Any) -> bool:
    """Whether a package is one that a registry has, vouched for by its hash."""
    if (
        not name.startswith("node_modules/")
        or ".." in name
        or not isinstance(package, dict)
        or package.get("link")
    ):
        return False
    if package.get("inBundle") and "resolved" not in package:  # It comes with the package around it.
        return True
    address = urlsplit(str(package.get("resolved", "")))
    hosts = {_NPM_REGISTRY, *registries().hosts}
    return (
        address.scheme in ("https", "http")
        and address.hostname in hosts
        and isinstance(package.get("integrity"), str)
        and _ranges([package.get(group, {}) for group in _NEEDS])
    )
