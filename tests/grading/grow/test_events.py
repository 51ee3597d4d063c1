from typing import Any

import pytest

from support.grow import plan
from tenure.grading.grow import (
    EVENTS,
    Actor,
    Event,
    Navigated,
    Queried,
    Requested,
    Rule,
    Scripted,
    Touched,
    breaches,
)
from tenure.schema.grow import Plan

TWO = plan(["c1"], ["c2"], users=("ana", "ben"))
RELOADING = TWO.model_copy(
    update={"steps": (TWO.steps[0].model_copy(update={"reloads": ("ben",)}), TWO.steps[1])}
)


def scripted(source: str, **more: Any) -> Scripted:
    return Scripted(number=1, step="s1", by=Actor.GRADER, source=source, **more)


def went(by: Actor = Actor.GRADER, **more: Any) -> Navigated:
    fields = {"number": 1, "step": "s1", "user": "ben", "url": "http://app/rides", **more}
    return Navigated(by=by, **fields)


def queried(statement: str) -> Queried:
    return Queried(number=1, by=Actor.GRADER, statement=statement)


def rules(*events: Event, of: Plan = TWO) -> list[Rule]:
    return [breach.rule for breach in breaches(of, events)]


ALLOWED = [
    "await page.getByRole('button', { name: 'Book' }).click()",
    "await page.getByLabel('To').pressSequentially('Station')",
    "await page.mouse.move(10, 20); await page.mouse.down()",
    "await page.waitForTimeout(5000)",
    "await page.locator('input[type=file]').setInputFiles('map.png')",
    "const t = await page.locator('main').textContent(); return t",
    "return await page.evaluate(() => document.body.innerText)",
    "const same = (await row.textContent()) === 'Booked'",
    "await page.goto('http://app/rides')",
    "await prefetch(page)",
]
BROKEN = [
    ("await fetch('/api/rides')", Rule.API_CALL),
    ("await page.evaluate(() => fetch('/api'))", Rule.API_CALL),
    ("await page.request.post('/api/rides')", Rule.API_CALL),
    ("await context.request.get('/api')", Rule.API_CALL),
    ("const s = new WebSocket('ws://app')", Rule.API_CALL),
    ("const x = new XMLHttpRequest()", Rule.API_CALL),
    ("navigator.sendBeacon('/x')", Rule.API_CALL),
    ("el.innerHTML = '<b>Paid</b>'", Rule.PAGE_EDIT),
    ("button.disabled = false", Rule.PAGE_EDIT),
    ("el.removeAttribute('disabled')", Rule.PAGE_EDIT),
    ("localStorage.setItem('user', 'ana')", Rule.PAGE_EDIT),
    ("document.cookie = 'a=b'", Rule.PAGE_EDIT),
    ("await page.setContent('<p>Paid</p>')", Rule.PAGE_EDIT),
    ("await page.route('**/api', r => r.fulfill())", Rule.PAGE_EDIT),
    ("await page.clock.fastForward(60000)", Rule.PAGE_EDIT),
]


@pytest.mark.parametrize("source", ALLOWED)
def test_acting_as_a_person_breaks_no_rule(source: str) -> None:
    assert rules(scripted(source)) == []


@pytest.mark.parametrize(("source", "rule"), BROKEN)
def test_a_script_that_goes_past_the_screen_is_found_by_its_source(source: str, rule: Rule) -> None:
    assert rules(scripted(source)) == [rule]


def test_a_script_that_edits_in_a_way_its_source_hides_is_found_by_what_it_did() -> None:
    assert rules(scripted("await helper(page)", edits=2)) == [Rule.PAGE_EDIT]


def test_only_requests_that_no_page_made_are_calls_of_the_api() -> None:
    fields = {"number": 1, "method": "POST", "url": "http://app/api/rides"}
    assert rules(Requested(by=Actor.PAGE, **fields)) == []
    assert rules(Requested(by=Actor.GRADER, **fields)) == [Rule.API_CALL]


READS = [
    "SELECT * FROM rides",
    "select 'delete from rides' as text",
    "WITH a AS (SELECT 1) SELECT * FROM a",
    "EXPLAIN SELECT 1; SHOW server_version;",
    "SELECT * FROM rides FOR UPDATE",
    "-- delete from rides\nSELECT 1",
    'SELECT "update" FROM rides',
]
WRITES = [
    "UPDATE rides SET fare = 1",
    "SELECT 1; DELETE FROM rides",
    "WITH gone AS (DELETE FROM rides RETURNING *) SELECT * FROM gone",
    "SELECT * INTO copy FROM rides",
    "SELECT nextval('ride_ids')",
    "TRUNCATE rides",
    "DO $$ BEGIN END $$",
    "/* select */ INSERT INTO rides VALUES (1)",
    "COPY rides FROM stdin",
]


@pytest.mark.parametrize("statement", READS)
def test_reading_the_database_breaks_no_rule(statement: str) -> None:
    assert rules(queried(statement)) == []


@pytest.mark.parametrize("statement", WRITES)
def test_anything_else_is_a_write(statement: str) -> None:
    assert rules(queried(statement)) == [Rule.DATABASE_WRITE]


def test_the_products_own_writes_are_its_own() -> None:
    assert rules(Queried(number=1, by=Actor.PRODUCT, statement="DELETE FROM rides")) == []


@pytest.mark.parametrize(
    "event",
    [
        went(reload=True),
        went(before="http://app/rides"),
        went(before="http://app/rides/"),
        went(before="http://app/rides#top"),
    ],
)
def test_a_page_loaded_anew_is_a_reload_unless_the_step_allows_it_to_that_user(event: Navigated) -> None:
    assert rules(event) == [Rule.RELOAD]
    assert rules(event, of=RELOADING) == []
    assert rules(event.model_copy(update={"user": "ana"}), of=RELOADING) == [Rule.RELOAD]
    assert rules(event.model_copy(update={"step": "s2"}), of=RELOADING) == [Rule.RELOAD]


@pytest.mark.parametrize(
    "event",
    [
        went(),
        went(before="http://app/"),
        went(before="http://app/rides?page=2"),
        went(Actor.PAGE, reload=True),
    ],
)
def test_going_elsewhere_and_the_products_own_reload_are_none(event: Navigated) -> None:
    assert rules(event) == []


@pytest.mark.parametrize("url", ["data:text/html,Booked", "file:///app/list.csv", "view-source:http://app/"])
def test_a_page_of_the_graders_own_is_none_of_the_products(url: str) -> None:
    assert rules(went(url=url)) == [Rule.PAGE_EDIT]
    assert rules(went(Actor.PAGE, url=url)) == []
    assert rules(went(url="chrome-error://chromewebdata/")) == []


def test_touching_the_product_is_a_repair() -> None:
    (breach,) = breaches(TWO, [Touched(number=7, by=Actor.GRADER, what="/app/server.js")])
    assert (breach.rule, breach.event) == (Rule.REPAIR, 7)
    assert breach.says == "/app/server.js was changed"


def test_a_stored_log_is_read_as_it_was_written() -> None:
    log = (went(), queried("SELECT 1"), scripted("x"), Touched(number=2, by=Actor.GRADER, what="a"))
    assert EVENTS.validate_json(EVENTS.dump_json(log)) == log
