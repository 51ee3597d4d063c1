"""What a person may do at a screen is no breach, and is seen."""

import pytest

from tenure.grading.grow import breaches, seen_in
from tenure.grading.grow.browser import Seen

from .conftest import Place, plan

PLAN = plan(["c1"], ["c2"], users=("ana", "bo"))
HOME = "await page('ana').goto('http://127.0.0.1:8000/')"


def clean(seen: Seen) -> Seen:
    assert seen.error == ""
    assert breaches(PLAN, seen.events) == []
    return seen


@pytest.mark.parametrize(
    ("script", "shows"),
    [
        (
            "await page().get_by_label('Place').press_sequentially('York')\n"
            "await page().get_by_role('button', name='Book').click()",
            "Booked to York for £7.50",
        ),
        ("await page().get_by_text('Drag me').drag_to(page().get_by_text('Drop here'))", "Dropped"),
        ("await page().locator('#file').set_input_files('list.csv')", "a,b 1,2"),
        ("box = await page().get_by_text('Other').bounding_box()\n"
         "await page().mouse.click(box['x'] + 3, box['y'] + 3)", "Another page"),
        ("await page().get_by_role('button', name='Renew').click()", "No ride yet."),
        ("await page().get_by_role('button', name='Call').click()", "No cars"),
        ("await page().get_by_role('link', name='In a new tab').click()\nawait asyncio.sleep(0.3)",
         "Another page"),
        ("await page().evaluate('window.scrollTo(0, 100)')\nprint(await page().title())", "No ride yet."),
        ("await page().get_by_label('Place').fill('York')", 'textbox "Place" [focused]: York'),
        ("await new_page()\nawait page().goto('http://127.0.0.1:8000/other')", "Another page"),
        ("await page().goto('http://127.0.0.1:8000/other')\nawait page().go_back()", "No ride yet."),
        ("await page().keyboard.press('F5')\nawait page().keyboard.press('Control+r')", "No ride yet."),
        ("await page().get_by_role('link', name='List').click()", "file rides.csv: place,fare York,7.50"),
        ("await page().get_by_role('link', name='Own').click()", "file own.csv: York,7.50"),
        ("await page().goto('http://127.0.0.1:8000/odd')\nprint(await page().inner_text('p'))",
         "half ? of one"),
    ],
)  # fmt: skip
def test_acts_of_a_person_are_seen_and_break_no_rule(place: Place, script: str, shows: str) -> None:
    clean(place.run("for extra in pages('ana')[1:]: await extra.close()\n" + HOME.replace("/'", "/?fresh'")))
    clean(place.run(HOME))
    seen = clean(place.run(script))
    look = next(look for look in seen.looks if look.user == "ana")
    assert seen_in(shows, look), look.page
    assert seen.pictures["ana"].startswith(b"\x89PNG")


def test_a_page_that_keeps_itself_up_to_date_breaks_nothing_and_is_seen_unasked(place: Place) -> None:
    clean(place.run("await page('bo').goto('http://127.0.0.1:8000/live')"))
    seen = clean(place.run("await page('ana').goto('http://127.0.0.1:8000/other')\nawait asyncio.sleep(0.6)"))
    assert {look.user for look in seen.looks} == {"ana", "bo"}
    assert any("/beat" in event.url for event in seen.events if event.kind == "requested")
    clean(place.run("await page('bo').goto('http://127.0.0.1:8000/other')"))


def test_users_act_at_one_moment_in_sessions_of_their_own(place: Place) -> None:
    place.run("for user in ('ana', 'bo'): await page(user).goto('http://127.0.0.1:8000/?both')")
    seen = clean(
        place.run(
            "async def book(user):\n"
            "    await page(user).get_by_label('Place').fill(user)\n"
            "    await page(user).get_by_role('button', name='Book').click()\n"
            "await asyncio.gather(book('ana'), book('bo'))\n"
            "await expect(page('bo').locator('#said')).to_have_text('Booked to bo for £7.50')\n"
            "print([await page(u).evaluate(\"localStorage.getItem('last')\") for u in ('ana', 'bo')])"
        )
    )
    assert "Booked to ana" in seen.printed and "Booked to bo" in seen.printed
    assert [look.user for look in seen.looks] == ["ana", "bo"]


def test_an_empty_page_can_be_quoted_and_a_page_that_does_not_answer_is_said_to_be_stuck(
    place: Place,
) -> None:
    empty = clean(place.run("await page('bo').goto('http://127.0.0.1:8000/empty')"))
    assert seen_in("(an empty page)", empty.looks[-1])
