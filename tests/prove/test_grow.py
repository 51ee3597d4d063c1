"""Each rule of a grow product's proof is broken once: by a document, a reference, blank pages or a bug."""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from support.machines import isolated
from tenure.oracle.build import Edit
from tenure.oracle.grow import PlantedBug
from tenure.prove.grow import (
    AGAIN,
    BLANK,
    IDLE,
    REFERENCE,
    Cell,
    Column,
    System,
    cell,
    prove_grow,
    rules_of_systems,
    systems,
)
from tenure.prove.grown import unlike
from tenure.prove.record import Tier, stored_proof
from tenure.schema import BadInput, Ending, Outcome
from tenure.schema.folder import GrowFolder
from tenure.schema.grow import Plan, PlanCheck, PlanKind, PlanStep
from tenure.schema.verdict import CheckVerdict, GrowScorecard, PlanFinding, StageRecord, StepVerdict
from tenure.scoring.grow import score_build
from tenure.scoring.grow.audit import BugKind

SHELF = Path(__file__).parents[2] / "docs" / "examples" / "shelf"
PASSED, FAILED, BLOCKED = Outcome.PASSED, Outcome.FAILED, Outcome.BLOCKED


def _plan(name: str, *features: str) -> Plan:
    step = PlanStep(name="s", checks=(PlanCheck(id="c", says="so"),))
    return Plan(id=name, title=name, kind=PlanKind.SINGLE, features=features, users=("ann",), steps=(step,))


PLANS = (_plan("aimed", "rides"), _plan("shares", "rides", "fares"), _plan("apart", "fares"))
BUG = PlantedBug("wrong", BugKind.OBVIOUS, "aimed", (Edit("server.py", "x", "y"),))
GOOD, BAD, NOTHING = (
    Cell(outcome=PASSED, passed=frozenset("c")),
    Cell(outcome=FAILED, says="c reads '5'"),
    Cell(outcome=BLOCKED),
)
SOUND = {
    REFERENCE: dict.fromkeys(("aimed", "shares", "apart"), GOOD),
    AGAIN: dict.fromkeys(("aimed", "shares", "apart"), GOOD),
    IDLE: dict.fromkeys(("aimed", "shares", "apart"), NOTHING),
    BLANK: dict.fromkeys(("aimed", "shares", "apart"), BAD),
    "bug: wrong": {"aimed": BAD, "shares": GOOD, "apart": GOOD},
}


def broken(name: str = "", plan: str = "", held: Cell = GOOD, tier: Tier = Tier.EXHAUSTIVE) -> dict[str, str]:
    """The rules that do not hold when one cell of one system is another."""
    columns = []
    for system, cells in SOUND.items():
        given = {**cells, **({plan: held} if system == name else {})}
        columns.append(Column(system, given, BUG if "bug" in system else None))
    return {rule.rule: rule.detail for rule in rules_of_systems(columns, tier) if not rule.holds}


@pytest.mark.parametrize("tier", Tier)
def test_sound_systems_break_nothing(tier: Tier) -> None:
    assert broken(tier=tier) == {}


@pytest.mark.parametrize(
    ("name", "plan", "held", "rule", "says"),
    [
        (REFERENCE, "apart", BAD, "the reference passes every plan", "apart is failed: c reads '5'"),
        (REFERENCE, "apart", NOTHING, "the reference passes every plan", "apart is blocked"),
        (AGAIN, "aimed", BAD, "a second grading of the reference says the same", "aimed is failed"),
        (IDLE, "aimed", BAD, "what was not built blocks every plan", "aimed is failed"),
        (
            BLANK,
            "aimed",
            Cell(outcome=FAILED, passed=frozenset("c")),
            "blank pages pass no check",
            "aimed: c passes",
        ),
        (
            BLANK,
            "apart",
            Cell(outcome=BLOCKED, says="no"),
            "blank pages pass no check",
            "apart is blocked: no",
        ),
        (
            "bug: wrong",
            "aimed",
            GOOD,
            "every planted bug fails the plan that is aimed at it",
            "aimed is passed",
        ),
        (
            "bug: wrong",
            "aimed",
            NOTHING,
            "every planted bug fails the plan that is aimed at it",
            "is blocked",
        ),
        ("bug: wrong", "apart", BAD, "no other plan notices", "apart is failed too: c reads '5'"),
    ],
)
def test_what_is_wrong_breaks_its_rule_alone(name: str, plan: str, held: Cell, rule: str, says: str) -> None:
    found = broken(name, plan, held)
    assert list(found) == [rule] and says in found[rule]


def test_a_plan_that_shares_a_feature_must_not_notice_either() -> None:
    found = broken("bug: wrong", "shares", BAD, Tier.FULL)
    assert list(found) == ["no other plan that shares a feature with that one notices"]


def _verdict(check: str, passed: bool) -> StepVerdict:
    return StepVerdict(step=check, checks=(CheckVerdict(check=check, passed=passed, quotes=("5",)),))


def test_a_walk_passes_when_every_step_does_and_it_came_to_its_end() -> None:
    assert cell([_verdict("a", True), _verdict("b", True)]).outcome is PASSED
    assert cell([_verdict("a", True)], "TimeoutError: no such button").outcome is FAILED
    held = cell([_verdict("a", True), _verdict("b", False)], "TimeoutError")
    assert held == Cell(outcome=FAILED, passed=frozenset("a"), says="b reads '5' (TimeoutError)")


def test_a_tier_asks_of_a_bug_the_plan_aimed_at_it_those_that_share_or_all() -> None:
    folder = GrowFolder(SHELF)
    (bug,) = (bug for bug in folder.module("bugs").BUGS if bug.plan == "lent")
    asked = {tier: {p.id for p in systems(folder, (bug,), tier)[-1].plans} for tier in Tier}
    assert asked[Tier.QUICK] == {"lent"}
    assert asked[Tier.FULL] == asked[Tier.EXHAUSTIVE] == {"lent", "back", "cents", "first"}


@pytest.fixture
def copied(tmp_path: Path, cache_folder: None) -> Path:
    return shutil.copytree(SHELF, tmp_path / "shelf", ignore=shutil.ignore_patterns("__pycache__"))


def _edited(folder: Path, path: str, old: str, new: str) -> GrowFolder:
    text = (folder / path).read_text()
    assert old in text
    (folder / path).write_text(text.replace(old, new))
    return GrowFolder(folder)


def test_nothing_is_stood_up_for_a_product_that_is_faulty_as_it_is_written(copied: Path) -> None:
    record = prove_grow(_edited(copied, "plans/back.toml", '"lending"]', "]"), Tier.QUICK)
    assert not record.holds and record.columns == () and record.matrix == {}
    assert [rule.rule for rule in record.rules] == ["the product has no fault"]
    assert "back: is combined and uses 1 features" in record.rules[0].detail


@pytest.mark.parametrize(
    ("path", "old", "new", "says"),
    [
        ("walkthroughs.py", '"back": back, ', "", "WALKS has one walk per plan; see back"),
        ("bugs.py", '"lent",', '"lend",', "is aimed at lend, which is no plan"),
        ("bugs.py", "BUGS", "FAULTS", "must have BUGS, each with a name of its own"),
        ("bugs.py", " AND borrower IS NULL RETURNING", " AND none", "holds ' AND none' 0 times, not once"),
    ],
)
def test_what_a_proof_needs_is_asked_for(copied: Path, path: str, old: str, new: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        prove_grow(_edited(copied, path, old, new), Tier.QUICK)


def test_a_full_proof_without_a_graders_browser_says_so_before_anything_is_stood_up(
    copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tenure.prove.grow.missing", lambda: "a grader's browser needs chromium")
    with pytest.raises(BadInput, match="needs chromium"):
        prove_grow(GrowFolder(copied), Tier.FULL)


def test_a_stopped_proof_goes_on_where_it_was_and_looks_again_at_what_was_not_as_wanted(
    copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, asked, most = GrowFolder(copied), list[tuple[str, str]](), 5

    async def walk(_: object, system: System, plans: Sequence[Plan], __: object) -> dict[str, Cell]:
        if len(asked) >= most:
            raise KeyboardInterrupt
        asked.extend((system.name, plan.id) for plan in plans)
        odd = (system.name, plans[0].id) == (REFERENCE, "first") and most == 5
        return {plan.id: Cell(outcome=BLOCKED if odd else system.wants(plan.id)) for plan in plans}

    monkeypatch.setattr("tenure.prove.grow._walk", walk)
    with pytest.raises(KeyboardInterrupt):
        prove_grow(folder, Tier.QUICK)
    first, asked, most = set(asked), [], 1000
    assert (REFERENCE, "first") in first
    assert prove_grow(folder, Tier.QUICK).holds
    assert first.intersection(asked) == {(REFERENCE, "first")}
    whole = first.union(asked)
    asked = []
    assert prove_grow(folder, Tier.QUICK).holds and asked == []
    assert prove_grow(folder, Tier.QUICK, again=True).holds and set(asked) == whole
    asked = []
    edited = _edited(copied, "task.toml", 'version = "1-0"', 'version = "1-1"')
    assert prove_grow(edited, Tier.QUICK).holds and set(asked) == whole


def _card(**outcomes: Outcome) -> GrowScorecard:
    findings = [
        PlanFinding(plan=plan, title=plan, kind=PlanKind.SINGLE, outcome=outcome, reason="c")
        for plan, outcome in outcomes.items()
    ]
    task = GrowFolder(SHELF).task
    return score_build(task, findings, [StageRecord(stage="a", ending=Ending.DONE)], planned_stages=1)


def test_a_build_that_comes_to_something_else_is_told_by_plan() -> None:
    wanted = {"aimed": FAILED, "shares": PASSED}
    assert unlike(_card(aimed=FAILED, shares=PASSED), wanted) == []
    assert unlike(_card(aimed=PASSED), wanted) == ["aimed is passed, not failed: c", "shares has no finding"]


@pytest.mark.full
@isolated
def test_the_smallest_product_is_proven_through_the_agents_loops(copied: Path) -> None:
    record = prove_grow(GrowFolder(copied), Tier.EXHAUSTIVE)
    assert [rule.detail for rule in record.rules if not rule.holds] == []
    assert record.columns[:4] == (REFERENCE, AGAIN, IDLE, BLANK) and len(record.rules) == 8
    assert record.matrix["lent"] == (PASSED, PASSED, BLOCKED, FAILED, PASSED, FAILED)


@pytest.mark.full
@isolated
@pytest.mark.parametrize(
    ("change", "broken"),
    [
        (lambda folder: GrowFolder(folder), set()),
        (
            lambda folder: _edited(
                folder, "reference/02-lending/lending.py", "SET borrower = NULL WHERE", "SET id = id WHERE"
            ),
            {"the reference passes every plan"},
        ),
        (
            lambda folder: _edited(folder, "bugs.py", '"ROUND_DOWN")', "ROUND_HALF_UP )"),
            {"every planted bug fails the plan that is aimed at it"},
        ),
        (
            lambda folder: _edited(
                folder, "walkthroughs.py", 'walk.reads("empty", "ann", "The', 'walk.lacks("empty", "ann", "No'
            ),
            {"blank pages pass no check"},
        ),
    ],
    ids=["as it is", "a reference that fails", "a bug that is none", "a check that passes on nothing"],
)
def test_a_proof_holds_or_says_what_breaks_it(
    copied: Path, change: Callable[[Path], GrowFolder], broken: set[str]
) -> None:
    folder = change(copied)
    record = prove_grow(folder, Tier.QUICK)
    assert {rule.rule for rule in record.rules if not rule.holds} == broken
    assert record.columns[:3] == (REFERENCE, IDLE, BLANK) and len(record.matrix) == 4
    assert (stored_proof(folder, Tier.QUICK) == record) is (not broken)
