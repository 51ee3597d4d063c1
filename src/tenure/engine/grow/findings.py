"""What a grow attempt's files come to: its findings and its scorecard, without a machine or a model.

The grade made live and every one made later are these functions of the same files.
"""

from pathlib import Path

from tenure.adopt.grow import read_released, v1_score
from tenure.engine.grow.grading.stored import MADE, Made, derived
from tenure.engine.grow.stored import (
    SEED,
    SEEDS,
    Graded,
    StartRecord,
    codes_of,
    kept,
    made,
    rules_of,
    stages_of,
    start_file,
)
from tenure.engine.plan import GRADED
from tenure.grading.grow import Ballot, blocked, finding, not_run
from tenure.schema import BadInput
from tenure.schema.folder import GrowFolder
from tenure.schema.grow import Plan, Rules
from tenure.schema.verdict import Cause, GrowScorecard, PlanFinding, SeedRecord
from tenure.scoring.grow import score_build


def findings_of(folder: GrowFolder, attempt: Path) -> tuple[PlanFinding, ...]:
    """A finding per plan, each grade derived anew from what its grader claimed and its browser showed.

    Args:
        folder: The product.
        attempt: The attempt's folder.

    Raises:
        BadInput: A file is damaged, or the grades do not follow the protocol.
    """
    codes = codes_of(folder, attempt)
    starts = {plan: kept(start_file(code), StartRecord) for plan, code in codes.items()}
    return tuple(_finding(folder, attempt, plan, starts[plan.id]) for plan in folder.plans)


def _finding(folder: GrowFolder, attempt: Path, plan: Plan, start: StartRecord | None) -> PlanFinding:
    if start is None:
        return not_run(plan, "the finished code was never started")
    if not start.ok:
        return blocked(plan, Cause.START, start.reason)
    seed = kept(attempt / SEEDS / plan.id / SEED, SeedRecord)
    if seed is None:
        return not_run(plan, "its starting data was never made")
    grades = tuple(derived(place, plan) for place in made(attempt, plan))
    if not seed.ok:
        found = blocked(plan, seed.cause or Cause.SEED, seed.reason)
        return found.model_copy(update={"seed": seed, "grades": grades})
    ballot = Ballot(grades, rules_of(folder))
    if ballot.outcome is None:
        found = not_run(plan, f"{len(grades)} of its grades were made, and it is not settled")
        return found.model_copy(update={"seed": seed, "grades": grades})
    return finding(plan, ballot).model_copy(update={"seed": seed})


def score_stored(folder: GrowFolder, attempt: Path) -> GrowScorecard:
    """The scorecard of an attempt, from its files.

    Args:
        folder: The product.
        attempt: The attempt's folder.

    Raises:
        BadInput: A file is damaged or missing.
    """
    graded = kept(attempt / GRADED, Graded)
    if graded is None:
        raise BadInput(f"{attempt} holds no graded build; run the same command again to finish it")
    findings = findings_of(folder, attempt)
    adopted = folder.task.rules is Rules.V1
    return score_build(
        folder.task,
        findings,
        stages_of(folder, attempt),
        planned_stages=len(folder.stages),
        error=graded.error,
        v1=v1_score(read_released(folder.path), findings) if adopted else None,
    )


def grading_cost(findings: tuple[PlanFinding, ...]) -> float | None:
    """What seeding and grading a build has cost, in dollars; ``None`` when a price is not known."""
    seeds = [f.seed.cost for f in findings if f.seed is not None and not f.seed.cached and f.seed.tries]
    costs = [*seeds, *(grade.cost for f in findings for grade in f.grades)]
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None


def browsers_of(folder: GrowFolder, attempt: Path) -> str:
    """The browsers that a build was graded in."""
    grades = (place for plan in folder.plans for place in made(attempt, plan))
    found = {how.browser for place in grades if (how := kept(place / MADE, Made)) is not None}
    return ", ".join(sorted(found)) or "none"
