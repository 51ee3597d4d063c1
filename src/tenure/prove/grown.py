"""The full tier's part through the engine: stand-ins build, seed and grade a product as agents would."""

import tempfile
from pathlib import Path

from tenure.engine.grow.findings import score_stored
from tenure.engine.plan import RunFolder
from tenure.engine.run import make_missing
from tenure.engine.spec import RunSpec, TaskRef
from tenure.oracle.grow import load_bugs
from tenure.prove.record import RuleFinding
from tenure.schema.folder import GrowFolder
from tenure.schema.verdict import GrowScorecard
from tenure.schema.words import Outcome

ORACLE, IDLE = "tenure/oracle", "tenure/idle"
Found = dict[str, Outcome]


def grown(folder: GrowFolder) -> RuleFinding:
    """Whether three builds, seeded and graded through the agents' loops, come to what they should.

    The oracle's passes every plan, the idle agent's is blocked in each, and one with a planted bug fails
    exactly the plan that is aimed at it, after every re-grade. Each stored attempt is scored the same again.

    Args:
        folder: The product.
    """
    bug, passing = load_bugs(folder)[0], {plan.id: Outcome.PASSED for plan in folder.plans}
    builds: dict[str, Found] = {
        ORACLE: passing,
        IDLE: dict.fromkeys(passing, Outcome.BLOCKED),
        f"{ORACLE}:bug={bug.name}": {**passing, bug.plan: Outcome.FAILED},
    }
    wrong = []
    with tempfile.TemporaryDirectory() as scratch:
        for model, wanted in builds.items():
            ref = TaskRef.of(str(folder.path), folder)
            spec = RunSpec(suite=folder.task.suite, tasks=(ref,), model=model, attempts=1)
            run = RunFolder(spec.folder(Path(scratch)), spec)
            for planned, record in zip(run.planned(), make_missing(run), strict=True):
                if record.grow is None or record.error:
                    wrong.append(f"{model}: {record.error or 'it has no score'}")
                    continue
                if record.grow != score_stored(folder, planned.folder):
                    wrong.append(f"{model}: the stored attempt is scored differently")
                wrong += [f"{model}: {line}" for line in unlike(record.grow, wanted)]
    return RuleFinding(
        rule="built, seeded and graded through the agents' loops, the same",
        holds=not wrong,
        detail="; ".join(wrong),
    )


def unlike(card: GrowScorecard, wanted: Found) -> list[str]:
    """What a build came to that it should not, a line per plan."""
    found = {finding.plan: finding for finding in card.findings}
    return [
        f"{plan} is {found[plan].outcome}, not {outcome}: {found[plan].reason}"
        if plan in found
        else f"{plan} has no finding"
        for plan, outcome in wanted.items()
        if plan not in found or found[plan].outcome is not outcome
    ]
