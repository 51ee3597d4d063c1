"""Grading one plan once: a browser agent walks it, and the grade is derived from what was logged.

What the grader does wrong is a grade that does not count; what fails of ours is raised, so that it is made
again and never burns one of the plan's tries (protocols, Grow 10 and 11).
"""

from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageUser,
    Model,
)
from inspect_ai.tool import Tool

from tenure.engine.budget import Budget
from tenure.engine.ended import shown
from tenure.engine.grow.grading.code import Code
from tenure.engine.grow.grading.desk import Desk
from tenure.engine.grow.grading.memory import trim
from tenure.engine.grow.grading.prompt import grader_request, grader_rules
from tenure.engine.grow.grading.script import playing_grader
from tenure.engine.grow.grading.stored import Evidence, Made, derived, store
from tenure.engine.grow.grading.tools import grader_tools
from tenure.engine.loop import Turns, take_turns
from tenure.grading.grow.browser import SECONDS as SCRIPT_SECONDS
from tenure.grading.grow.browser import Browser, open_browser
from tenure.schema import Ending, Fault
from tenure.schema.folder import GrowFolder
from tenure.schema.grow import Plan
from tenure.schema.verdict import Grade
from tenure.scoring.outcome import ENDING_TEXT
from tenure.workspace.ready import Workspace

__all__ = ["HOUR", "derived", "grade_plan"]

HOUR = 3600.0
"""What a grade may take (protocols, Grow 10)."""
REMINDERS = 2
"""How often a grader that stops before it has finished is told to go on."""
_GO_ON = "The plan is not finished. Go on with it, record every step, and call finish."


async def grade_plan(
    model: Model,
    folder: GrowFolder,
    plan: Plan,
    place: Workspace,
    *,
    vote: int,
    attempt: int,
    code: bytes,
    into: Path,
    screens: Path,
    budget: Budget,
    seconds: float = HOUR,
    name: str = "",
) -> Grade:
    """Walk a plan once and store what was found; the grade's own file is written last.

    Args:
        model: The grader.
        folder: The product.
        plan: What is walked.
        place: Where the product stands, with the plan's data.
        vote: Which of the plan's votes it is for.
        attempt: Which try at that vote.
        code: A snapshot of the product's code.
        into: The grade's folder.
        screens: Folder that pictures are kept in.
        budget: The grading's money.
        seconds: What the grade may take.
        name: The grader's name; the model's own without it.

    Raises:
        BadInput: There is no browser, or no isolated machine, to be had here.
        Fault: The browser, the product's machine or the model cannot be had.
    """
    name = name or str(model)
    begun, turns = monotonic(), Turns([])
    assets = {file: (folder.assets / file).read_bytes() for file in plan.files}
    port = folder.task.port
    async with open_browser(plan, lambda: place.machine.connect(port), port=port, assets=assets) as browser:
        desk = Desk(plan, browser, screens)
        turns.messages += [
            ChatMessageSystem(content=grader_rules(SCRIPT_SECONDS)),
            ChatMessageUser(content=grader_request(folder.task, plan)),
        ]
        with playing_grader(name, folder, plan, vote, attempt):
            await _walk(model, turns, desk, grader_tools(desk, Code(code)), budget, begun + seconds)
    if turns.ending is Ending.FAULT:
        raise Fault(f"the grader's model cannot be had: {turns.error}")
    made = Made(
        vote=vote,
        attempt=attempt,
        error="" if desk.over else _unfinished(turns),
        grader=name,
        browser=browser.version,
        seconds=round(monotonic() - begun, 3),
        cost=turns.cost,
        steps=turns.steps,
        input_tokens=turns.input_tokens,
        output_tokens=turns.output_tokens,
    )
    return store(into, plan, _evidence(plan, desk, browser, made), tuple(map(_shown, turns.messages)))


async def _walk(
    model: Model, turns: Turns, desk: Desk, tools: Sequence[Tool], budget: Budget, until: float
) -> None:
    """Let the grader work until it has finished, cannot go on, or its time is up."""
    for reminders in range(REMINDERS + 1):
        if reminders:
            turns.messages.append(ChatMessageUser(content=_GO_ON))
        await take_turns(
            model,
            turns,
            tools,
            seconds=max(until - monotonic(), 1.0),
            tokens=None,
            budget=budget,
            on_step=lambda steps: None,
            trim=trim,
            done=lambda: desk.over,
        )
        if desk.over or turns.ending is not Ending.DONE:
            return


def _unfinished(turns: Turns) -> str:
    if turns.ending is Ending.DONE:
        return "the grader stopped before it had finished"
    return f"the grader did not finish: {ENDING_TEXT[turns.ending]}"


def _evidence(plan: Plan, desk: Desk, browser: Browser, made: Made) -> Evidence:
    claims = tuple(desk.claims[step.name] for step in plan.steps if step.name in desk.claims)
    return Evidence(claims=claims, looks=tuple(browser.looks), events=tuple(browser.events), made=made)


def _shown(message: ChatMessage) -> dict[str, Any]:
    """A message of the transcript; pictures are named in its text."""
    return shown(message, {})
