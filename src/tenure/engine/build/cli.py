"""Running a coding command line in the machine, its model behind the bridge."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from time import monotonic

import anyio
from inspect_ai.agent import AgentState, sandbox_agent_bridge
from inspect_ai.model import Model

from tenure.engine.budget import Budget
from tenure.engine.build.lent import lend
from tenure.engine.build.lines import LINES, PORT, presented
from tenure.engine.build.meter import Meter
from tenure.engine.build.settings import Agent
from tenure.engine.loop import Turns
from tenure.engine.spec import RunSpec
from tenure.schema import Ending, Fault
from tenure.workspace import Finished, Machine
from tenure.workspace.machine import HOME

EVENTS, ERRORS = f"{HOME}/.agent/events.jsonl", f"{HOME}/.agent/errors.txt"
RETRY_SECONDS = 60
_TO_FILES = f'mkdir -p {HOME}/.agent && exec "$@" >> {EVENTS} 2>> {ERRORS}'
_TRANSIENT = re.compile(r"\b(429|502|503|504|529)\b|overloaded|bad gateway|connection (error|reset)", re.I)
_SAID = 2_000


async def run_cli(
    spec: RunSpec,
    model: Model,
    machine: Machine,
    prompt: str,
    turns: Turns,
    budget: Budget,
    on_step: Callable[[int], None],
    record: Path,
) -> None:
    """Let a command line work; ``turns`` is filled as it goes, whatever ends it.

    Args:
        spec: The run.
        model: Answers the command line.
        machine: Where it works.
        prompt: What it is told.
        turns: Filled.
        budget: The attempt's and the run's money.
        on_step: Told the number of turns after each.
        record: Its events are kept in this folder.

    Raises:
        Fault: It failed, and not by the network.
    """
    assert spec.agent is not None
    name, line, end = presented(spec.model), LINES[spec.agent], monotonic() + spec.time_limit
    meter = Meter(turns, budget, steps=spec.max_steps, tokens=spec.max_tokens, on_step=on_step)
    command = line.command(name, prompt)

    async def run(again: bool) -> Finished:
        seconds = max(end - monotonic(), 1)
        return await machine.run(to_files(command), env=line.environment(name), timeout=seconds)

    await put_files(machine, line.files(name))
    await behind_bridge(spec.agent, model, machine, meter, run, record)


async def behind_bridge(
    agent: Agent,
    model: Model,
    machine: Machine,
    meter: Meter,
    run: Callable[[bool], Awaitable[Finished]],
    record: Path,
) -> None:
    """Run a command line whose model is behind the bridge; the meter's ``turns`` say how it ended.

    A network fault that outlasts the bridge's own tries, or that the command line dies of, is tried
    again once, after a minute (protocols, Build 1).

    Args:
        agent: The command line.
        model: Answers it.
        machine: Where it works.
        meter: Counts.
        run: Runs it, output ``to_files``; told whether it is for the second time.
        record: Its events are kept in this folder.

    Raises:
        Fault: It failed, and not by the network.
    """
    lend(machine)
    turns = meter.turns
    try:
        # Whatever model a request names, this one answers.
        async with sandbox_agent_bridge(
            AgentState(messages=[]), model_resolver=lambda name: model, filter=meter.answer, port=PORT
        ):
            done = await run(False)
            if not done.timed_out and (meter.unreached or await _broke(machine, done)):
                meter.again(RETRY_SECONDS)
                await anyio.sleep(RETRY_SECONDS)
                done = await run(True)
    finally:
        with anyio.CancelScope(shield=True):  # The caller's time may be over.
            await keep_output(machine, record)
    turns.close()
    turns.ending = Ending.OUT_OF_TIME if done.timed_out else meter.ending
    if turns.ending is Ending.DONE and done.returncode != 0:
        raise Fault(f"{agent} ended with {done.returncode}: {await last_words(machine)}")


async def put_files(machine: Machine, files: Mapping[str, str]) -> None:
    """Write text files into the machine, by path."""
    for path, text in files.items():
        await machine.write(path, text.encode())


def to_files(command: Sequence[str]) -> list[str]:
    """A command whose output goes to the files that are kept of a command line."""
    return ["sh", "-c", _TO_FILES, "agent", *command]


async def _broke(machine: Machine, done: Finished) -> bool:
    """Whether the command line died of a gateway."""
    return done.returncode != 0 and bool(_TRANSIENT.search(await last_words(machine)))


async def last_words(machine: Machine) -> str:
    """The last words of a command line, on either stream."""
    done = await machine.run(["sh", "-c", f"tail -n 5 {ERRORS} {EVENTS} | tail -c {_SAID}"], timeout=30)
    return done.stdout.decode("utf-8", "replace").strip()


async def keep_output(machine: Machine, record: Path) -> None:
    """Copy what a command wrote ``to_files`` into the attempt's folder, under the files' own names."""
    for path in (EVENTS, ERRORS):
        done = await machine.run(["cat", path], timeout=60, limit=256 << 20)
        (record / Path(path).name).write_bytes(done.stdout)
