"""From what a grader claims and what the harness logged to a grade: the one place where it is derived."""

from collections.abc import Iterable, Iterator, Sequence

from tenure.grading.grow.events import Event, breaches
from tenure.grading.grow.evidence import Look, seen_in
from tenure.schema.grow import Plan
from tenure.schema.verdict import CheckVerdict, Grade, Standing, StepVerdict


def derive(
    plan: Plan,
    claims: Sequence[StepVerdict],
    looks: Sequence[Look],
    events: Iterable[Event],
    *,
    vote: int,
    attempt: int,
    error: str = "",
    grader: str = "",
    seconds: float = 0.0,
    cost: float | None = None,
) -> Grade:
    """One grade. A pure function: equal arguments, equal grade.

    The grade is thrown out when a rule was broken. Else it is unfinished when its grader failed or a step
    or check has no answer, and thrown out when a check has no quotation or one that was not on screen.
    Evidence for a step is in the looks of that step, or in the last one before it: that page was still
    shown.

    Args:
        plan: The plan.
        claims: The grader's answers, a step each. Their checks' ``looks`` and ``pictures`` are not read.
        looks: What the browser brought back, in order.
        events: The browser's and the gateway's log.
        vote: Which of the plan's votes it is for.
        attempt: Which try at that vote.
        error: What kept the grader from finishing, if something did.
        grader: Its model.
        seconds: How long it took.
        cost: What it took, in dollars.
    """
    steps = tuple(with_looks(plan, claim, looks) for claim in claims)
    standing, reason = Standing.COUNTS, ""
    if broken := breaches(plan, events):
        standing, reason = Standing.THROWN_OUT, f"{broken[0].rule}: {broken[0].says}"
    elif error or (error := next(_unanswered(plan, claims), "")):
        standing, reason = Standing.UNFINISHED, error
    elif missing := next(without_evidence(steps), ""):
        standing, reason = Standing.THROWN_OUT, missing
    return Grade(
        vote=vote,
        attempt=attempt,
        standing=standing,
        reason=reason,
        steps=steps,
        grader=grader,
        seconds=seconds,
        cost=cost,
    )


def _unanswered(plan: Plan, claims: Sequence[StepVerdict]) -> Iterator[str]:
    """Steps and checks without exactly one answer, and answers to what was not asked."""
    by_step: dict[str, StepVerdict] = {}
    for claim in claims:
        if claim.step in by_step:
            yield f"step {claim.step} is answered twice"
        by_step[claim.step] = claim
    for step in plan.steps:
        answered = [check.check for check in by_step[step.name].checks] if step.name in by_step else []
        for check in step.checks:
            if (times := answered.count(check.id)) != 1:
                yield f"check {check.id} of step {step.name} has {times} answers"
    known = {step.name: {check.id for check in step.checks} for step in plan.steps}
    for claim in claims:
        for verdict in claim.checks:
            if verdict.check not in known.get(claim.step, set()):
                yield f"{verdict.check} is no check of step {claim.step}"


def with_looks(plan: Plan, claim: StepVerdict, looks: Sequence[Look]) -> StepVerdict:
    """A grader's answer to a step with the looks that its quotations occur in."""
    order = [step.name for step in plan.steps]
    if claim.step not in order:
        return claim
    window = list(_window(claim.step, looks, order))
    return claim.model_copy(update={"checks": tuple(_found(verdict, window) for verdict in claim.checks)})


def _window(step: str, looks: Sequence[Look], order: Sequence[str]) -> Iterator[Look]:
    """The looks that show a step: its own, and each user's last one before it.

    A look of no step of the plan is from before its first one.
    """
    places = {name: n for n, name in enumerate(order)}
    before = {look.user: look for look in looks if places.get(look.step, -1) < places[step]}
    yield from before.values()
    yield from (look for look in looks if look.step == step)


def _found(verdict: CheckVerdict, window: Sequence[Look]) -> CheckVerdict:
    """A check's verdict with, for each quotation that occurs, the newest look that shows it."""
    shown = [[look for look in window if seen_in(quote, look)] for quote in verdict.quotes]
    newest = [max(found, key=lambda look: look.number, default=None) for found in shown]
    return verdict.model_copy(
        update={
            "looks": tuple(look.number if look else 0 for look in newest),
            "pictures": tuple(look.picture if look else "" for look in newest),
        }
    )


def without_evidence(steps: Iterable[StepVerdict]) -> Iterator[str]:
    """What of steps that went through ``with_looks`` was not on screen, a line each."""
    for step in steps:
        for check in step.checks:
            where = f"check {check.check} of step {step.step}"
            if not check.quotes:
                yield f"{where} quotes nothing"
            for quote, look in zip(check.quotes, check.looks, strict=True):
                if not look:
                    yield f"{where} quotes {quote!r:.80}, which was not on screen"
