"""Stand-in graders: a product's walkthroughs, performed through the real loop and its tools.

``tenure/oracle`` says what it sees. ``tenure/oracle:wrong=0.2,seed=7`` turns a plan's verdict in a fifth of
its grades, with quotes that are real; ``tenure/oracle:rude`` edits a page in the first try of each vote.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from random import Random
from typing import Any

from tenure.engine.build.script import hear
from tenure.engine.grow.grading.desk import LACKING
from tenure.engine.grow.grading.hands import Do, ScriptHands
from tenure.engine.grow.grading.tools import FINISH, RECORD, RUN
from tenure.engine.puppet import Part, playing
from tenure.engine.usual import STAND_IN
from tenure.oracle import Action, Look, ScriptError, Sight
from tenure.oracle.grow import Walk, load_walks
from tenure.oracle.hands import Steps
from tenure.schema import BadInput
from tenure.schema.folder import GrowFolder
from tenure.schema.grow import Plan
from tenure.schema.verdict import CheckVerdict, StepVerdict
from tenure.world import Response

_FORMS = "tenure/oracle, tenure/oracle:wrong=0.2,seed=7, tenure/oracle:rude"


@dataclass(frozen=True)
class Manner:
    """How a stand-in grades.

    Attributes:
        wrong: How often it turns a plan's verdict, 0..1.
        seed: Of the coin that decides it.
        rude: Whether it breaks a rule in the first try of each vote.
    """

    wrong: float = 0.0
    seed: int = 0
    rude: bool = False

    @classmethod
    def of(cls, name: str) -> "Manner":
        """From a model's name after ``tenure/``.

        Raises:
            BadInput: There is no such stand-in.
        """
        script, _, options = name.partition(":")
        given = dict(part.partition("=")[::2] for part in options.split(",") if part)
        try:
            made = cls(
                wrong=float(given.pop("wrong", 0)),
                seed=int(given.pop("seed", 0)),
                rude=given.get("rude") == "" and not given.pop("rude"),
            )
        except ValueError:
            given = {"": ""}
        if script != "oracle" or given or not 0 <= made.wrong <= 1:
            raise BadInput(f"no stand-in tenure/{name} grades; stand-ins: {_FORMS}")
        return made

    def turns(self, plan: str, vote: int, attempt: int) -> bool:
        """Whether it turns the verdict of this grade."""
        return Random(f"{self.seed} {plan} {vote} {attempt}").random() < self.wrong


def check_grader(folder: GrowFolder, name: str) -> None:
    """Check that a stand-in can grade a product.

    Args:
        folder: The product.
        name: The model's name after ``tenure/``.

    Raises:
        BadInput: It cannot.
    """
    Manner.of(name)
    load_walks(folder)


class Walking:
    """A script that runs beside the loop and asks it for one tool call after the other."""

    def __init__(self, play: Callable[[Do], Awaitable[None]]) -> None:
        """Hold a script; its first call is asked for when the model's first turn is."""
        self.hands = Steps()
        self._play = play
        self._asked: asyncio.Queue[Action] = asyncio.Queue()
        self._answer: asyncio.Future[Response] | None = None
        self._running: asyncio.Future[None] | None = None

    async def _do(self, action: Action) -> Response:
        self._answer = asyncio.get_running_loop().create_future()
        await self._asked.put(action)
        return await self._answer

    async def next(self, response: Response | None, see: Callable[[Look], Awaitable[Sight]]) -> Action | None:
        """The next call; ``None`` when the script has ended.

        Raises:
            ScriptError: It could not go on.
        """
        if self._running is None:
            self._running = asyncio.ensure_future(self._play(self._do))
        elif self._answer is not None and response is not None:
            self._answer.set_result(response)
        asked = asyncio.ensure_future(self._asked.get())
        ended: list[asyncio.Future[Any]] = [asked, self._running]
        await asyncio.wait(ended, return_when=asyncio.FIRST_COMPLETED)
        if asked.done():
            return asked.result()
        asked.cancel()
        if (error := self._running.exception()) is not None:
            raise ScriptError(f"{type(error).__name__}: {error}") from error
        return None

    def close(self) -> None:
        """End the script where it stands."""
        if self._running is not None:
            self._running.cancel()


@contextmanager
def playing_grader(model: str, folder: GrowFolder, plan: Plan, vote: int, attempt: int) -> Iterator[None]:
    """Let the product's walkthrough play the grader, where that is a stand-in.

    Args:
        model: The grader's name.
        folder: The product.
        plan: What is walked.
        vote: Which of the plan's votes it is for.
        attempt: Which try at that vote.

    Raises:
        BadInput: There is no such stand-in.
    """
    if not model.startswith(STAND_IN):
        yield
        return
    manner = Manner.of(model.removeprefix(STAND_IN))
    walkers = _Walker(folder, plan, manner.turns(plan.id, vote, attempt), manner.rude and attempt == 1)
    part = Part(Walking(walkers.play), hear=hear, takes=_takes)
    with playing(part, folder.task.id):
        yield


def _takes(offered: Sequence[str]) -> bool:
    return RUN in offered


class _Walker:
    """One walk through one plan, and what is said about it."""

    def __init__(self, folder: GrowFolder, plan: Plan, turned: bool, rude: bool) -> None:
        self._folder, self._plan, self._turned, self._rude = folder, plan, turned, rude
        self._recorded: dict[str, StepVerdict] = {}

    async def play(self, do: Do) -> None:
        async def before() -> None:
            # What is done once every check of a step has an answer belongs to the next one.
            await self._record(do, hands, walk, _answered(walk.verdicts()))

        hands = ScriptHands(do, f"http://127.0.0.1:{self._folder.task.port}", before)
        walk = Walk(self._plan, hands)
        # A walk that cannot go on ends there: what it did not see has failed.
        with suppress(Exception):
            await load_walks(self._folder)[self._plan.id](walk)
        await self._record(do, hands, walk, len(self._plan.steps))
        await do(Action(FINISH, {}))

    async def _record(self, do: Do, hands: ScriptHands, walk: Walk, until: int) -> None:
        """Record the first steps, as far as their answers are new."""
        found = walk.verdicts()
        for n in range(until):
            said = self._said(found, n)
            if self._recorded.get(said.step) != said:
                self._recorded[said.step] = said
                await self._one(do, hands, said)

    async def _one(self, do: Do, hands: ScriptHands, said: StepVerdict) -> None:
        """Record a step, and again where a quotation was not on screen."""
        user, words = self._plan.users[0], ""
        if self._rude:
            self._rude = False
            await hands.answer(f"await page({user!r}).evaluate('document.body.append(1)')")
        if not all(check.quotes for check in said.checks):
            words = await hands.words(user)
        response = await do(_recording(said, words))
        if LACKING in response.text:
            checks = tuple(_without(check, response.text) for check in said.checks)
            if not all(check.quotes for check in checks):
                words = words or await hands.words(user)
            await do(_recording(said.model_copy(update={"checks": checks}), words))

    def _said(self, found: Sequence[StepVerdict], n: int) -> StepVerdict:
        """What is said of a step: all passes where a fail is turned, one fail where a pass is."""
        if not self._turned:
            return found[n]
        checks = [check.model_copy(update={"passed": True}) for check in found[n].checks]
        if n == len(found) - 1 and all(step.passed for step in found):
            checks[-1] = checks[-1].model_copy(update={"passed": False})
        return found[n].model_copy(update={"checks": tuple(checks)})


def _answered(found: Sequence[StepVerdict]) -> int:
    """How many of the first steps the walk has come past."""
    last = max((n for n, step in enumerate(found) if any(check.quotes for check in step.checks)), default=-1)
    return 0 if last < 0 else last + all(check.quotes for check in found[last].checks)


def _recording(step: StepVerdict, words: str) -> Action:
    checks: list[dict[str, Any]] = [
        {"check": check.check, "passed": check.passed, "quotes": list(check.quotes) or [words]}
        for check in step.checks
    ]
    return Action(RECORD, {"step": step.step, "checks": checks})


def _without(check: CheckVerdict, told: str) -> CheckVerdict:
    """A check without the quotations that it was told were not on screen."""
    lines = [line for line in told.splitlines() if f"check {check.check} " in line]
    lacking = [quote for quote in check.quotes if any(f"{quote!r:.80}" in line for line in lines)]
    return check.model_copy(update={"quotes": tuple(q for q in check.quotes if q not in lacking)})
