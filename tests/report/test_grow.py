import csv
import json
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from support.grow import plan as make_plan
from tenure.report import write_report
from tenure.report.text import percent, slug
from tenure.schema import AttemptRecord, Ending, Outcome
from tenure.schema.v1 import PartScore, PlanScore, V1Score
from tenure.schema.verdict import Grade, Standing
from tenure.scoring.grow import score_rows, subsets

from . import grows
from .hostile import ATTACKS
from .test_build import PIXEL
from .test_site import Page, pages, table

PLANS = grows.folder_plans()[:9]
RECORDS = grows.make_records(("a1.png", "a2.png"), PLANS)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    place = tmp_path_factory.mktemp("grows")
    screens = place / "run" / "attempts" / "grow-loomhouse-1" / "screens"
    screens.mkdir(parents=True)
    for name in ("a1.png", "a2.png"):
        (screens / name).write_bytes(PIXEL)
    return write_report(RECORDS, place / "out", folders=[place / "run"]).parent


def attempt(site: Path, *parts: str) -> Page:
    return next(page for page in pages(site) if all(part in page.path.name for part in parts))


def record_of(model: str, task: str, number: int) -> AttemptRecord:
    return next(r for r in RECORDS if (r.row.model, r.task, r.attempt) == (model, task, number))


def grades_of(record: AttemptRecord) -> list[Grade]:
    return [grade for f in (record.grow.findings if record.grow else ()) for grade in f.grades]


def test_every_link_leads_to_a_file_or_an_anchor_of_the_site(site):
    found = {page.path: page for page in pages(site)}
    assert len(found) == 1 + len(RECORDS)
    for page in found.values():
        ids = page.attributes("id")
        assert len(ids) == len(set(ids))
        for href in page.attributes("href"):
            if href == "data:,":
                continue
            parts = urlsplit(href)
            assert not parts.scheme and not parts.netloc, href
            target = (page.path.parent / unquote(parts.path)).resolve() if parts.path else page.path
            assert target.is_file() and target.is_relative_to(site.resolve()), href
            if parts.fragment:
                assert parts.fragment in found[target].attributes("id"), href


def test_the_leaderboard_shows_both_scores_with_their_intervals(site):
    text = Page(site / "index.html").text
    for score in score_rows(RECORDS):
        assert percent(score.pass_1) in text and percent(score.plan_pass_rate) in text
    assert "± " in text and "(0–" in text and "does not rank" in text
    assert all(title in text for title, _ in grows.PRODUCTS.values())


def test_public_and_held_out_stand_beside_each_other_with_their_rank_correlation(site):
    text = Page(site / "index.html").text
    found = subsets(score_rows(RECORDS))
    assert f"over {found.rows} rows: pass@1 {found.pass_1:.2f}" in text


def test_complete_failures_and_plans_without_a_grade_are_listed_with_their_cause(site):
    text = " ".join(Page(site / "index.html").text.split())
    assert "grow/ferry, build 2: it did not start. the product did not start" in text
    scores = score_rows(RECORDS)
    for lost in [lost for score in scores for lost in score.no_grades]:
        assert f"{lost.task}, build {lost.attempt}: {lost.plan}" in text
    assert "Short by one plan" in text and "By at most two" in text


def test_a_build_that_ended_early_says_where_and_how_many_stages_never_began(site):
    page = attempt(site, "archive-osier", "-3-")
    text = " ".join(page.text.split())
    assert "stage 8 of 12, 09-live" not in text and "stage 8 of 12, 08-materials" in text
    assert "4 stages never began" in text and "out of time" in text


def test_every_grade_is_shown_with_its_checks_and_quotations(site):
    record = next(r for r in RECORDS if any(g.standing is Standing.THROWN_OUT for g in grades_of(r)))
    page = attempt(site, slug(record))
    grades = [a for tag, a in page.elements if tag == "details" and a.get("class") == "grade"]
    made = grades_of(record)
    assert len(grades) == len(made)
    for f in record.grow.findings:
        assert f.title in page.text and all(says in page.text for says in f.checks.values())
    quoted = sum(len(c.quotes) for grade in made for step in grade.steps for c in step.checks)
    assert sum(tag == "q" for tag, _ in page.elements) == quoted
    out = [grade for grade in made if grade.standing is Standing.THROWN_OUT]
    assert out and all(grade.reason in page.text for grade in out)


def test_each_screenshot_is_inlined_once_and_its_quotations_lead_to_it(site):
    page = attempt(site, "loomhouse-kestrel", "-1-")
    assert len(page.attributes("src")) == 2
    assert all(source.startswith("data:image/png;base64,iVBOR") for source in page.attributes("src"))
    assert {href for href in page.attributes("href") if "picture" in href} == {"#picture-1", "#picture-2"}


def test_a_quotation_whose_screenshot_is_gone_keeps_its_look(tmp_path):
    record = grows.make_record(grows.make_row("native", "m"), "grow/ferry", 1, 1.0, 9, ("gone.png",), PLANS)
    write_report([record], tmp_path)
    (page,) = pages(tmp_path / "attempts")
    assert "look 1" in page.text and not page.attributes("src")


def test_blocked_plans_show_their_cause_and_the_log(site):
    page = attempt(site, "ferry-osier", "-2-")
    assert "Did not start" in page.text and 'relation "members" does not exist' in page.text


def test_a_plan_says_how_it_was_seeded(site):
    record = record_of("kestrel-large", "grow/loomhouse", 1)
    text = " ".join(attempt(site, "loomhouse-kestrel", "-1-").text.split())
    seeds = [f.seed for f in record.grow.findings if f.seed and f.seed.tries]
    assert seeds and text.count("What the seeding agent says") == len(seeds)
    assert text.count("made before, for the same code") == sum(seed.cached for seed in seeds)


def test_the_transcript_is_told_stage_by_stage(site):
    page = attempt(site, "loomhouse-kestrel", "-1-")
    talks = [a["id"] for tag, a in page.elements if tag == "details" and "talk" in (a.get("class") or "")]
    assert talks == [f"talk-{n}" for n in range(1, 13)]
    assert "The last request is built" in page.text


def test_a_fault_shows_no_score_and_what_broke(site):
    page = attempt(site, "orchard-osier", "-1-")
    assert "could not bind its socket" in page.text and "no score" in page.text


def test_downloads_agree_with_the_records(site):
    data = site / "data"
    lines = {path.stem.removeprefix("grow-"): table(path) for path in data.glob("*.csv")}
    cards = [r.grow for r in RECORDS if r.grow]
    assert len(lines["attempts"]) == len(RECORDS)
    assert len(lines["stages"]) == sum(len(card.stages) for card in cards)
    assert len(lines["plans"]) == sum(len(card.findings) for card in cards)
    assert len(lines["grades"]) == sum(len(f.grades) for card in cards for f in card.findings)
    assert len(lines["products"]) == len(grows.ROWS) * len(grows.PRODUCTS)
    for line in lines["rows"]:
        assert int(line["planned"]) == sum(int(line[outcome]) for outcome in Outcome)
        missed = [int(line[f"{kind}_plans_missed"]) for kind in ("combined", "single", "sign_in")]
        assert sum(missed) == int(line["plans_failed"]) + int(line["plans_blocked"])
    for line in lines["attempts"]:
        stored = json.loads((site / line["page"]).with_suffix(".json").read_text())
        assert AttemptRecord.model_validate(stored) in RECORDS
    whole = json.loads((data / "report.json").read_text())["grow"]
    assert [len(whole[part]) for part in ("rows", "attempts", "plans")] == [
        len(lines[part]) for part in ("rows", "attempts", "plans")
    ]


def test_an_adopted_product_shows_its_parts_and_points(tmp_path):
    record = record_of("kestrel-large", "grow/loomhouse", 1)
    parts = (
        PartScore(part="mvp", plans=2, passed=True, score=1.0),
        PartScore(part="tags", plans=1, passed=False, score=0.25),
    )
    plans = tuple(
        PlanScore(plan=f"p{n}", part="mvp" if n < 2 else "tags", earned=e, points=12, passed=e == 12)
        for n, e in enumerate((12, 12, 3))
    )
    v1 = V1Score(pass_1=0.5, score=0.625, parts=parts, plans=plans, unjudged=())
    card = record.grow.model_copy(update={"v1": v1})
    write_report([record.model_copy(update={"grow": card})], tmp_path)
    (page,) = pages(tmp_path / "attempts")
    text = " ".join(page.text.split())
    assert "27 of 36 points" in text and "pass@1 50.0 %" in text
    assert "mvp 2 100.0 passed" in text and "tags 1 25.0 failed" in text and "All parts 3 62.5" in text


def test_a_planned_row_that_never_ran_has_no_scores(tmp_path):
    row = grows.make_row("native", "m", tasks=("grow/ferry",))
    text = Page(write_report([], tmp_path, planned={row: {"grow/ferry": 4}})).text
    assert "subset of grow/ferry is not known" in " ".join(text.split()) and "n/a" in text
    (line,) = table(tmp_path / "data" / "grow-rows.csv")
    assert (line["pass_1"], line["not_run"]) == ("", "4")


@pytest.mark.parametrize("name", ["rows", "products", "attempts", "stages", "plans", "grades"])
def test_the_downloads_columns_are_described(name, site):
    page = (Path(__file__).parents[2] / "docs" / "files.md").read_text("utf-8")
    section = page.partition(f"### `grow-{name}.csv`\n")[2].partition("\n#")[0]
    cells = re.findall(r"^\| (`.+?) \|", section, re.MULTILINE)
    described = {column for cell in cells for column in re.findall(r"`(\w+)`", cell)}
    assert described == set(table(site / "data" / f"grow-{name}.csv")[0])


def poison(record: AttemptRecord, text: str) -> AttemptRecord:
    data = record.model_dump(mode="json")
    row = {"agent": text, "model": text, "settings": text, "commit": text, "sandbox": text, "image": text}
    data["row"] |= row | {"task_hashes": [[text, text]]}
    data |= dict.fromkeys(("task", "title", "started", "ended", "instruction", "answer", "error"), text)
    data["provenance"] |= {k: row[k] for k in ("model", "commit", "sandbox", "image")}
    data["provenance"] |= {"task_hash": text, "world_hash": text, "proof_hash": text}
    data["transcript"] = [{"role": text, "text": text, "stage": text, "calls": [{"tool": text}, text]}]
    card = data["grow"]
    card |= {"task": text, "version": text, "reason": f"{text}\n{text}"}
    for stage in card["stages"]:
        stage |= {"stage": text, "reason": text, "ending": Ending.OUT_OF_STEPS}
    card["findings"] = card["findings"][:3]
    for f in card["findings"]:
        f |= {"plan": text, "title": text, "reason": f"{text}\n{text}", "features": [text]}
        f |= {"checks": {text: text}}
        f["seed"] = {"ok": True, "tries": 1, "seeder": text, "report": text, "reason": text}
        for grade in f["grades"]:
            grade |= {"reason": text, "grader": text}
            for step in grade["steps"]:
                step |= {"step": text, "note": text, "undone": [1]}
                for check in step["checks"]:
                    check |= {"check": text, "note": text, "quotes": [text], "pictures": [text]}
    return AttemptRecord.model_validate(data)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda a: a[:20])
def test_hostile_values_add_no_element_and_no_attribute(attack, tmp_path):
    row = grows.make_row("native", "m", tasks=("grow/ferry",))
    record = grows.make_record(row, "grow/ferry", 1, 0.6, plans=(make_plan(), *PLANS[:2]))
    found = [
        pages(write_report([poison(record, text)], tmp_path / name).parent)
        for name, text in (("attacked", attack), ("calm", "calm"))
    ]
    for page, expected in zip(*found, strict=True):
        assert [(tag, sorted(a)) for tag, a in page.elements] == [
            (tag, sorted(a)) for tag, a in expected.elements
        ]
        assert not any(ord(c) < 32 and c not in "\n\t" for c in page.path.read_text())
        assert page.path.stat().st_size < 4_000_000
    csv.field_size_limit(10_000_000)
    for path in (tmp_path / "attacked" / "data").glob("*.csv"):
        for line in csv.reader(path.read_text("utf-8-sig").splitlines(keepends=True)):
            assert not any(cell.lstrip()[:1] in ("=", "+", "@") for cell in line if cell)
