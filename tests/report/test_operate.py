"""The operate suite's pages and tables, on attempts as a run leaves them."""

import json
from pathlib import Path

import pytest

from support import operated
from tenure.report import write_report
from tenure.report.operate.views import task_views
from tenure.report.views import row_views
from tenure.schema import AttemptRecord, Outcome
from tenure.scoring.operate import score_rows

from . import operates
from .hostile import ATTACKS
from .test_site import Page, pages, table


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    return write_report(operates.make_records(), tmp_path_factory.mktemp("operate")).parent


def section(page: Page, name: str) -> str:
    """The source of a page from one section's beginning to the next one's."""
    source = page.path.read_text("utf-8")
    return source.partition(f'<section id="{name}">')[2].partition("<section ")[0]


def test_every_attempt_has_a_page_and_a_full_record(site):
    found = {page.path.stem for page in pages(site)}
    for record in operates.make_records():
        page = next(name for name in found if name.startswith(record.task.replace("/", "-")))
        assert (site / "attempts" / f"{page}.json").is_file()
    assert len(found) == 1 + len(operates.make_records())


def test_rows_stand_by_their_checkpoint_score_and_text_only_ones_have_none(site):
    rows = json.loads((site / "data" / "report.json").read_text())["operate"]["rows"]
    assert [(row["row"]["model"], row["rank"]) for row in rows] == [
        ("meridian-3-pro", 1),
        ("meridian-3-pro", 2),
        ("osier-mini", None),
        ("tenure/oracle", None),
    ]
    board = section(Page(site / "index.html"), "leaderboard")
    assert "text only" in board and "does not rank" in board
    assert f"<b>{rows[0]['checkpoint']:.1f}</b>" in board


def test_an_attempt_that_was_never_made_is_shown_and_counted(site):
    lines = table(site / "data" / "operate-rows.csv")
    missing = next(line for line in lines if line["agent"] == "browser-use")
    assert (missing["planned"], missing["not_run"]) == ("6", "1")
    assert "Attempt 2: not run" in section(Page(site / "index.html"), "attempts")


def test_the_tables_add_up(site):
    checks, attempts = (table(site / "data" / f"operate-{name}.csv") for name in ("checks", "attempts"))
    assert len(checks) == sum(int(line["checks"]) for line in attempts)
    one = attempts[0]
    own = [line for line in checks if all(line[k] == one[k] for k in ("agent", "model", "task", "attempt"))]
    earned = sum(float(c["weight"]) for c in own if c["outcome"] == "passed")
    whole = sum(float(c["weight"]) for c in own)
    assert float(one["checkpoint"]) == pytest.approx(earned / whole)


def test_claims_are_held_against_the_truth(site):
    row = json.loads((site / "data" / "report.json").read_text())["operate"]["rows"][0]
    wrong = next(c for c in row["calibration"] if c["claimed"] is True and not c["resolved"])
    assert wrong["attempts"] > 0
    assert "done, and right" in section(Page(site / "index.html"), "claims")


def test_a_check_that_could_not_be_answered_shows_why(tmp_path):
    broken = operated.found("a", "error", error="Unanswered: the database is gone")
    of = operated.row()
    record = operated.attempt(of, operated.card([operated.found("b"), broken]), 1)
    write_report([record], tmp_path)
    (page,) = (page for page in pages(tmp_path) if page.path.parent.name == "attempts")
    assert "the database is gone" in page.text
    assert record.outcome is Outcome.ERROR


def test_errors_and_attempts_never_made_stay_in_a_tasks_mean(tmp_path):
    of = operated.row(seeds=(1, 2, 3, 4))
    half = [operated.found("a"), operated.found("b", "failed")]
    records = [
        operated.attempt(of, operated.card([operated.found("a"), operated.found("b")]), 1),
        operated.attempt(of, operated.card(half), 2),
        operated.attempt(of, None, 3),
    ]
    write_report(records, tmp_path)
    (row,) = json.loads((tmp_path / "data" / "report.json").read_text())["operate"]["rows"]
    assert row["checkpoint"] == 37.5  # (1 + 1/2 + 0 + 0) / 4
    assert "<b>37.5</b>" in section(Page(tmp_path / "index.html"), "attempts")


def test_a_task_of_a_row_that_measured_nothing_has_no_mean():
    of, other = operated.row(), operated.row(model="other")
    records = [operated.attempt(of, None), operated.attempt(other, operated.card([operated.found("a")]))]
    rows = row_views(score_rows(records), records, lambda record: "")
    (task,) = task_views(rows, records)
    assert {view.score.row.model: task.scores[view.key] for view in rows} == {"m": None, "other": 100}


def test_a_text_only_row_shows_a_dash_for_what_is_over_all_tasks(tmp_path):
    records = [r for r in operates.make_records() if not json.loads(r.row.settings)["vision"]]
    write_report(records, tmp_path)
    page = Page(tmp_path / "index.html")
    assert '<td role="cell" class="n" data-label="Union">—</td>' in section(page, "leaderboard")
    more, attempts = section(page, "more"), section(page, "attempts")
    assert more.count('<td class="n">—</td>') == 2 and "Resolved@2" in more
    assert attempts.count("<b>—</b>") == 1


def poison(record: AttemptRecord, text: str) -> AttemptRecord:
    data = record.model_dump(mode="json")
    row = {"agent": text, "model": text, "settings": text, "commit": text, "sandbox": text, "image": text}
    data["row"] |= row | {"task_hashes": [[text, text]]}
    data |= dict.fromkeys(("task", "title", "started", "ended", "instruction", "answer", "error"), text)
    data["provenance"] |= {k: row[k] for k in ("model", "commit", "sandbox", "image")}
    data["provenance"] |= {"task_hash": text, "world_hash": text, "proof_hash": text}
    data["operate"] |= {"task": text, "version": text, "reason": text, "notes": [text], "apps": [text]}
    for f in data["operate"]["findings"]:
        f |= dict.fromkeys(("check", "says", "app", "saw", "error"), text)
        f["verdicts"] = [{"judge": text, "passed": None, "reason": text}]
    return AttemptRecord.model_validate(data)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda a: a[:20])
def test_hostile_values_add_no_element_and_no_attribute(attack, tmp_path):
    record = operates.make_record(operates.make_row("native", "m"), "operate/intake", 1, 0.8)
    found = [
        pages(write_report([poison(record, text)], tmp_path / name).parent)
        for name, text in (("attacked", attack), ("calm", "calm"))
    ]
    for page, expected in zip(*found, strict=True):
        assert [(tag, sorted(a)) for tag, a in page.elements] == [
            (tag, sorted(a)) for tag, a in expected.elements
        ]
        assert not any(ord(c) < 32 and c not in "\n\t" for c in page.path.read_text())
