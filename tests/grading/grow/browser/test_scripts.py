"""Scripts have one namespace, a time, and a length for what they print; whatever they do, the pages stay."""

import time

import pytest

from .conftest import Place

ADDRESS = "http://127.0.0.1:8000"


def test_what_a_script_assigns_is_there_for_the_next(place: Place) -> None:
    assert place.run("ride = 'York'\nasync def say(): print(ride)").error == ""
    assert place.run("await say()").printed == "York\n"


def test_page_is_whose_it_is_said_to_be_whatever_a_script_has_called_so(place: Place) -> None:
    place.run(f"page = page('bo')\nawait page.goto('{ADDRESS}/other')")
    place.run(f"await page.goto('{ADDRESS}/?mine')")
    shown = place.run("print(page('ana').url, page.url, page('bo').url)")
    assert shown.printed.split() == [f"{ADDRESS}/?mine", f"{ADDRESS}/?mine", f"{ADDRESS}/other"]
    nobody = place.run("await page.reload()", user="")
    assert nobody.error == "line 1: LookupError: say whose page it is; users: ana, bo"


def test_an_error_names_the_line_and_what_was_printed_before_is_kept(place: Place) -> None:
    seen = place.run("print('before')\nawait page('nobody').click('x')")
    assert (seen.printed, seen.error) == (
        "before\n",
        "line 2: LookupError: there is no user 'nobody'; users: ana, bo",
    )
    assert place.run("if:").error.startswith("SyntaxError")


def test_an_element_that_is_not_there_is_waited_for_only_briefly(place: Place) -> None:
    place.run(f"await page('ana').goto('{ADDRESS}/other')")
    begun = time.monotonic()
    seen = place.run("await page('ana').get_by_role('button', name='Gone').click()")
    assert "line 1: " in seen.error and "Timeout 5000ms" in seen.error and time.monotonic() - begun < 9


def test_a_script_that_waits_too_long_is_ended_and_its_variables_stay(place: Place) -> None:
    seen = place.run("kept = 1\nawait asyncio.sleep(60)", seconds=1)
    assert seen.error == "the script took more than 1 seconds and was ended"
    assert place.run("print(kept)").printed == "1\n"


def test_a_script_that_never_yields_is_ended_and_the_pages_stay(place: Place) -> None:
    place.run(f"await page('ana').goto('{ADDRESS}/')\nawait page('ana').get_by_label('Place').fill('Leeds')")
    begun = time.monotonic()
    seen = place.run("while True: pass", seconds=1)
    assert "took more than 1 seconds" in seen.error and "its variables are gone" in seen.error
    assert time.monotonic() - begun < 12
    after = place.run("print(await page('ana').get_by_label('Place').input_value())")
    assert (after.printed, after.error) == ("Leeds\n", "")


def test_so_is_one_that_ends_its_own_program(place: Place) -> None:
    seen = place.run("import os; os._exit(3)")
    assert seen.error.startswith("the script ended the program that it ran in")
    assert place.run("print(page('ana').url)").printed == f"{ADDRESS}/\n"


def test_long_output_is_cut(place: Place) -> None:
    seen = place.run("print('x' * 10**7)")
    assert len(seen.printed) < 21_000 and seen.printed.endswith("[more is left out]")


@pytest.mark.full
def test_a_page_that_does_not_answer_does_not_keep_the_grader(place: Place) -> None:
    begun = time.monotonic()
    place.run(f"await page('bo').goto('{ADDRESS}/stuck', wait_until='commit')", seconds=3)
    assert time.monotonic() - begun < 40
    seen = place.run(f"await page('ana').goto('{ADDRESS}/other')")
    assert any(look.user == "ana" and "Another page" in look.page for look in seen.looks)


def test_a_page_that_crashes_is_seen_to_have_crashed_and_another_can_be_opened(place: Place) -> None:
    seen = place.run("await new_page('bo')\nawait page('bo').goto('chrome://crash')", seconds=5)
    (look,) = [look for look in seen.looks if look.user == "bo"]
    assert "(the page has crashed)" in look.page and "bo" not in seen.pictures
    again = place.run(f"await new_page('bo')\nawait page('bo').goto('{ADDRESS}/other')")
    assert again.error == "" and "Another page" in again.looks[-1].page
