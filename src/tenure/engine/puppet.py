"""The model provider ``tenure``: scripts that play a model through the real loop.

``tenure/oracle``, ``tenure/idle``, ``tenure/vandal``, and with options after a colon:
``tenure/oracle:skip=<step>``, ``tenure/oracle:prefer=mcp``, ``tenure/oracle:mutant=<name>``,
``tenure/vandal:<name>``.
"""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple, Protocol

from inspect_ai.model import (
    ChatMessage,
    ChatMessageTool,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from tenure.oracle import (
    Action,
    Changes,
    Hands,
    Look,
    Performance,
    ScriptError,
    Sight,
    Solve,
    idle,
    load_mutants,
    load_solve,
)
from tenure.oracle.acts import STUCK
from tenure.oracle.eyes import COMPUTER
from tenure.oracle.hands import Steps
from tenure.schema import BadInput
from tenure.schema.folder import OperateFolder, TaskFolder
from tenure.world import Response


async def _blind(look: Look) -> Sight:
    raise LookupError("this attempt has no screen")


def _hear(message: ChatMessageTool) -> Response:
    if message.error is not None:
        return Response(0, message.error.message)
    return Response(200, "") if message.function == COMPUTER else Response.parse(message.text)


class Script(Protocol):
    """A script as its player sees it: a ``Performance``, or one that runs beside the loop."""

    @property
    def hands(self) -> Steps:
        """What it works with."""
        ...

    async def next(self, response: Response | None, see: Callable[[Look], Awaitable[Sight]]) -> Action | None:
        """See ``Performance.next``."""
        ...

    def close(self) -> None:
        """End it where it stands."""
        ...


class Part(NamedTuple):
    """A script that plays in an attempt.

    Attributes:
        performance: The script.
        see: Answers its looks.
        hear: Reads a tool's result.
        speak: Says an act with the tools that are offered; an act that they cannot do raises ``ScriptError``.
        takes: Whether a request with these tools is the script's; others get a word and change nothing.
    """

    performance: Script
    see: Callable[[Look], Awaitable[Sight]] = _blind
    hear: Callable[[ChatMessageTool], Response] = _hear
    speak: Callable[[Action, Sequence[str]], Action] = lambda action, tools: action
    takes: Callable[[Sequence[str]], bool] = lambda tools: True


_current: ContextVar[Part] = ContextVar("tenure_performance")
_SCRIPTS = ("oracle", "idle", "vandal")


def script_of(
    folder: TaskFolder | OperateFolder, name: str, prefer: str = "rest"
) -> tuple[Solve, str, Changes]:
    """What a stand-in's name asks for: the script, what it prefers, and how it is made wrong.

    Args:
        folder: The task.
        name: The model name after ``tenure/``.
        prefer: What it prefers where the name does not say.

    Raises:
        BadInput: The name is not one that the task can play.
    """
    script, _, options = name.partition(":")
    given = dict(part.partition("=")[::2] for part in options.split(",") if part)
    if script == "idle":
        return idle, prefer, Changes()
    if script == "vandal":
        wanted = options.partition(",")[0]
        vandals = load_mutants(folder)[1]
        vandal = next((v for v in vandals if not wanted or v.name == wanted), None)
        if vandal is None:
            names = ", ".join(repr(v.name) for v in vandals)
            raise BadInput(f"{folder.task.id} has no vandal {wanted!r}; vandals: {names}")
        return vandal.after(load_solve(folder)), prefer, Changes()
    if script != "oracle":
        raise BadInput(f"there is no stand-in tenure/{script}; stand-ins: {', '.join(_SCRIPTS)}")
    changes = Changes(skip=frozenset([given["skip"]] if "skip" in given else []))
    if "mutant" in given:
        mutant = next((m for m in load_mutants(folder)[0] if m.name == given["mutant"]), None)
        if mutant is None:
            raise BadInput(f"{folder.task.id} has no mutant {given['mutant']!r}")
        changes = mutant.changes
    return load_solve(folder), given.get("prefer", prefer), changes


@contextmanager
def performing(
    folder: TaskFolder, model: str, instruction: str, see: Callable[[Look], Awaitable[Sight]], prefer: str
) -> Iterator[Performance]:
    """Give the stand-in that plays in this attempt its script.

    Args:
        folder: The task.
        model: The model name after ``tenure/``.
        instruction: The request.
        see: Answers what the script looks for on a screen.
        prefer: ``rest``, or ``screen`` in a screen attempt.
    """
    solve, prefer, changes = script_of(folder, model, prefer)
    performance = Performance(solve, Hands(instruction, prefer=prefer, changes=changes))
    with playing(Part(performance, see), folder.task.id):
        yield performance


@contextmanager
def playing(part: Part, task: str) -> Iterator[None]:
    """Let a script play whatever ``tenure/…`` model is asked in here.

    Args:
        part: The script.
        task: The task's id, for messages.

    Raises:
        BadInput: A step that is to be changed is none of the script's.
    """
    token, hands = _current.set(part), part.performance.hands
    try:
        yield
        unknown = hands.changes.steps - set(hands.done)
        if unknown and hands.done:
            raise BadInput(f"{task}'s oracle has no step {', '.join(sorted(unknown))}")
    finally:
        part.performance.close()
        _current.reset(token)


class Puppet(ModelAPI):
    """Answers each turn with the script's next action as a tool call. Counts tokens offline."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)

    async def count_text_tokens(self, text: str) -> int:
        """About four characters a token; no tokenizer is fetched."""
        return max(1, len(text) // 4)

    def tool_result_images(self) -> bool:
        """Screenshots stay in the tools' results."""
        return True

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        """The next action, or a last word."""
        part = _current.get(None)
        if part is None:
            raise BadInput("tenure/… models play Tenure's own tasks only")
        offered = [tool.name for tool in tools]
        if not part.takes(offered):
            return self._words("Yes.")
        # Command lines of others add words of their own after a tool's result.
        last = next((m for m in reversed(input) if m.role in ("tool", "assistant")), None)
        response = part.hear(last) if isinstance(last, ChatMessageTool) else None
        try:
            action = await part.performance.next(response, part.see)
            if action is not None:
                action = part.speak(action, offered)
        except ScriptError as error:
            return self._words(f"{STUCK}: {error}")
        if action is None:
            return self._words("Done.")
        output = ModelOutput.for_tool_call(f"tenure/{self.model_name}", action.tool, action.arguments)
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    def _words(self, text: str) -> ModelOutput:
        output = ModelOutput.from_content(f"tenure/{self.model_name}", text)
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output
