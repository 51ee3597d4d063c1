"""What the grow suite's first page shows, computed from records and scores: no markup here."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tenure.report.text import slug
from tenure.report.views import RowView
from tenure.schema import AttemptRecord, Outcome
from tenure.schema.grow import Subset
from tenure.schema.verdict import PlanFinding, Standing
from tenure.scoring.grow import RowScore, missed_plans

NAMED = 4
"""Plans that a square's label names."""


@dataclass(frozen=True)
class Missed:
    """One plan over the builds that graded it."""

    finding: PlanFinding
    missed: int
    of: int
    blocked: int
    """How many of those missed could not be graded for the product's own fault."""
    overturned: int
    """Builds in which later grades overturned a first one that failed it."""
    pages: tuple[tuple[str, str], ...]
    """Page and row of builds that missed it, the first of each row."""


@dataclass(frozen=True)
class ProductView:
    """One product over all rows."""

    id: str
    title: str
    subset: Subset | None
    plans: int
    missed: tuple[Missed, ...]
    """Plans that some build missed, the most often missed first."""


def product_views(rows: Sequence[RowView[RowScore]], records: Sequence[AttemptRecord]) -> list[ProductView]:
    """Every product of any row."""
    products = dict.fromkeys(task for view in rows for task in view.score.plan)
    labels = {view.score.row: view.label for view in rows}
    return [_product(p, [(r, labels[r.row]) for r in records if r.task == p]) for p in sorted(products)]


def cell_label(record: AttemptRecord) -> str:
    """What a square says beyond its outcome."""
    card = record.grow
    if card is None:
        return record.error
    missed = missed_plans(card)
    if record.outcome is not Outcome.FAILED or not missed:
        return card.reason
    names = ", ".join(f.plan for f in missed[:NAMED]) + (", …" if len(missed) > NAMED else "")
    return f"{counted(len(missed), 'plan')} missed: {names}"


def counted(number: int, noun: str) -> str:
    """A number with its noun: ``1 plan``, ``3 plans``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _product(product: str, made: Sequence[tuple[AttemptRecord, str]]) -> ProductView:
    cards = [record.grow for record, _ in made if record.grow is not None]
    return ProductView(
        id=product,
        title=next((record.title for record, _ in made), product),
        subset=next((card.subset for card in cards), None),
        plans=max((len(card.findings) for card in cards), default=0),
        missed=_missed(made),
    )


def _missed(made: Iterable[tuple[AttemptRecord, str]]) -> tuple[Missed, ...]:
    first: dict[str, PlanFinding] = {}
    counts: dict[str, Counter[str]] = {}
    pages: dict[str, dict[str, str]] = {}
    for record, label in made:
        for f in record.grow.findings if record.grow else ():
            first.setdefault(f.plan, f)
            count = counts.setdefault(f.plan, Counter())
            if f.outcome in (Outcome.PASSED, Outcome.FAILED, Outcome.BLOCKED):
                lost = f.outcome is not Outcome.PASSED
                count.update(
                    of=1, missed=lost, blocked=f.outcome is Outcome.BLOCKED, overturned=overturned(f)
                )
                if lost:
                    pages.setdefault(f.plan, {}).setdefault(label, slug(record))
    lines = [
        Missed(
            f,
            missed=counts[plan]["missed"],
            of=counts[plan]["of"],
            blocked=counts[plan]["blocked"],
            overturned=counts[plan]["overturned"],
            pages=tuple((page, label) for label, page in pages.get(plan, {}).items()),
        )
        for plan, f in first.items()
        if counts[plan]["missed"]
    ]
    return tuple(sorted(lines, key=lambda m: (-m.missed / m.of, m.finding.plan)))


def overturned(found: PlanFinding) -> bool:
    """Whether later grades overturned a first one that failed the plan."""
    return found.outcome is Outcome.PASSED and any(
        g.standing is Standing.COUNTS and g.passed is False for g in found.grades
    )
