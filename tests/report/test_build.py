import csv
import json
import re
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from support.scored import node
from tenure.report import write_report
from tenure.report.build.graph import COLUMN, HEIGHT, WIDTH, draw
from tenure.report.build.views import node_lines
from tenure.schema import AttemptRecord, Interface, Outcome

from . import builds, fixtures
from .hostile import ATTACKS
from .test_site import Page, pages, table

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360f8cfc0000003"
    "010100c9fe92ef0000000049454e44ae426082"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    place = tmp_path_factory.mktemp("builds")
    screens = place / "run" / "attempts" / "build-helpdesk-1" / "screens"
    screens.mkdir(parents=True)
    (screens / "a1.png").write_bytes(PIXEL)
    out = write_report(builds.make_records("a1.png"), place / "out", folders=[place / "run"])
    return out.parent


def attempt(site: Path, *parts: str) -> Page:
    return next(page for page in pages(site) if all(part in page.path.name for part in parts))


def test_every_link_leads_to_a_file_or_an_anchor_of_the_site(site):
    found = {page.path: page for page in pages(site)}
    assert len(found) == 2 + len(builds.make_records())
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


def test_the_heading_without_a_title_is_the_suites(site):
    assert "Build" in Page(site / "index.html").text
    assert not (site / "carry.html").exists()


def test_the_leaderboard_shows_scores_backbones_domains_and_classes(site):
    index = Page(site / "index.html")
    for shown in ("Deploy", "AuthZ", "DCI", "T5", "Never reliably runs", "Without", "does not rank"):
        assert shown in index.text, shown
    assert all(title in index.text for title, _ in builds.TASKS.values())


def test_the_comparison_pivots_agents_and_models(site):
    text = Page(site / "comparison.html").text
    assert all(agent in text and model in text for agent, model, *_ in builds.ROWS)
    (line,) = [li for li in table(site / "data" / "build-comparison.csv") if li["agent"] == "loop"]
    assert line["model"] == "kestrel-large" and f"{float(line['score']):.1f}" in text


def test_an_attempt_page_draws_every_node_and_leads_from_blocked_to_root(site):
    record = next(r for r in builds.make_records() if r.row.agent == "loop" and r.task == "build/helpdesk")
    page = attempt(site, "helpdesk", "kestrel")
    findings = record.build.findings
    boxes = [a for tag, a in page.elements if tag == "a" and "data-node" in a]
    assert len(boxes) == len(findings)
    assert {a["class"].split()[1] for a in boxes} == {f.outcome.value for f in findings}
    edges = [a for tag, a in page.elements if tag == "path" and (a.get("class") or "").startswith("edge")]
    assert len(edges) == sum(len(f.prerequisites) for f in findings)
    blocked = next(f for f in findings if f.outcome is Outcome.BLOCKED)
    assert f"{blocked.root}" in page.text and "root cause" in page.text
    assert all(f.source in page.text for f in findings)


def test_photographs_are_inlined_from_disk(site):
    page = attempt(site, "helpdesk", "tenure-oracle")
    sources = page.attributes("src")
    assert sources and all(source.startswith("data:image/png;base64,iVBOR") for source in sources)


def test_foreign_source_and_faults_are_shown_with_their_evidence(site):
    leaked = attempt(site, "flags", "osier")
    assert "git clone https://github.example/desk/desk.git" in leaked.text and "scores 0" in leaked.text
    fault = attempt(site, "wiki", "osier")
    assert "could not bind its socket" in fault.text and "no score" in fault.text


def test_downloads_agree_with_the_records(site):
    records = builds.make_records()
    attempts = table(site / "data" / "build-attempts.csv")
    nodes = table(site / "data" / "build-nodes.csv")
    rows = table(site / "data" / "build-rows.csv")
    assert len(attempts) == len(records)
    assert len(nodes) == sum(len(r.build.findings) for r in records)
    for line in rows:
        assert int(line["planned"]) == sum(int(line[outcome]) for outcome in Outcome)
        assert int(line["nodes"]) == sum(int(line[f"nodes_{outcome}"]) for outcome in Outcome)
    for line in attempts:
        assert (site / line["page"]).is_file()
        stored = json.loads((site / line["page"]).with_suffix(".json").read_text())
        assert AttemptRecord.model_validate(stored) in builds.make_records("a1.png")
    whole = json.loads((site / "data" / "report.json").read_text())["build"]
    assert [len(whole[part]) for part in ("rows", "attempts", "nodes")] == [
        len(rows),
        len(attempts),
        len(nodes),
    ]
    assert len(whole["comparison"]["cells"]) == len(rows)


def test_two_suites_share_a_site_with_a_page_each(tmp_path):
    carry = fixtures.make_record(fixtures.make_row("loop", "m", Interface.API), "carry/board", 1)
    build = builds.make_record(builds.make_row("loop", "m", tasks=("build/wiki",)), "build/wiki")
    out = write_report([build, carry], tmp_path).parent
    assert "Pass@1" in Page(out / "index.html").text and "Carry and build" in Page(out / "index.html").text
    assert "build.html" in Page(out / "index.html").attributes("href")
    assert "index.html" in Page(out / "build.html").attributes("href")
    (page,) = [p for p in pages(out / "attempts") if "build-wiki" in p.path.name]
    assert "../build.html#attempts" in page.attributes("href")
    assert {path.name for path in (out / "data").iterdir()} == {
        "report.json",
        *(f"{n}.csv" for n in ("rows", "attempts", "checks")),
        *(f"build-{n}.csv" for n in ("rows", "attempts", "nodes", "comparison")),
    }
    write_report([carry], tmp_path)
    assert not (out / "build.html").exists() and not (out / "comparison.html").exists()


def test_a_planned_row_that_never_ran_is_in_its_own_suites_page(tmp_path):
    row = builds.make_row("loop", "m", tasks=("build/wiki",))
    index = Page(write_report([], tmp_path, planned={row: {"build/wiki": 1}}))
    assert "not known" in index.text and "n/a" in index.text
    (line,) = table(tmp_path / "data" / "build-rows.csv")
    assert (line["score"], line["not_run"]) == ("", "1")


def test_notes_say_what_was_left_out(tmp_path):
    build = builds.make_record(builds.make_row("loop", "m", tasks=("build/wiki",)), "build/wiki")
    index = write_report([build], tmp_path, notes=["build/wiki attempt 1 contradicts its row: seed 2"])
    assert "attempt 1 contradicts its row: seed 2" in Page(index).text
    assert json.loads((tmp_path / "data" / "report.json").read_text())["notes"]


def poison(record: AttemptRecord, text: str) -> AttemptRecord:
    data = record.model_dump(mode="json")
    row = {"agent": text, "model": text, "settings": text, "commit": text, "sandbox": text, "image": text}
    data["row"] |= row | {"task_hashes": [[text, text]]}
    data |= dict.fromkeys(("task", "title", "started", "ended", "instruction", "answer", "error"), text)
    data["provenance"] |= {k: row[k] for k in ("model", "commit", "sandbox", "image")}
    data["provenance"] |= {"task_hash": text, "world_hash": text, "proof_hash": text}
    card = data["build"]
    card |= {"task": text, "version": text, "reason": text, "failure": text, "leaked": [text]}
    card["trajectories"] = {text: [text]}
    card["findings"] = card["findings"][:8]
    for f in card["findings"]:
        f |= dict.fromkeys(("says", "source", "category", "backbone", "reason", "root"), text)
        f |= {"node": text, "prerequisites": [text]}
        for step in f["steps"]:
            step |= {"primitive": text, "saw": text, "image": text}
    return AttemptRecord.model_validate(data)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda a: a[:20])
def test_hostile_values_add_no_element_and_no_attribute(attack, tmp_path):
    record = builds.make_record(builds.make_row("loop", "m", tasks=("build/wiki",)), "build/wiki")
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


def chain(*pairs: tuple[str, tuple[str, ...]]):
    return draw([node(name).model_copy(update={"prerequisites": wanted}) for name, wanted in pairs])


def test_a_node_is_drawn_after_all_that_it_waits_for():
    graph = chain(("c", ("a", "b")), ("b", ("a",)), ("a", ()), ("d", ()))
    x = {box.finding.node: box.x for box in graph.boxes}
    assert x["a"] == x["d"] and x["b"] == x["a"] + COLUMN and x["c"] == x["b"] + COLUMN
    assert {(e.start, e.end) for e in graph.edges} == {(2, 0), (1, 0), (2, 1)}


def test_boxes_never_overlap_and_lie_in_the_drawing():
    findings = builds.make_record(builds.make_row("loop", "m"), "build/wiki").build.findings
    graph = draw(findings)
    for column in {box.x for box in graph.boxes}:
        heights = sorted(box.y for box in graph.boxes if box.x == column)
        assert all(below - above >= HEIGHT for above, below in pairwise(heights))
    assert all(0 <= b.x <= graph.width - WIDTH and 0 <= b.y <= graph.height - HEIGHT for b in graph.boxes)


def test_cycles_unknown_prerequisites_and_nothing_are_drawn():
    graph = chain(("a", ("b", "gone")), ("b", ("a",)), ("c", ("c",)))
    assert len(graph.boxes) == 3 and len(graph.edges) == 1
    assert draw([]).boxes == ()


@pytest.mark.parametrize("name", ["rows", "attempts", "nodes", "comparison"])
def test_the_downloads_columns_are_described(name, site):
    page = (Path(__file__).parents[2] / "docs" / "files.md").read_text("utf-8")
    section = page.partition(f"### `build-{name}.csv`\n")[2].partition("\n#")[0]
    cells = re.findall(r"^\| (`.+?) \|", section, re.MULTILINE)
    described = {column for cell in cells for column in re.findall(r"`(\w+)`", cell)}
    assert described == set(table(site / "data" / f"build-{name}.csv")[0])


def test_nodes_that_lost_points_are_listed_before_those_that_did_not():
    found = [node("whole"), node("part", score=0.5), node("lost", "failed")]
    assert [line.finding.node for line in node_lines(found)] == ["lost", "part", "whole"]
