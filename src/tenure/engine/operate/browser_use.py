"""browser-use in the machine of an attempt: its model behind the bridge, its work in the attempt's files."""

import asyncio
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from typing import Any

import anyio
from inspect_ai.agent import AgentState, sandbox_agent_bridge
from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput
from inspect_ai.tool import ToolChoice, ToolInfo

from tenure.engine.budget import Budget
from tenure.engine.build.cli import EVENTS, keep_output, last_words, put_files, to_files
from tenure.engine.build.lent import lend
from tenure.engine.build.lines import INSIDE, PORT
from tenure.engine.build.meter import Meter
from tenure.engine.loop import Turns
from tenure.engine.operate.browser_use_log import Log
from tenure.engine.operate.chromium import HEIGHT, WIDTH
from tenure.engine.operate.machine import BROWSER, GIVEN, OWN, Rented
from tenure.engine.operate.native import Worked
from tenure.engine.operate.params import ACTIONS
from tenure.engine.operate.prompt import outside_rules
from tenure.engine.pictures import keep_picture
from tenure.engine.spec import RunSpec
from tenure.schema import Ending, Fault
from tenure.schema.operate import TODO
from tenure.workspace import Finished
from tenure.workspace.machine import HOME

_FOLDER = f"{HOME}/.browser-use"
_DRIVER, _JOB = f"{_FOLDER}/drive.py", f"{_FOLDER}/job.json"
_WRITES = f"{OWN}/browseruse_agent_data"
"""browser-use makes this folder below the one that it is given, and empties it first."""
_ENVIRONMENT = {
    "ANONYMIZED_TELEMETRY": "false",
    "BROWSER_USE_CLOUD_SYNC": "false",
    "BROWSER_USE_CLOUD_HINTS": "false",
    "BROWSER_USE_VERSION_CHECK": "false",
    "BROWSER_USE_CONFIG_DIR": f"{_FOLDER}/config",
    "BROWSER_USE_LOGGING_LEVEL": "info",
    "SKIP_LLM_API_KEY_VERIFICATION": "true",
}
_NO_LIMIT = 1_000_000
"""Steps, where the run sets none."""


class Counter(Meter):
    """Answers for the model; what is said is kept by the driver's events instead.

    Attributes:
        over: Set when a limit has been reached, or the model cannot be had: browser-use is to be ended.
    """

    def __init__(self, turns: Turns, budget: Budget, spec: RunSpec, on_step: Callable[[int], None]) -> None:
        """Begin."""
        super().__init__(turns, budget, steps=spec.max_steps, tokens=spec.max_tokens, on_step=on_step)
        self.over = asyncio.Event()

    async def answer(
        self,
        model: Model,
        messages: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice | None,
        config: GenerateConfig,
    ) -> ModelOutput:
        """See ``Meter.answer``."""
        output = await super().answer(model, messages, tools, tool_choice, config)
        if self.stopped is not None:
            self.over.set()
        return output

    def _is_step(self, tools: Sequence[ToolInfo], config: GenerateConfig) -> bool:
        """Whether actions are asked for; what ``extract`` asks, and a summary, is a side errand."""
        schema = config.response_schema
        return schema is not None and "action" in (schema.json_schema.properties or {})

    def _hear(self, messages: Sequence[ChatMessage], first: bool) -> None:
        """Keep nothing: every request of browser-use tells the whole story anew."""

    def _keep(self, output: ModelOutput) -> None:
        """Likewise."""


async def run_browser_use(
    spec: RunSpec,
    model: Model,
    place: Rented,
    turns: Turns,
    budget: Budget,
    on_step: Callable[[int], None],
    record: Path,
    worked: Worked,
) -> None:
    """Let browser-use work; ``turns`` and ``worked`` are filled at its end, whatever ends it.

    Args:
        spec: The run.
        model: Answers browser-use.
        place: Where.
        turns: Filled.
        budget: The attempt's and the run's money.
        on_step: Told the number of turns after each.
        record: The attempt's folder; its events are kept there.
        worked: Filled.

    Raises:
        Fault: It failed, and not by the agent's doing.
    """
    machine, counter = place.machine, Counter(turns, budget, spec, on_step)
    await place.give()
    driver = files(__package__).joinpath("browser_use_driver.py").read_text("utf-8")
    await put_files(machine, {_DRIVER: driver, _JOB: json.dumps(_job(spec, place))})
    # -I: nothing but its own environment is for this Python.
    command = to_files([f"{INSIDE}/bin/python", "-I", _DRIVER, _JOB])
    lend(machine)
    try:
        # Whatever model a request names, this one answers.
        async with sandbox_agent_bridge(
            AgentState(messages=[]), model_resolver=lambda name: model, filter=counter.answer, port=PORT
        ):
            running = asyncio.ensure_future(machine.run(command, env=_ENVIRONMENT, timeout=spec.time_limit))
            done = await _unless(counter.over, running)
    finally:
        with anyio.CancelScope(shield=True):
            await keep_output(machine, record)
            log = Log((record / Path(EVENTS).name).read_text("utf-8", "replace"))
            await _tell(log, place, turns, record, worked)
            await place.take(GIVEN, _WRITES)
    turns.ending = _ending(done, counter, log, spec)
    if done is not None and not done.timed_out and done.returncode != 0:
        raise Fault(f"{spec.agent} ended with {done.returncode}: {await last_words(machine)}")


async def _unless(over: asyncio.Event, running: "asyncio.Future[Finished]") -> Finished | None:
    """What a command ended with; nothing when it was ended because an event came first."""
    waiting = asyncio.ensure_future(over.wait())
    try:
        await asyncio.wait((running, waiting), return_when=asyncio.FIRST_COMPLETED)
        return running.result() if running.done() else None
    finally:
        for task in (running, waiting):
            task.cancel()
        await asyncio.gather(running, waiting, return_exceptions=True)


def _job(spec: RunSpec, place: Rented) -> dict[str, Any]:
    """What the driver is to do."""
    return {
        "task": place.instruction,
        "rules": outside_rules(),
        "actions": list(ACTIONS),
        "hosts": place.hosts,
        "model": f"http://127.0.0.1:{PORT}/v1",
        "browser": f"http://127.0.0.1:{BROWSER}",
        "given": GIVEN,
        "own": OWN,
        "todo": TODO,
        "vision": spec.vision,
        "steps": spec.max_steps or _NO_LIMIT,
        "width": WIDTH,
        "height": HEIGHT,
    }


async def _tell(log: Log, place: Rented, turns: Turns, record: Path, worked: Worked) -> None:
    """Put what was logged where every agent's work is."""
    messages, pictures = log.told(place.instruction)
    turns.messages += messages
    shown: dict[str, str] = {}
    for id, path in pictures.items():
        with suppress(OSError, Fault):
            shown[id] = await keep_picture(await place.machine.read(path), record)
    worked.screenshots, worked.actions = shown, log.actions
    if log.end is not None and log.end.done:
        worked.claimed, turns.answer = log.end.success, log.end.text


def _ending(done: Finished | None, counter: Counter, log: Log, spec: RunSpec) -> Ending:
    if done is None or counter.stopped is not None:
        return counter.ending
    if done.timed_out:
        return Ending.OUT_OF_TIME
    if log.end is not None and log.end.done:
        return Ending.DONE
    if spec.max_steps is not None and counter.turns.steps >= spec.max_steps:
        return Ending.OUT_OF_STEPS
    return Ending.NO_VALID_ANSWER if counter.ending is Ending.DONE else counter.ending
