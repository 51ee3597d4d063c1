"""A client of Docker's that keeps in a file what it is told to make: records of an engine without one."""

import fcntl
import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

SCRIPT = '#!/bin/sh\nexec {python} -S {program} {state} "$@"\n'
KINDS = {"ps": "container", "network": "network", "volume": "volume"}


class Engine:
    """The engine of a test.

    Attributes:
        state: The file that holds what there is.
    """

    def __init__(self, folder: Path) -> None:
        """Put the client into ``folder/bin``."""
        self.state = folder / "engine.json"
        self._write({"there": [], "stuck": [], "slow": 0.0, "commands": 0})
        client = folder / "bin" / "docker"
        client.parent.mkdir()
        client.write_text(SCRIPT.format(python=sys.executable, program=__file__, state=self.state))
        client.chmod(0o755)
        self.path = str(client.parent)

    def there(self, kind: str = "") -> list[str]:
        """The names of what there is."""
        return [one["name"] for one in self._read()["there"] if kind in ("", one["kind"])]

    def commands(self) -> int:
        """How many commands have begun."""
        count: int = self._read()["commands"]
        return count

    def labels(self) -> list[dict[str, str]]:
        """The labels of all that there is."""
        return [one["labels"] for one in self._read()["there"]]

    def put(self, kind: str, name: str, **labels: str) -> None:
        """Have something on the engine; labels with ``_`` for a dot."""
        told = {label.replace("_", "."): value for label, value in labels.items()}
        held = self._read()
        held["there"].append({"kind": kind, "name": name, "labels": told})
        self._write(held)

    def set(self, **given: Any) -> None:
        """Let names be ``stuck``, so that they cannot be removed, or commands be ``slow``, in seconds."""
        self._write(self._read() | given)

    def _read(self) -> dict[str, Any]:
        held: dict[str, Any] = json.loads(self.state.read_text("utf-8"))
        return held

    def _write(self, held: dict[str, Any]) -> None:
        self.state.write_text(json.dumps(held), "utf-8")


def _labels(words: list[str]) -> dict[str, str]:
    told = [word for before, word in pairwise(words) if before == "--label"]
    return dict(one.split("=", 1) for one in told)


def _listed(there: list[dict[str, Any]], kind: str, words: list[str]) -> list[str]:
    label, _, value = words[words.index("--filter") + 1].removeprefix("label=").partition("=")
    found = [one for one in there if one["kind"] == kind and label in one["labels"]]
    found = [one for one in found if value in ("", one["labels"][label])]
    form = words[words.index("--format") + 1].replace("{{.Name}}", "{{.ID}}")
    asked = f'{{{{.Label "{label}"}}}}'
    return [form.replace("{{.ID}}", one["name"]).replace(asked, one["labels"][label]) for one in found]


def _compose(there: list[dict[str, Any]], words: list[str]) -> None:
    project, model = words[words.index("-p") + 1], json.load(sys.stdin)
    if "config" in words:
        print(json.dumps({**model, "networks": {"default": {"name": f"{project}_default"}}}))
        return
    for part, kind in (("networks", "network"), ("volumes", "volume"), ("services", "container")):
        for name, one in model[part].items():
            called = one.get("container_name") or one.get("name") or f"{project}_{name}"
            there.append({"kind": kind, "name": called, "labels": one.get("labels", {})})


@contextmanager
def _held(state: Path) -> Iterator[dict[str, Any]]:
    """What there is, for one command alone to change."""
    with state.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        held = json.loads(state.read_text("utf-8"))
        yield held
        half = state.with_suffix(".half")
        half.write_text(json.dumps(held), "utf-8")
        half.rename(state)


def _main(state: Path, words: list[str]) -> int:
    with _held(state) as held:
        held["commands"] += 1
    time.sleep(held["slow"])
    with _held(state) as held:
        there, failed = held["there"], 0
        match words:
            case ["ps", *_] | ["network" | "volume", "ls", *_]:
                print("\n".join(_listed(there, KINDS[words[0]], words)))
            case ["run", *_]:
                name = words[words.index("--name") + 1]
                there.append({"kind": "container", "name": name, "labels": _labels(words)})
            case ["network", "create", *_]:
                there.append({"kind": "network", "name": words[-1], "labels": _labels(words)})
            case ["compose", *_]:
                _compose(there, words)
            case ["rm", *_] | ["network" | "volume", "rm", *_]:
                gone = set(words) - set(held["stuck"])
                held["there"] = [one for one in there if one["name"] not in gone]
                if failed := int(bool(set(words) & set(held["stuck"]))):
                    print("Error response from daemon: it is in use", file=sys.stderr)
            case ["inspect", "--format", form, name]:
                print("127.0.0.1" if "IPAddress" in form else f"{name} sha256:0")
    return failed


if __name__ == "__main__":
    sys.exit(_main(Path(sys.argv[1]), sys.argv[2:]))
