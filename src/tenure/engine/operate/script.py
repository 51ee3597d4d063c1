"""Scripts that play a model in a browser: the oracle, its mutants and vandals, the idle agent."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

from inspect_ai.model import ChatMessageTool

from tenure.engine.puppet import Part, playing, script_of
from tenure.oracle import Look, Performance, Sight, idle
from tenure.oracle.operate import OperateHands, saying_so
from tenure.schema.folder import OperateFolder
from tenure.world import Response

LAST = "done"
"""The action that every agent of operate is offered."""


@contextmanager
def performing(
    folder: OperateFolder, name: str, instruction: str, see: Callable[[Look], Awaitable[Sight]]
) -> Iterator[None]:
    """Give the stand-in that plays in this attempt its script.

    Args:
        folder: The task.
        name: The model name after ``tenure/``.
        instruction: The request.
        see: Answers what the script looks for.

    Raises:
        BadInput: The name is not one that the task can play.
    """
    solve, _, changes = script_of(folder, name)
    hands = OperateHands(instruction, changes)
    performance = Performance(solve if solve is idle else saying_so(solve), hands)
    with playing(Part(performance, see, _hear, takes=lambda tools: LAST in tools), folder.task.id):
        yield


def _hear(message: ChatMessageTool) -> Response:
    return Response(0, message.error.message) if message.error else Response(200, message.text)
