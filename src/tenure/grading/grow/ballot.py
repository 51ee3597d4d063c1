"""The re-grading protocol: which grade to make next, and what the grades of a plan come to.

A pass at the first vote stands. A fail is graded again until three votes agree, of five at most. A
grade that does not count is made again, as often as the rules allow (seed 001 §2.3, Appendix C;
protocols, Grow 11 and 12). All of it is a function of the grades made so far, so that a killed run goes
on from the stored ones.
"""

from collections.abc import Awaitable, Callable, Sequence

from pydantic import Field

from tenure.schema.errors import BadInput
from tenure.schema.grow import Plan
from tenure.schema.shape import Shape
from tenure.schema.verdict import Cause, Grade, PlanFinding
from tenure.schema.words import Outcome


class VoteRules(Shape):
    """How often a plan is graded. The defaults are the protocol's; retries are a choice of ours."""

    votes: int = Field(default=5, ge=1)
    """Grades that count, at most."""
    agree: int = Field(default=3, ge=1)
    """How many of them settle a plan whose first one failed it."""
    retries: int = Field(default=2, ge=0)
    """How often a vote whose grade does not count is tried again."""


PROTOCOL = VoteRules()
SINGLE = VoteRules(votes=1, agree=1)
"""One grade a plan, as ViBench 1.0 has it."""


class Ask(Shape):
    """The next grade to make."""

    vote: int
    attempt: int


class Vote(Shape):
    """One vote: the tries at it, of which at most the last counts."""

    number: int
    tries: tuple[Grade, ...]

    @property
    def passed(self) -> bool | None:
        """What it says; ``None`` while, or because, no try counts."""
        return self.tries[-1].passed


class Ballot:
    """The grades of one plan about one build, and what follows from them."""

    def __init__(self, grades: Sequence[Grade] = (), rules: VoteRules = PROTOCOL) -> None:
        """Take the grades made so far, in order.

        Raises:
            BadInput: They are no history that the rules lead to.
        """
        self.rules = rules
        self.votes: tuple[Vote, ...] = ()
        for grade in grades:
            wanted = self.next
            if wanted is None or (wanted.vote, wanted.attempt) != (grade.vote, grade.attempt):
                was = "none" if wanted is None else f"vote {wanted.vote}, try {wanted.attempt}"
                raise BadInput(
                    f"the stored grades do not follow the protocol: vote {grade.vote}, try {grade.attempt} "
                    f"where {was} was to come; remove the grades of this plan and grade it again"
                )
            self._add(grade)

    def _add(self, grade: Grade) -> None:
        again = grade.attempt > 1
        kept = self.votes[:-1] if again else self.votes
        tries = self.votes[-1].tries if again else ()
        self.votes = (*kept, Vote(number=grade.vote, tries=(*tries, grade)))

    @property
    def grades(self) -> tuple[Grade, ...]:
        """Every grade, those that do not count too."""
        return tuple(grade for vote in self.votes for grade in vote.tries)

    @property
    def passes(self) -> int:
        """Votes that pass the plan."""
        return sum(vote.passed is True for vote in self.votes)

    @property
    def fails(self) -> int:
        """Votes that fail it."""
        return sum(vote.passed is False for vote in self.votes)

    @property
    def next(self) -> Ask | None:
        """The grade to make next; ``None`` once the plan is settled."""
        if not self.votes:
            return Ask(vote=1, attempt=1)
        last = self.votes[-1]
        if last.passed is None and len(last.tries) <= self.rules.retries:
            return Ask(vote=last.number, attempt=len(last.tries) + 1)
        if self.votes[0].passed is not False or last.number == self.rules.votes:
            return None
        if max(self.passes, self.fails) >= self.rules.agree:
            return None
        return Ask(vote=last.number + 1, attempt=1)

    @property
    def outcome(self) -> Outcome | None:
        """What the grades come to; ``None`` while one is still to be made.

        The first vote's pass stands, and without a first vote there is nothing to judge by. Its fail is
        overturned by as many passes as must agree, and by nothing less: where votes without a grade
        leave fewer, the fail stands.
        """
        if self.next is not None:
            return None
        match self.votes[0].passed:
            case None:
                return Outcome.UNJUDGED
            case True:
                return Outcome.PASSED
            case False:
                return Outcome.PASSED if self.passes >= self.rules.agree else Outcome.FAILED

    @property
    def reason(self) -> str:
        """How a plan that did not pass at once came to its outcome, in one line."""
        match self.outcome:
            case Outcome.UNJUDGED:
                return f"no grade finished: {self.votes[0].tries[-1].reason}"
            case Outcome.FAILED:
                return f"{self.fails} of {self.fails + self.passes} grades fail it: {_missed(self.grades)}"
            case Outcome.PASSED if self.fails:
                return f"{self.passes} of {self.fails + self.passes} grades pass it"
            case _:
                return ""


def _missed(grades: Sequence[Grade]) -> str:
    """The checks that failed, of the first grade that fails the plan."""
    failing = next(grade for grade in grades if grade.passed is False)
    checks = [check.check for step in failing.steps for check in step.checks if not check.passed]
    return ", ".join(checks)


def finding(plan: Plan, ballot: Ballot) -> PlanFinding:
    """The answer to a plan whose ballot is settled.

    Raises:
        ValueError: A grade is still to be made.
    """
    if ballot.outcome is None:
        raise ValueError(f"{plan.id}: a grade is still to be made")
    return _finding(plan, ballot.outcome, reason=ballot.reason, grades=ballot.grades)


def blocked(plan: Plan, cause: Cause, reason: str) -> PlanFinding:
    """The answer to a plan that could not be graded for the product's own fault (protocols, Grow 12)."""
    return _finding(plan, Outcome.BLOCKED, cause=cause, reason=reason)


def not_run(plan: Plan, reason: str = "") -> PlanFinding:
    """The answer to a plan that was never reached."""
    return _finding(plan, Outcome.NOT_RUN, reason=reason)


def _finding(
    plan: Plan,
    outcome: Outcome,
    *,
    reason: str,
    cause: Cause | None = None,
    grades: Sequence[Grade] = (),
) -> PlanFinding:
    return PlanFinding(
        plan=plan.id,
        title=plan.title,
        kind=plan.kind,
        features=plan.features,
        checks={check.id: check.says for check in plan.checks},
        outcome=outcome,
        cause=cause,
        reason=reason,
        grades=tuple(grades),
    )


async def settle(
    plan: Plan,
    grade: Callable[[Ask], Awaitable[Grade]],
    keep: Callable[[Grade], None],
    *,
    stored: Sequence[Grade] = (),
    rules: VoteRules = PROTOCOL,
) -> PlanFinding:
    """Grade a plan until it is settled, from wherever an earlier run left off.

    Args:
        plan: The plan.
        grade: Makes one grade; its failures are grades that did not finish, never exceptions.
        keep: Stores a grade before the next one begins.
        stored: Grades made before.
        rules: How often it is graded.

    Raises:
        BadInput: The stored grades do not follow the protocol.
    """
    ballot = Ballot(stored, rules)
    while (ask := ballot.next) is not None:
        made = await grade(ask)
        keep(made)
        ballot = Ballot((*ballot.grades, made), rules)
    return finding(plan, ballot)
