"""What a grader's scripts must not do is found in the harness's own logs, whatever they say."""

import pytest

from tenure.grading.grow import Rule, breaches

from .conftest import PORT, Place, plan

PLAN = plan(["c1"], ["c2"], users=("ana", "bo"))
ADDRESS = f"http://127.0.0.1:{PORT}"
PAGE = "page('ana')"
CALL = "window['fet' + 'ch']"
POST = "po' + 'st"
"""Words that no rule finds in a script: the log has to show what was done."""


@pytest.mark.parametrize(
    ("script", "rule"),
    [
        (f"await {PAGE}.reload()", Rule.RELOAD),
        (f"await {PAGE}.goto({PAGE}.url)", Rule.RELOAD),
        (f"await {PAGE}.evaluate('location.reload()')\nawait asyncio.sleep(0.3)", Rule.RELOAD),
        (f"await {PAGE}.evaluate('location.href = location.href')\nawait asyncio.sleep(0.3)", Rule.RELOAD),
        (f'await {PAGE}.evaluate("{CALL}(1, {{method: `POST`}})")', Rule.API_CALL),
        (f'await {PAGE}.evaluate("async () => {{ await 0; {CALL}(`/book`) }}")', Rule.API_CALL),
        (f"call = getattr({PAGE}.request, '{POST}')\nawait call('{ADDRESS}/book')", Rule.API_CALL),
        (f"import urllib.request\nurllib.request.urlopen('{ADDRESS}/book', b'x')", Rule.API_CALL),
        (f"await asyncio.open_connection('127.0.0.1', {PORT})\nawait asyncio.sleep(2.3)", Rule.API_CALL),
        ("await asyncio.open_connection('127.0.0.1', 5432)\nawait asyncio.sleep(0.2)", Rule.DATABASE_WRITE),
        (f"await {PAGE}.evaluate(\"document.title = 'x'\")", Rule.PAGE_EDIT),
        (f"await {PAGE}.locator('h1').evaluate('e => e.remove()')", Rule.PAGE_EDIT),
        (f"await {PAGE}.eval_on_selector('h1', 'e => {{ e.id = 1 }}')", Rule.PAGE_EDIT),
        (f"await {PAGE}.evaluate('localStorage.setItem(1, 2)')", Rule.PAGE_EDIT),
        (f"await {PAGE}.set_content('Booked')", Rule.PAGE_EDIT),
        (f"await {PAGE}.goto('data:text/html,Booked')", Rule.PAGE_EDIT),
        (f"await {PAGE}.goto('data:text/csv,Booked')", Rule.PAGE_EDIT),
        (f"await {PAGE}.goto('file:///app/list.csv')", Rule.PAGE_EDIT),
        (f"await {PAGE}.context.new_cdp_session({PAGE})", Rule.PAGE_EDIT),
    ],
)  # fmt: skip
def test_a_breach_is_found(place: Place, script: str, rule: Rule) -> None:
    place.run(f"await {PAGE}.goto('{ADDRESS}/?fresh')\nawait {PAGE}.goto('{ADDRESS}/')")
    before = len(place.product.asked)
    seen = place.run(script)
    assert [breach.rule for breach in breaches(PLAN, seen.events)][:1] == [rule], seen
    if rule in (Rule.API_CALL, Rule.DATABASE_WRITE) and "evaluate" not in script:
        assert place.product.asked[before:] == []


def test_a_reload_that_the_step_allows_is_none(place: Place) -> None:
    first = PLAN.steps[0].model_copy(update={"reloads": ("ana",)})
    allowed = PLAN.model_copy(update={"steps": (first, PLAN.steps[1])})
    place.run(f"await {PAGE}.goto('{ADDRESS}/')")
    seen = place.run(f"await {PAGE}.reload()")
    assert breaches(allowed, seen.events) == [] and breaches(PLAN, seen.events) != []


def test_a_page_that_knows_an_earlier_scripts_mark_cannot_pass_its_acts_off_as_the_graders(
    place: Place,
) -> None:
    place.run(f"await {PAGE}.goto('{ADDRESS}/forging')")
    old = place.run(f"await {PAGE}.evaluate('document.querySelector(`p`).innerText')")
    seen = place.run(f"await {PAGE}.get_by_role('button').click()\nawait asyncio.sleep(0.3)")
    assert any("/forged" in event.url for event in seen.events if event.kind == "requested")
    assert breaches(PLAN, (*old.events, *seen.events)) == []


def test_nothing_of_the_product_is_where_scripts_are(place: Place) -> None:
    seen = place.run(
        "import os, socket\n"
        "print(sorted(os.listdir('/app')), os.path.exists('/seeding'))\n"
        "for port in (8001, 9000):\n"
        "    try: socket.create_connection(('127.0.0.1', port), 1)\n"
        "    except OSError as error: print(type(error).__name__)\n"
        "try: socket.create_connection(('192.0.2.1', 80), 1)\n"
        "except OSError as error: print(type(error).__name__)"
    )
    assert seen.printed.splitlines()[0] == "['.grader.py', 'list.csv'] False"
    assert seen.printed.splitlines()[1:3] == ["ConnectionRefusedError"] * 2 and seen.error == ""
