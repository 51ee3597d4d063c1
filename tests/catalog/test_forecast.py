"""The forecast: its oracle, its idle agent, its mutants and vandals, for many seeds."""

import asyncio
import re
from pathlib import Path

import pytest

from catalog.attempts import Attempts
from tenure.grading import grade
from tenure.oracle import Mutant, Vandal, idle
from tenure.schema import Outcome
from tenure.twins.sheets import read

FORECAST = Attempts("carry/forecast")
FOLDER, attempt = FORECAST.folder, FORECAST.run
SEEDS = (1, 2, 3, 4, 5, 6, 7)


@pytest.mark.parametrize("prefer", ["rest", "mcp"])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_oracle_passes_everything_and_touches_nothing_else(bases: Path, seed: int, prefer: str) -> None:
    FORECAST.oracle_passes(bases, seed, prefer)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_idle_agent_passes_guards_only(bases: Path, seed: int) -> None:
    FORECAST.idle_passes_guards_only(bases, seed)


@pytest.mark.parametrize("seed", (1, 2))
@pytest.mark.parametrize("mutant", FORECAST.mutants, ids=lambda m: m.name)
def test_mutants_die_of_what_they_say(bases: Path, mutant: Mutant, seed: int) -> None:
    FORECAST.mutant_dies(bases, mutant, seed)


@pytest.mark.parametrize("seed", (1, 2))
@pytest.mark.parametrize("vandal", FORECAST.vandals, ids=lambda v: v.name)
def test_vandals_break_what_they_say(bases: Path, vandal: Vandal, seed: int) -> None:
    FORECAST.vandal_breaks(bases, vandal, seed)


def test_every_check_has_its_mutant_or_vandal() -> None:
    FORECAST.every_check_is_killed()


def test_the_checks_are_of_the_number_and_weight_that_the_protocols_ask_for(bases: Path) -> None:
    FORECAST.numbers_and_weights_are_right(bases)


def test_both_oracles_use_the_tools_that_there_are(bases: Path) -> None:
    done, _ = attempt(bases, prefer="mcp")
    tools = {action.tool for action in done.actions}
    assert tools >= {
        f"sheets_{name}" for name in ("get_values", "get_spreadsheet", "update_values", "update_formulas")
    }
    assert tools >= {"hubspot_hubspot_search_objects", "gmail_create_draft"}


def test_failure_patterns_name_the_rule_and_the_hardest_record(bases: Path) -> None:
    by_name = {mutant.name: mutant for mutant in FORECAST.mutants}
    _, card = attempt(bases, changes=by_name["last quarter's rate"].changes)
    assert "rule_elsewhere" in card.patterns and "read_then_left" not in card.patterns
    _, card = attempt(bases, changes=by_name["the rows are left as they were"].changes)
    assert "read_then_left" in card.patterns
    _, card = attempt(bases, changes=by_name["totals are typed"].changes)
    assert "one_check_short" in card.patterns


def test_a_world_that_lacks_what_the_task_needs_is_an_error(bases: Path) -> None:
    done, _ = attempt(bases)
    done.end.facts["book"] = "sheets.spreadsheet/none"
    card = asyncio.run(grade(FOLDER, done.end))
    outcomes = {finding.check: finding.outcome for finding in card.findings}
    assert outcomes["rate"] is Outcome.ERROR and card.outcome is Outcome.ERROR


@pytest.mark.parametrize("seed", SEEDS)
def test_the_sheet_was_right_when_it_was_last_updated(bases: Path, seed: int) -> None:
    done, _ = attempt(bases, seed, idle)
    facts, book = done.end.facts, done.end.facts["book"].partition("/")[2]
    rows = read.values(done.end, book, "Pipeline")[1:]
    assert len(rows) == 13 and all(isinstance(row[9], float | int) for row in rows)
    for label, total, count in read.values(done.end, book, "Summary!A7:C8"):
        amounts = [row[9] for row in rows if row[7] == label]
        assert (pytest.approx(sum(amounts)), len(amounts)) == (total, count) and count
    rates = [row[1] for row in read.values(done.end, book, "Rates")[1:]]
    assert facts["rate"] not in rates and len(set(rates)) == 3


@pytest.mark.parametrize("seed", SEEDS)
def test_one_deal_counts_on_the_last_day_of_the_limit(bases: Path, seed: int) -> None:
    done, _ = attempt(bases, seed)
    book = done.end.facts["book"].partition("/")[2]
    limit = re.search(r"more than (\d+) days", read.values(done.end, book, "Read me")[3][1])
    (((today,),), rows) = (read.values(done.end, book, part) for part in ("Summary!B2", "Pipeline!E2:H21"))
    assert limit is not None
    ages = [today - row[0] for row in rows if len(row) == 4]
    assert max(ages) == int(limit[1]) and sorted(ages)[-2] <= 10


def test_the_instruction_gives_nothing_away(bases: Path) -> None:
    done, _ = attempt(bases, solve=idle)
    facts, text = done.end.facts, FOLDER.instruction(done.end.facts)
    assert str(facts["rate"]) not in text and facts["finance_email"] not in text
    assert facts["book"].partition("/")[2] not in text
    for word in ("stale", "twice", "double", "rate", "closed", "stage", "convert", "read me"):
        assert word not in text.lower().replace("operates", "")
    assert "{" not in text
