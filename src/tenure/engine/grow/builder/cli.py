"""A coding command line as the builder: one session over all stages, its model behind the bridge."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from inspect_ai.model import ChatMessage, ChatMessageTool, ChatMessageUser, Model

from tenure.engine.build.cli import behind_bridge, put_files, to_files
from tenure.engine.build.lines import INSIDE, LINES, presented
from tenure.engine.build.meter import Meter
from tenure.engine.build.settings import Agent, flags_of
from tenure.engine.grow.builder.stage import Stage
from tenure.workspace import Finished, Machine
from tenure.workspace.machine import APP, HOME


class _Session(NamedTuple):
    """How a command line keeps a conversation over several calls; its files are in the home folder.

    Attributes:
        words: From the model's name, the system prompt, the request, and whether the session goes on.
        files: Path → text, written before each call, from the system prompt.
    """

    words: Callable[[str, str, str, bool], list[str]]
    files: Callable[[str], dict[str, str]] = lambda system: {}


def _claude(model: str, system: str, request: str, goes_on: bool) -> list[str]:
    session = ["--continue"] if goes_on else []
    about = ["--model", model, "--add-dir", APP, "--append-system-prompt", system]
    return [*flags_of(Agent.CLAUDE_CODE, web=False), *about, *session, "--", request]


def _codex(model: str, system: str, request: str, goes_on: bool) -> list[str]:
    command, *flags = flags_of(Agent.CODEX, web=False)
    session = ["resume", "--last", *flags] if goes_on else [*flags, "-C", APP]
    return [command, *session, "--", request]


_SESSIONS = {
    Agent.CLAUDE_CODE: _Session(_claude),
    Agent.CODEX: _Session(_codex, lambda system: {f"{HOME}/.codex/AGENTS.md": system}),
}


class CommandLine:
    """See ``Builder``. The command line keeps its conversation, and summarises it, by itself."""

    view: Sequence[ChatMessage] = ()
    summaries = 0
    about: Mapping[str, str] = MappingProxyType({})

    def __init__(
        self,
        agent: Agent,
        model: Model,
        machine: Machine,
        system: str,
        record: Path,
        said: Sequence[ChatMessage],
    ) -> None:
        """Begin, or go on.

        Args:
            agent: Which command line.
            model: Answers it.
            machine: Where it works.
            system: The system prompt, added to its own.
            record: Its events are kept in this folder.
            said: What was said in earlier stages; nothing at the beginning.
        """
        self._agent, self._model, self._machine, self._record = agent, model, machine, record
        self._line, self._session, self._system = LINES[agent], _SESSIONS[agent], system
        self._name = presented(str(model))
        self._goes_on = bool(said)
        self._heard = _answered(said)

    async def work(self, stage: Stage) -> None:
        """See ``Builder``."""
        if self._goes_on:  # In the first stage what it adds of its own is heard with its first request.
            stage.turns.messages.append(ChatMessageUser(content=stage.request.text))
        meter = Meter(
            stage.turns,
            stage.budget,
            steps=stage.steps,
            tokens=stage.tokens,
            on_step=stage.on_step,
            heard=self._heard,
            lost=stage.clock.lose,
        )
        variables = self._line.environment(self._name) | stage.request.variables

        async def run(again: bool) -> Finished:
            words = self._session.words(self._name, self._system, stage.request.text, self._goes_on or again)
            command = to_files([f"{INSIDE}/{self._line.program}", *words])
            return await self._machine.run(command, env=variables)

        await put_files(self._machine, self._line.files(self._name) | self._session.files(self._system))
        try:
            await behind_bridge(self._agent, self._model, self._machine, meter, run, self._record)
        finally:
            self._goes_on, self._heard = True, self._heard | _answered(stage.said)


def _answered(said: Sequence[ChatMessage]) -> set[str]:
    return {message.tool_call_id or "" for message in said if isinstance(message, ChatMessageTool)}
