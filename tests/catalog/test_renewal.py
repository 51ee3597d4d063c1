"""The renewal: its oracle, its idle agent, its mutants and vandals, for many seeds."""

import asyncio
from pathlib import Path

import pytest

from catalog.attempts import Attempts
from tenure.grading import grade
from tenure.oracle import Mutant, Vandal, idle
from tenure.schema import Outcome

RENEWAL = Attempts("carry/renewal")
FOLDER, attempt = RENEWAL.folder, RENEWAL.run
SEEDS = (1, 2, 3, 4, 5, 6, 7, 8)


@pytest.mark.parametrize("prefer", ["rest", "mcp"])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_oracle_passes_everything_and_touches_nothing_else(bases: Path, seed: int, prefer: str) -> None:
    RENEWAL.oracle_passes(bases, seed, prefer)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_idle_agent_passes_guards_only(bases: Path, seed: int) -> None:
    RENEWAL.idle_passes_guards_only(bases, seed)


@pytest.mark.parametrize("seed", (1, 2))
@pytest.mark.parametrize("mutant", RENEWAL.mutants, ids=lambda m: m.name)
def test_mutants_die_of_what_they_say(bases: Path, mutant: Mutant, seed: int) -> None:
    RENEWAL.mutant_dies(bases, mutant, seed)


@pytest.mark.parametrize("seed", (1, 2))
@pytest.mark.parametrize("vandal", RENEWAL.vandals, ids=lambda v: v.name)
def test_vandals_break_what_they_say(bases: Path, vandal: Vandal, seed: int) -> None:
    RENEWAL.vandal_breaks(bases, vandal, seed)


def test_every_check_has_its_mutant_or_vandal() -> None:
    RENEWAL.every_check_is_killed()


def test_the_checks_are_of_the_number_and_weight_that_the_protocols_ask_for(bases: Path) -> None:
    RENEWAL.numbers_and_weights_are_right(bases)


def test_failure_patterns_name_the_rule_and_the_hardest_record(bases: Path) -> None:
    by_name = {mutant.name: mutant for mutant in RENEWAL.mutants}
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
