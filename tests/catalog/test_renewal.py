"""The renewal: its oracle, its idle agent, its mutants and vandals, for many seeds."""

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from catalog.attempts import Attempts, failed
from tenure.grading import grade
from tenure.oracle import Mutant, Vandal, idle
from tenure.prove.expects import unfounded
from tenure.schema import Outcome
from tenure.scoring.partial import judged_weight_share

RENEWAL = Attempts("carry/renewal")
FOLDER, SOLVE, SPECS, attempt = RENEWAL.folder, RENEWAL.solve, RENEWAL.specs, RENEWAL.run
MUTANTS, VANDALS = RENEWAL.mutants, RENEWAL.vandals
SEEDS = (1, 2, 3, 4, 5, 6, 7, 8)


@pytest.mark.parametrize("prefer", ["rest", "mcp"])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_oracle_passes_everything_and_touches_nothing_else(bases: Path, seed: int, prefer: str) -> None:
    done, card = attempt(bases, seed, prefer=prefer)
    assert failed(card) == set() and card.clean_pass and not card.strays
    assert done.refusals == []
    assert unfounded(SPECS.values(), done.end, FOLDER.instruction(done.end.facts)) == []
    tools = Counter(action.tool for action in done.actions)
    assert (max(tools) != "http_request") is (prefer == "mcp")
    again, _ = attempt(bases, seed, prefer=prefer)
    assert again.end.fingerprint == done.end.fingerprint


@pytest.mark.parametrize("seed", SEEDS)
def test_the_idle_agent_passes_guards_only(bases: Path, seed: int) -> None:
    _, card = attempt(bases, seed, idle)
    assert {id for id in SPECS if id not in failed(card)} == {id for id, spec in SPECS.items() if spec.guard}
    assert card.partial == 0


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda m: m.name)
def test_mutants_die_of_what_they_say(bases: Path, mutant: Mutant) -> None:
    for seed in (1, 2):
        _, card = attempt(bases, seed, changes=mutant.changes)
        assert set(mutant.kills) <= failed(card)
        assert not card.passed or failed(card) <= {id for id, s in SPECS.items() if not s.required}


@pytest.mark.parametrize("vandal", VANDALS, ids=lambda v: v.name)
def test_vandals_break_what_they_say(bases: Path, vandal: Vandal) -> None:
    for seed in (1, 2):
        _, card = attempt(bases, seed, vandal.after(SOLVE))
        assert set(vandal.kills) <= failed(card) and not card.passed


def test_every_check_has_its_mutant_or_vandal() -> None:
    killed = {id for kills in [*(m.kills for m in MUTANTS), *(v.kills for v in VANDALS)] for id in kills}
    assert killed == set(SPECS)


def test_the_checks_are_of_the_number_and_weight_that_the_protocols_ask_for(bases: Path) -> None:
    required = [spec for spec in SPECS.values() if spec.required]
    assert 10 <= len(SPECS) <= 30 and 9 <= len(required) <= 27
    assert sum(spec.guard for spec in SPECS.values()) >= 2
    _, card = attempt(bases)
    assert 0.2 <= judged_weight_share(card.findings) <= 0.3


def test_failure_patterns_name_the_rule_and_the_hardest_record(bases: Path) -> None:
    by_name = {mutant.name: mutant for mutant in MUTANTS}
    _, card = attempt(bases, changes=by_name["nobody is asked"].changes)
    assert "rule_elsewhere" in card.patterns
    _, card = attempt(bases, changes=by_name["the deal is left as it was"].changes)
    assert "read_then_left" in card.patterns
    _, card = attempt(bases, changes=by_name["the price with tax"].changes)
    assert "one_check_short" in card.patterns and "read_then_left" not in card.patterns


def test_a_world_that_lacks_what_the_task_needs_is_an_error(bases: Path) -> None:
    done, _ = attempt(bases)
    done.end.facts["deal"] = "hubspot.deals/1"
    card = asyncio.run(grade(FOLDER, done.end))
    outcomes = {finding.check: finding.outcome for finding in card.findings}
    assert outcomes["amount"] is Outcome.ERROR and card.outcome is Outcome.ERROR


def test_the_instruction_gives_nothing_away(bases: Path) -> None:
    done, _ = attempt(bases, solve=idle)
    facts, text = done.end.facts, FOLDER.instruction(done.end.facts)
    for fact in (
        "amount",
        "seats",
        "term_months",
        "discount",
        "successor_email",
        "successor_last",
        "signer_email",
    ):
        assert str(facts[fact]) not in text
    for word in ("approv", "discount", "duplicate", "left the"):
        assert word not in text.lower()
    assert "{" not in text
