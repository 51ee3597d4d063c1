"""Requests: what the builder is told at each stage and finds in its workspace then, and not before."""

import re
from pathlib import PurePosixPath
from typing import NamedTuple

from tenure.schema.folder import GrowFolder, PlacedStage
from tenure.schema.grow import Audience
from tenure.workspace import Machine

_FOLDER = "requests"
_FIRST = "This is the first request: the product itself."
_NEXT = "This is the next request for the product in /app."
_TEXT = """\
{opening} Its text is in {path} too{files}. Build it, see to it that what earlier requests asked for still \
works, and finish with a short summary.

{prd}"""


class Request(NamedTuple):
    """One stage's request.

    Attributes:
        text: What the builder is told.
        files: What is put into its workspace, by path.
        variables: The product's constants that requests have named so far, with their values.
    """

    text: str
    files: dict[str, bytes]
    variables: dict[str, str]


def request_of(folder: GrowFolder, placed: PlacedStage, home: str) -> Request:
    """A stage's request, without the canary.

    Args:
        folder: The product.
        placed: The stage.
        home: The builder's home folder, where requests lie: they are no part of the product.
    """
    canary, place = folder.task.canary, PurePosixPath(home, _FOLDER, placed.path.name)
    prd = without(placed.prd, canary)
    files = {str(place / "prd.md"): prd.encode()}
    for asset in placed.stage.assets:
        if Audience.BUILDER in asset.audience:
            data = (folder.assets / asset.file).read_bytes()
            marked = canary.encode() in data
            files[str(place / asset.file)] = without(data.decode(), canary).encode() if marked else data
    beside = [str(PurePosixPath(path).relative_to(place)) for path in files][1:]
    text = _TEXT.format(
        opening=_FIRST if placed.number == 1 else _NEXT,
        path=place / "prd.md",
        files=f", and beside it {', '.join(beside)}" if beside else "",
        prd=prd,
    )
    return Request(text, files, _variables(folder, placed.number))


def without(text: str, canary: str) -> str:
    """A text without the lines that hold the canary, and without the blank ones that they leave on top."""
    return "".join(line for line in text.splitlines(keepends=True) if canary not in line).lstrip("\n")


def _variables(folder: GrowFolder, number: int) -> dict[str, str]:
    """Constants by the stage whose PRD names them: before it they would tell what is to come."""
    said = "\n".join(placed.prd for placed in folder.stages[:number])
    constants = folder.task.environment.items()
    return {name: value for name, value in constants if re.search(rf"\b{re.escape(name)}\b", said)}


async def hand_in(request: Request, machine: Machine) -> None:
    """Put a request's files into the workspace."""
    for path, data in request.files.items():
        await machine.write(path, data)
