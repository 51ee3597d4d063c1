"""Docker's engine as apps in containers need it: its client, and labels by which all that is ours is found.

Every container, network and volume says whose it is and what it is part of, those of compose files too.
So what an opening made goes by one rule, and what a killed harness left goes when the next one begins.
"""

import json
import os
import shutil
import sys
from typing import Any

from tenure.apps.containers import LARGEST, SECONDS
from tenure.schema.errors import BadInput, Fault
from tenure.workspace.commands import execute
from tenure.workspace.machine import Finished
from tenure.workspace.owner import gone, owner

OWNER = "tenure.owner"
"""Label with the process that something was made for."""
_PART = "tenure.part"
"""Label with the app of one opening, or its network, that something belongs to."""
_KINDS = {
    "container": (("ps", "-a", "--no-trunc"), "ID", ("rm", "-f", "-v")),
    "network": (("network", "ls", "--no-trunc"), "ID", ("network", "rm")),
    "volume": (("volume", "ls"), "Name", ("volume", "rm", "-f")),
}
"""What there is → how it is listed, what names it there, how it is removed. Users go before what they use."""
_PASSED_ON = ("PATH", "HOME", "DOCKER_HOST", "DOCKER_CONFIG", "DOCKER_CONTEXT", "DOCKER_CERT_PATH")


async def docker(*words: str, input: bytes | None = None, timeout: float = SECONDS) -> Finished:
    """Run the engine's client to its end.

    Raises:
        BadInput: There is no client.
    """
    if shutil.which("docker") is None:
        raise BadInput("released apps need Docker; install it, or run tasks of native apps")
    known = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    return await execute(
        ["docker", *words], input=input, timeout=timeout, limit=LARGEST, env=known, left=set()
    )


async def must(*words: str, input: bytes | None = None, trouble: str = "", timeout: float = SECONDS) -> str:
    """What the engine's client prints.

    Args:
        words: The command.
        input: What it reads.
        trouble: What it means that it fails.
        timeout: Seconds that it may take.

    Raises:
        BadInput: There is no client.
        Fault: It fails.
    """
    done = await docker(*words, input=input, timeout=timeout)
    if done.returncode:
        said = f"took more than {timeout:g} s" if done.timed_out else _last(done)
        raise Fault(f"{trouble or f'docker {words[0]}'}: {said}")
    return done.stdout.decode().strip()


def labels(part: str) -> list[str]:
    """The client's words that label what it makes as a part of ours."""
    return [word for name, value in _labels(part).items() for word in ("--label", f"{name}={value}")]


def labelled(model: str, part: str) -> str:
    """A compose file with labels on all that it makes.

    Args:
        model: The file, as the client's ``config`` prints it in JSON.
        part: What it makes is a part of.
    """
    held: dict[str, Any] = json.loads(model)
    for kind in ("services", "networks", "volumes"):
        for name, one in (held.get(kind) or {}).items():
            if not (one or {}).get("external"):
                held[kind][name] = {
                    **(one or {}),
                    "labels": {**(one or {}).get("labels", {}), **_labels(part)},
                }
    return json.dumps(held)


async def remove(part: str) -> None:
    """Remove all that is labelled as a part.

    Raises:
        Fault: Something cannot be removed, or the engine does not answer.
    """
    await _remove(f"{_PART}={part}")


async def sweep() -> None:
    """Remove what harness processes that are gone left behind; what cannot be removed is said.

    Raises:
        Fault: The engine does not answer.
    """
    owners: set[str] = set()
    for listing, _, _ in _KINDS.values():
        form = f'{{{{.Label "{OWNER}"}}}}'
        owners |= set((await must(*listing, "--filter", f"label={OWNER}", "--format", form)).split())
    for one in sorted(filter(gone, owners)):
        try:
            await _remove(f"{OWNER}={one}")
        except Fault as error:
            note(error)


def note(error: BaseException) -> None:
    """Say that something was left on the engine: it is no part of any attempt, and nobody's fault."""
    print(f"note: left behind: {error}", file=sys.stderr)


async def _remove(label: str) -> None:
    for kind, (listing, named, removing) in _KINDS.items():
        asked = (*listing, "--filter", f"label={label}", "--format", f"{{{{.{named}}}}}")
        if not (names := (await must(*asked)).split()):
            continue
        done = await docker(*removing, *names)
        # What another one removed meanwhile is an error to the client alone.
        if done.returncode and (left := (await must(*asked)).split()):
            raise Fault(f"{kind} {', '.join(left)} cannot be removed: {_last(done)}")


def _labels(part: str) -> dict[str, str]:
    return {OWNER: owner(), _PART: part}


def _last(done: Finished) -> str:
    return "".join(done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:])[:300]
