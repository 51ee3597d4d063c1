"""A grow product's reference after a stage: the stages' overlays, one over the other."""

import io
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from tenure.oracle.build import Edit
from tenure.schema import BadInput
from tenure.schema.folder import GrowFolder
from tenure.workspace.archive import entries_of, write

PROGRAM = ".sh"
"""How the names of files end that are executable."""
_DEEP = 20
"""Folders above a file, at most."""


def overlay(folder: GrowFolder, stage: int) -> dict[str, bytes]:
    """What a stage adds or changes, by path below /app.

    Raises:
        BadInput: There is no such stage, or the reference does not build it.
    """
    place = folder.reference / folder.stages[stage - 1].path.name
    if not place.is_dir():
        raise BadInput(f"{place}: the reference has no such stage")
    return {
        path.relative_to(place).as_posix(): path.read_bytes()
        for path in sorted(place.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def reference_at(folder: GrowFolder, stage: int, edits: Sequence[Edit] = ()) -> dict[str, bytes]:
    """What is below /app after a stage, by path.

    Args:
        folder: The product.
        stage: Its number; 1 is the first.
        edits: A patch.

    Raises:
        BadInput: The reference does not build a stage, or a patch does not fit.
    """
    files: dict[str, bytes] = {}
    for number in range(1, stage + 1):
        files |= overlay(folder, number)
    for path, old, new in edits:
        text = files.get(path, b"").decode("utf-8")
        if text.count(old) != 1:
            holds = f"holds {old[:60]!r} {text.count(old)} times, not once"
            raise BadInput(f"{folder.path}/reference: {path} at stage {stage} {holds}")
        files[path] = text.replace(old, new).encode()
    return files


def packed(files: Mapping[str, bytes]) -> bytes:
    """A snapshot of files: the bytes that a workspace gives that holds these and no others."""
    file = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            path.chmod(0o755 if name.endswith(PROGRAM) else 0o644)
        write(entries_of(folder, (), len(files) * _DEEP, sum(map(len, files.values()))), file)
    return file.getvalue()
