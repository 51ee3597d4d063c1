"""Each rule of an operate task's proof is broken once; and the smallest task is proven for real."""

from pathlib import Path

import pytest

from support.machines import isolated
from support.operated import found
from support.operating import APPS, CASHBOOK
from tenure.prove.operate import IDLE, ORACLE, Column, prove_operate, rules_of
from tenure.prove.record import Tier, proof_key, stored_proof
from tenure.schema.finding import JudgeVerdict
from tenure.schema.folder import find_operate
from tenure.schema.operate import CheckKind, OperateCheck, OperateFinding
from tenure.schema.words import Outcome

CHECKS = (
    OperateCheck(id="a", says="a"),
    OperateCheck(id="j", says="j", kind=CheckKind.JUDGED),
    OperateCheck(id="g", says="g", guard=True),
)
KILLS = {"mutant: m": ("a", "j"), "vandal: v": ("g",)}
YES = JudgeVerdict(judge="scripted yes", passed=True, reason="so")


def judged(outcome: str, *, asked: bool = True) -> OperateFinding:
    return found("j", outcome, kind=CheckKind.JUDGED, verdicts=(YES,) if asked else ())


def sound() -> dict[str, Column]:
    def column(name: str, a: str, j: OperateFinding, g: str, no: str = "failed") -> Column:
        findings = {"a": found("a", a), "j": j, "g": found("g", g, guard=True)}
        return Column(name, findings, {"j": Outcome(no)})

    columns = (
        column(ORACLE, "passed", judged("passed"), "passed"),
        column(IDLE, "failed", judged("failed", asked=False), "passed"),
        column("mutant: m", "failed", judged("failed", asked=False), "passed"),
        column("vandal: v", "passed", judged("passed"), "failed"),
    )
    return {one.name: one for one in columns}


def broken(
    columns: dict[str, Column], problems: tuple[str, ...] = (), **more: tuple[str, ...]
) -> dict[str, str]:
    """The rules that do not hold → what breaks them."""
    rules = rules_of(CHECKS, list(columns.values()), more or KILLS, problems)
    return {rule.rule: rule.detail for rule in rules if not rule.holds}


def with_finding(name: str, finding: OperateFinding) -> dict[str, Column]:
    columns = sound()
    columns[name].findings[finding.check] = finding
    return columns


def test_sound_attempts_break_nothing() -> None:
    assert broken(sound()) == {}


@pytest.mark.parametrize(
    ("name", "finding", "rule", "says"),
    [
        (ORACLE, found("a", "failed", saw="0 rows"), "the oracle passes", "a is failed: 0 rows"),
        (ORACLE, found("g", "failed", guard=True), "the oracle passes", "g is failed"),
        (IDLE, found("a", saw="1 row"), "the idle agent", "a passes on the untouched apps: 1 row"),
        (IDLE, judged("passed"), "the idle agent", "j passes on the untouched apps"),
        (IDLE, found("g", "failed", guard=True), "the idle agent", "guard g does not hold"),
        ("mutant: m", found("a"), "every check fails", "no mutant fails a"),
        ("mutant: m", judged("passed"), "every check fails", "no mutant fails j"),
        ("vandal: v", found("g", guard=True), "every check fails", "no vandal fails g"),
        ("mutant: m", found("a"), "mutants and vandals", "mutant: m does not fail a"),
        (
            "vandal: v",
            found("a", "error", error="Traceback\nboom"),
            "mutants and vandals",
            "vandal: v: a could not be answered: boom",
        ),
    ],
)
def test_what_is_wrong_breaks_its_rule(name: str, finding: OperateFinding, rule: str, says: str) -> None:
    said = {text for key, text in broken(with_finding(name, finding)).items() if key.startswith(rule)}
    assert len(said) == 1
    assert says in said.pop()


def test_what_else_is_wrong_is_told() -> None:
    assert broken(sound(), ("idle could not go on: x",)) == {"every script ran": "idle could not go on: x"}
    named = broken(sound(), **{"mutant: m": ("z",)})
    assert named == {"mutants and vandals fail what they declare": "mutant: m names 'z', which is no check"}
    columns = sound()
    columns[ORACLE] = Column(ORACLE, columns[ORACLE].findings, {"j": Outcome.PASSED}, ("click: no",), False)
    assert broken(columns) == {
        "the oracle passes every check, and nothing is refused": "refused: click: no",
        "the same evidence gets the same findings": "oracle was graded differently the second time",
        "judged checks follow the judge": "j is passed where the judge says no",
    }


@isolated
@pytest.mark.full
@pytest.mark.parametrize("tier", [Tier.QUICK, Tier.FULL])
def test_the_smallest_task_is_proven(tier: Tier, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENURE_APPS", str(APPS))
    folder = find_operate(str(CASHBOOK))
    record = prove_operate(folder, tier)
    assert [rule.detail for rule in record.rules if not rule.holds] == []
    assert stored_proof(folder, tier) == record
    assert record.columns[:2] == (ORACLE, IDLE)
    assert list(record.matrix["booked"]) == ["passed", *["failed"] * 4, "passed", "passed", "passed"]


def test_a_proof_is_stale_when_an_app_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import shutil

    apps = Path(shutil.copytree(APPS, tmp_path / "apps"))
    monkeypatch.setenv("TENURE_APPS", str(apps))
    folder = find_operate(str(CASHBOOK))
    before = proof_key(folder, Tier.QUICK)
    assert proof_key(folder, Tier.QUICK) == before
    recipe = apps / "cashbook" / "recipe.toml"
    recipe.write_text(recipe.read_text().replace("memory = 256", "memory = 300"))
    assert proof_key(folder, Tier.QUICK) != before
