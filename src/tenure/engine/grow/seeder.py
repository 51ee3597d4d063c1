"""The seeding agent: it reads the finished code and writes the script that creates a plan's records.

Its script counts only once it has worked in a fresh workspace: it ends well, the product starts after it
and is still there a while later. What does not work is told to the agent a limited number of times (seed
001, Appendix C; protocols, Grow 7 and 12).
"""

from time import monotonic
from typing import NamedTuple

import anyio
import httpx
from inspect_ai.model import ChatMessageSystem, ChatMessageUser
from inspect_ai.tool import Tool, ToolDef

from tenure.engine.budget import Budget
from tenure.engine.build.tools import machine_tools
from tenure.engine.grow.crew import Crew
from tenure.engine.grow.seeding_prompt import seeding_again, seeding_request, seeding_rules
from tenure.engine.grow.seeding_script import FINISH, playing_seeder
from tenure.engine.loop import Turns, take_turns
from tenure.engine.sandbox.opening import open_any
from tenure.schema import Ending, Fault
from tenure.schema.folder import GrowFolder
from tenure.schema.grow import Plan
from tenure.schema.verdict import Cause, SeedRecord
from tenure.scoring.outcome import ENDING_TEXT
from tenure.workspace import Machine
from tenure.workspace.product import SEED_SCRIPT, SEEDING, NotStanding, open_code, set_up, standing
from tenure.workspace.ready import Workspace

TRIES = 3
"""How often a script is tried in a fresh workspace, before the seeding has failed."""
SECONDS = 3600.0
"""What the agent may take, trials left out."""
ALIVE_SECONDS = 10.0
"""How long a product must go on after it was seeded and started."""
FILES, BYTES = 500, 64 << 20
"""What may lie beside a script: files, and bytes of all of them."""
GIVEN = "given"
"""The folder beside the script in which a plan's own seed files are."""
_LIST = f"cd {SEEDING} && find . -type f -printf '%s %P\\0'"


class Seeding(NamedTuple):
    """What seeds a plan.

    Attributes:
        record: How it was made.
        files: The script and what it needs, by path below ``SEEDING``; empty when it failed.
    """

    record: SeedRecord
    files: dict[str, bytes]


class Finish:
    """The agent's last word: a tool, and what was said with it."""

    def __init__(self) -> None:
        """Nothing is said yet."""
        self.said, self.success, self.report = False, True, ""

    def tool(self) -> Tool:
        """The tool."""

        async def finish(success: bool, report: str) -> str:
            """Say that the work is done, or cannot be done.

            Args:
                success: Whether the script creates all that was asked for.
                report: What it does, or what is in the way, in a few sentences.
            """
            self.said, self.success, self.report = True, success, report
            return "Thank you."

        return ToolDef(finish, name=FINISH, parallel=False).as_tool()


async def make_seed(crew: Crew, folder: GrowFolder, plan: Plan, code: bytes) -> Seeding:
    """Let the seeding agent write a plan's script, and try it.

    Args:
        crew: Who seeds, and where.
        folder: The product.
        plan: A plan that needs records.
        code: The finished code.

    Returns:
        A seeding that has failed has no files; the record says whose fault it was.

    Raises:
        Fault: Something of ours failed; nothing is said about the code.
    """
    begun, budget, turns, finish, tries = monotonic(), Budget(crew.purse), Turns([]), Finish(), 0
    files: dict[str, bytes] = {}
    cause: Cause | None = Cause.SEED
    try:
        async with open_code(
            folder.task, code, kind=crew.kind, environment=plan.seed.environment, opening=open_any
        ) as place:
            await set_up(place, folder.task)
            turns.messages += [
                ChatMessageSystem(content=seeding_rules(folder.task, place.database)),
                ChatMessageUser(content=seeding_request(plan, await _give(place.machine, folder, plan))),
            ]
            tools = [*machine_tools(place.machine), finish.tool()]
            left = SECONDS
            with playing_seeder(crew.name, folder, plan):
                while True:
                    left -= await _agent(crew, turns, tools, finish, budget, left)
                    if reason := _gave_up(turns.ending, finish):
                        break
                    tries += 1
                    files, reason = await _tried(crew, folder, plan, code, place.machine)
                    if not reason or tries == TRIES:
                        break
                    turns.messages.append(ChatMessageUser(content=seeding_again(reason)))
    except NotStanding as error:
        reason, cause = error.reason, error.cause
    record = SeedRecord(
        ok=not reason,
        cause=cause if reason else None,
        reason=reason,
        report=finish.report or turns.answer,
        seeder=crew.name,
        tries=tries,
        seconds=round(monotonic() - begun, 3),
        cost=turns.cost,
    )
    return Seeding(record, files if record.ok else {})


async def _agent(
    crew: Crew, turns: Turns, tools: list[Tool], finish: Finish, budget: Budget, seconds: float
) -> float:
    """The agent's part until it says that it is done; returns the seconds that it took.

    Raises:
        Fault: The model cannot be had.
    """
    finish.said, begun = False, monotonic()
    await take_turns(
        crew.model,
        turns,
        tools,
        seconds=max(seconds, 1.0),
        tokens=None,
        budget=budget,
        on_step=lambda steps: None,
        shell=True,
        done=lambda: finish.said,
    )
    if turns.ending is Ending.FAULT:
        raise Fault(f"the seeding agent's model cannot be had: {turns.error}")
    return monotonic() - begun


def _gave_up(ending: Ending, finish: Finish) -> str:
    """Why there is nothing to try; nothing when there is."""
    if ending is not Ending.DONE:
        return f"the seeding agent did not finish: {ENDING_TEXT[ending]}"
    return "" if finish.success else f"the seeding agent found no way: {finish.report}"


async def _give(machine: Machine, folder: GrowFolder, plan: Plan) -> list[str]:
    """Put a plan's seed files where the script will find them; returns their paths."""
    paths = {file: f"{SEEDING}/{GIVEN}/{file}" for file in plan.seed.files}
    for file, path in paths.items():
        await machine.write(path, (folder.assets / file).read_bytes())
    return list(paths.values())


async def _tried(
    crew: Crew, folder: GrowFolder, plan: Plan, code: bytes, machine: Machine
) -> tuple[dict[str, bytes], str]:
    """The script that the agent has left, and why it does not work, if it does not."""
    try:
        files = await _taken(machine)
        async with standing(
            folder.task,
            code,
            kind=crew.kind,
            environment=plan.seed.environment,
            seeding=files,
            opening=open_any,
        ) as place:
            await anyio.sleep(ALIVE_SECONDS)
            if not await _answers(place, folder.task.port):
                return files, f"the product no longer answers {ALIVE_SECONDS:g} s after it was started"
    except NotStanding as error:
        return {}, error.reason
    return files, ""


async def _taken(machine: Machine) -> dict[str, bytes]:
    """The script and what lies beside it, by path.

    Raises:
        NotStanding: There is none, or too much.
    """
    listed = (await machine.run(["sh", "-c", _LIST], timeout=60)).stdout.decode("utf-8", "replace")
    sizes = {name: int(size) for size, _, name in (one.partition(" ") for one in listed.split("\0") if one)}
    if SEED_SCRIPT not in sizes:
        raise NotStanding(Cause.SEED, f"there is no {SEEDING}/{SEED_SCRIPT}")
    if len(sizes) > FILES or sum(sizes.values()) > BYTES:
        raise NotStanding(Cause.SEED, f"{SEEDING} holds more than {FILES} files or {BYTES >> 20} MiB")
    return {name: await machine.read(f"{SEEDING}/{name}", limit=BYTES) for name in sorted(sizes)}


async def _answers(place: Workspace, port: int) -> bool:
    """Whether the product still speaks HTTP."""
    async with httpx.AsyncClient(timeout=ALIVE_SECONDS, trust_env=False) as client:
        try:
            await client.get(f"http://127.0.0.1:{await place.machine.publish(port)}/")
        except httpx.HTTPError:
            return False
    return True
