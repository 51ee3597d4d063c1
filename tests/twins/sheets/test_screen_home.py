"""The list of spreadsheets, sharing, and what a reader may do."""

from pathlib import Path

from support.screens import Shown, Spot
from tenure.twins.google.files import File, Permission
from tenure.twins.sheets import read
from tenure.twins.sheets.pilot import SheetsPilot, button

from .make import BO, build
from .screens import HOME, address, play, play_on

LIST = Spot("region", "Recent spreadsheets")


def test_spreadsheets_are_found_made_renamed_and_trashed(tmp_path: Path) -> None:
    base, id = build(tmp_path / "base.db")

    async def story(shown: Shown, sheets: SheetsPilot) -> None:
        await sheets.new()
        await sheets.rename("Trip to Kyiv")
        await sheets.set_cell("A1", "Train")
        await sheets.new("Monthly budget")
        await sheets.home()
        await sheets.screen.click(Spot("combobox", "Sort", exact=True))
        await sheets.screen.click(Spot("option", "Title", exact=True))
        await shown.page.wait_for_timeout(300)
        assert [text for text in await sheets.screen.texts(Spot("link", within=LIST))] == [
            "Budget",
            "Monthly budget",
            "Trip to Kyiv",
        ]
        await sheets.screen.click(Spot("combobox", "Owner", exact=True))
        await sheets.screen.click(Spot("option", "Not owned by me", exact=True))
        await sheets.screen.wait(Spot("link", "Budget", within=LIST), gone=True)
        await sheets.open("Budget")
        assert await sheets.read_cell("A2") == "Pen"
        await sheets.trash("Monthly budget")

    end = play_on(base, tmp_path, HOME, story, expect=LIST)
    (made,) = read.files(end, "Trip to Kyiv")
    assert read.cell(end, made, "A1").value == "Train"
    assert read.files(end, "Monthly budget") == []
    assert read.files(end, "Budget") == [id]
    assert {file.name for file in end.every(File) if file.trashed} == {"Monthly budget"}


def test_sharing(tmp_path: Path) -> None:
    async def story(shown: Shown, sheets: SheetsPilot) -> None:
        await sheets.share("cy@acme.test", "commenter")
        await sheets.share("guest@else.test")
        await sheets.set_role("bo@acme.test", "Editor")
        await sheets.set_role("guest@else.test", "Remove access")
        await sheets.open_to("Anyone with the link")

    end, id = play(tmp_path, story)
    found = {one.email or one.type: one.role for one in end.all(Permission, "file", id)}
    assert found == {
        "ada@acme.test": "owner",
        "bo@acme.test": "writer",
        "cy@acme.test": "commenter",
        "anyone": "reader",
    }


def test_a_reader_reads_only(tmp_path: Path) -> None:
    async def story(shown: Shown, sheets: SheetsPilot) -> None:
        await shown.page.get_by_text("View only").first.wait_for()
        await sheets.go_to("A2")
        await sheets.screen.type("x")
        await sheets.screen.press("Delete")
        await sheets.screen.press("F2")
        await shown.page.wait_for_timeout(100)
        assert await sheets.read_cell("A2") == "Pen"
        await sheets.screen.click(button("Data", Spot("navigation", "Menu bar")))
        assert await shown.page.get_by_role("menuitem", name="Create a filter").is_disabled()
        await sheets.screen.press("Escape")
        await sheets.screen.click(button("Share"))
        dialog = Spot("dialog", "Share")
        await sheets.screen.wait(Spot("region", "People with access", within=dialog))
        assert await shown.page.get_by_role("textbox", name="Add people").count() == 0

    end, _ = play(tmp_path, story, account=BO)
    assert not end.differences


def test_what_is_not_shared_does_not_open(tmp_path: Path) -> None:
    base, id = build(tmp_path / "base.db", shared=[])

    async def story(shown: Shown, sheets: SheetsPilot) -> None:
        await shown.page.get_by_text("You need access").wait_for()
        shown.complaints[:] = [line for line in shown.complaints if "403" not in line]

    end = play_on(base, tmp_path, address(id), story, account=BO, expect=Spot("alert"))
    assert not end.differences
