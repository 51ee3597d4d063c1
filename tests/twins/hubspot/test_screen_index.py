"""Indexes, views, bulk actions, the board and the queue in a real Chromium."""

from pathlib import Path

import pytest

from support.screens import Shown, Spot
from tenure.twins.hubspot.pilot import HubSpotPages
from tenure.twins.hubspot.records import (
    Company,
    Contact,
    Deal,
    Membership,
    Task,
    Ticket,
    View,
    associate,
)
from tenure.twins.wire.pilot import choose, fill
from twins.hubspot.make import BIG, DAY, IVO, KIM, MAX, NORTH, NOW, OPEN, TASK, ZOE, build
from twins.hubspot.screens import changed, play

TABLE = Spot("table")
DIALOG = Spot("dialog")


async def names(shown: Shown) -> list[str]:
    """The first column of the table."""
    return [text.split("\n")[-1] for text in await shown.screen.texts(Spot("rowheader"))]


async def settled(shown: Shown, total: str) -> list[str]:
    """The first column once the page says how many there are."""
    await shown.page.get_by_role("status").get_by_text(total, exact=True).wait_for()
    return await names(shown)


def test_an_index_is_searched_filtered_and_sorted_and_its_address_keeps_it(
    base: Path, tmp_path: Path
) -> None:
    async def story(shown: Shown, pages: HubSpotPages) -> None:
        await pages.open_index("contacts")
        assert await settled(shown, "4 records") == ["Max Nomail", "Kim Quist", "Ivo Adler", "Zoë Quist"]
        await shown.screen.click(Spot("button", "Sort by Name"))
        await shown.page.wait_for_url("**sort=firstname")
        await shown.page.get_by_role("columnheader", name="Name").first.wait_for()
        await shown.page.wait_for_function("document.querySelector('tbody th').innerText.includes('Ivo')")
        await fill(shown.screen, Spot("searchbox", "Search this table"), "quist")
        assert await settled(shown, "2 records") == ["Kim Quist", "Zoë Quist"]
        await shown.screen.click(Spot("button", "Contact owner", exact=True))
        await shown.screen.click(Spot("checkbox", "Ada Ost"))
        await shown.screen.click(Spot("button", "Done"))
        assert await settled(shown, "1 record") == ["Zoë Quist"]
        await shown.page.reload()
        assert await settled(shown, "1 record") == ["Zoë Quist"]
        await shown.screen.click(Spot("link", "Zoë Quist").inside(TABLE))
        await shown.screen.wait(Spot("heading", "Zoë Quist"))
        await shown.page.go_back()
        assert await settled(shown, "1 record") == ["Zoë Quist"]
        await shown.screen.click(Spot("button", "Contact owner: Ada Ost"))
        await shown.screen.click(Spot("button", "Clear", exact=True).inside(DIALOG))
        await shown.screen.click(Spot("button", "Done"))
        await shown.screen.click(Spot("button", "Create date"))
        await shown.screen.click(Spot("radio", "Last 30 days"))
        await shown.screen.click(Spot("button", "Done"))
        assert await settled(shown, "1 record") == ["Kim Quist"]

    play(base, tmp_path, story)


def test_groups_of_conditions_become_a_saved_view(base: Path, tmp_path: Path) -> None:
    async def story(shown: Shown, pages: HubSpotPages) -> None:
        await pages.open_index("contacts")
        await shown.screen.press("f")
        panel = Spot("dialog", "Advanced filters")
        await choose(shown.screen, Spot("combobox", "Property").inside(panel), "Job title")
        await choose(shown.screen, Spot("combobox", "Operator").inside(panel), "contains")
        await fill(shown.screen, Spot("textbox", "Value").inside(panel), "buyer")
        await shown.screen.click(Spot("button", "Add group").inside(panel))
        second = Spot("group", "Group 2").inside(panel)
        await choose(shown.screen, Spot("combobox", "Property").inside(second), "Lifecycle stage")
        await shown.screen.click(Spot("combobox", "Values").inside(second))
        await shown.screen.click(Spot("option", "Lead", exact=True))
        await shown.screen.press("Escape")
        await shown.screen.click(Spot("button", "Apply filters"))
        assert await settled(shown, "2 records") == ["Max Nomail", "Ivo Adler"]
        await shown.screen.click(Spot("button", "Edit columns"))
        await shown.screen.click(Spot("button", "Remove Phone number").inside(DIALOG))
        await fill(shown.screen, Spot("textbox", "Search columns").inside(DIALOG), "job")
        await shown.screen.click(Spot("checkbox", "Job title").inside(DIALOG))
        await shown.screen.click(Spot("button", "Move Job title up").inside(DIALOG))
        await shown.screen.click(Spot("button", "Apply").inside(DIALOG))
        await shown.screen.wait(Spot("columnheader", "Job title"))
        await shown.screen.click(Spot("button", "Save as view"))
        await fill(shown.screen, Spot("textbox", "View name"), "Buyers or leads")
        await shown.screen.press("Enter")
        await shown.screen.wait(Spot("link", "Buyers or leads"))
        assert await settled(shown, "2 records") == ["Max Nomail", "Ivo Adler"]
        await shown.screen.click(Spot("link", "All contacts"))
        await settled(shown, "4 records")
        await shown.screen.click(Spot("link", "My contacts"))
        assert await settled(shown, "1 record") == ["Zoë Quist"]

    end = play(base, tmp_path, story)
    (view,) = end.every(View)
    assert view.name == "Buyers or leads" and [len(g["filters"]) for g in view.filter_groups] == [1, 1]
    assert "phone" not in view.columns and view.columns[-2:] == ["jobtitle", "createdate"]
    assert not end.differences


def test_records_are_made_in_the_side_panel(base: Path, tmp_path: Path) -> None:
    async def story(shown: Shown, pages: HubSpotPages) -> None:
        await pages.create_contact(email="Nell@North.test", first_name="Nell", last_name="Ny")
        await shown.screen.wait(Spot("heading", "Nell Ny"))
        await pages.create("deals", {"Deal name": "North 2028", "Amount": "5000", "Close date": "2027-01-31"})
        await pages.create("tickets", {"Ticket name": "No light", "Priority": "Low"})
        await pages.create("companies", {"Company domain name": "west.test", "Company name": "West"})
        await pages.open_index("companies")
        await shown.screen.press("c")
        await fill(shown.screen, Spot("textbox", "Company domain name"), "west.test")
        await shown.screen.click(Spot("button", "Create", exact=True).inside(DIALOG))
        await shown.screen.wait(Spot("alert"))
        assert "already exists" in await shown.screen.text(Spot("alert"))

    end = play(base, tmp_path, story, clean=False)
    (contact,), (deal,) = end.created(Contact), end.created(Deal)
    (ticket,), (company,) = end.created(Ticket), end.created(Company)
    assert contact.properties["email"] == "nell@north.test" and contact.properties["hubspot_owner_id"] == "11"
    assert deal.properties["amount"] == "5000" and deal.properties["dealstage"] == "appointmentscheduled"
    assert ticket.properties["hs_pipeline_stage"] == "1" and ticket.properties["hs_ticket_priority"] == "LOW"
    assert company.properties["name"] == "West"


def test_many_are_assigned_edited_listed_and_deleted_at_once(base: Path, tmp_path: Path) -> None:
    async def story(shown: Shown, pages: HubSpotPages) -> None:
        bar = Spot("toolbar", "Bulk actions")
        await pages.open_index("contacts")
        await shown.screen.click(Spot("checkbox", "Select Max Nomail"))
        await shown.screen.click(Spot("checkbox", "Select Kim Quist"))
        await shown.screen.click(Spot("button", "Assign").inside(bar))
        await choose(shown.screen, Spot("combobox", "Contact owner").inside(DIALOG), "Bo Ung")
        await shown.screen.click(Spot("button", "Update").inside(DIALOG))
        await shown.screen.wait(bar, gone=True)
        await shown.screen.click(Spot("checkbox", "Select all on this page"))
        await shown.screen.click(Spot("button", "Edit").inside(bar))
        await choose(shown.screen, Spot("combobox", "Property to edit").inside(DIALOG), "City")
        await fill(shown.screen, Spot("textbox", "City").inside(DIALOG), "Umeå")
        await shown.screen.click(Spot("button", "Update").inside(DIALOG))
        await shown.screen.wait(bar, gone=True)
        await shown.screen.click(Spot("checkbox", "Select Zoë Quist"))
        await shown.screen.click(Spot("button", "Add to list").inside(bar))
        await choose(shown.screen, Spot("combobox", "List").inside(DIALOG), "Picked")
        await shown.screen.click(Spot("button", "Add", exact=True).inside(DIALOG))
        await shown.screen.wait(DIALOG, gone=True)
        async with shown.page.expect_download() as download:
            await shown.screen.click(Spot("button", "Export").inside(bar))
        text = (await (await download.value).path()).read_text()
        assert text.splitlines()[1].startswith("1,Zoë,Quist,zoe@north.test,'+46 8 555 0101,Ada Ost")
        await shown.screen.click(Spot("button", "Clear selection"))
        await shown.screen.click(Spot("checkbox", "Select Ivo Adler"))
        await shown.screen.click(Spot("button", "Delete").inside(bar))
        await shown.screen.click(Spot("button", "Delete 1 contact").inside(DIALOG))
        assert await settled(shown, "3 records") == ["Max Nomail", "Kim Quist", "Zoë Quist"]

    end = play(base, tmp_path, story)
    assert changed(end, MAX)["hubspot_owner_id"] == changed(end, KIM)["hubspot_owner_id"] == "12"
    assert {changed(end, one)["city"] for one in (ZOE, IVO, KIM, MAX)} == {"Umeå"}
    assert end.get(Membership, f"21/{ZOE.id}") is not None
    ivo = end.get(Contact, IVO.id)
    assert ivo is not None and ivo.archived


def test_a_file_is_imported_row_by_row(base: Path, tmp_path: Path) -> None:
    file = (
        "Email,First name,Owner,Remark,Lifecycle stage\n"
        "zoe@north.test,Zoe,Bo Ung,x,\n"
        "new@west.test,Nell,ada@acme.test,y,Lead\n"
        "wrong,Nobody,,,\n"
    )

    async def story(shown: Shown, pages: HubSpotPages) -> None:
        await pages.open_index("contacts")
        await shown.screen.click(Spot("button", "Import"))
        await shown.screen.upload(Spot("button", "Choose a file"), "people.csv", file.encode())
        await choose(shown.screen, Spot("combobox", "Owner").inside(DIALOG), "Contact owner")
        await shown.screen.click(Spot("button", "Import 3 rows"))
        await shown.page.get_by_text("1 created, 1 updated, 1 refused.").wait_for()
        await shown.page.get_by_text("Row 4: Email address wrong is invalid").wait_for()
        assert not await shown.axe()

    end = play(base, tmp_path, story)
    (nell,) = end.created(Contact)
    assert (nell.properties["hubspot_owner_id"], nell.properties["lifecyclestage"]) == ("11", "lead")
    assert (changed(end, ZOE)["firstname"], changed(end, ZOE)["hubspot_owner_id"]) == ("Zoe", "12")


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    many = [
        Contact.of(1000 + n, at=NOW - DAY - n, firstname="Extra", lastname=f"No{n:03d}") for n in range(150)
    ]
    return build(tmp_path_factory.mktemp("crowd") / "base.db", many)


def test_what_is_on_page_two_is_not_on_page_one(crowd: Path, tmp_path: Path) -> None:
    async def story(shown: Shown, pages: HubSpotPages) -> None:
        await pages.open_index("contacts")
        first = await settled(shown, "154 records")
        assert first[0] == "Extra No000" and "Extra No025" not in first
        await shown.screen.click(Spot("button", "Next page"))
        await shown.screen.wait(Spot("link", "Extra No025"))
        assert "Extra No000" not in await names(shown)
        await choose(shown.screen, Spot("combobox", "Records per page"), "100 per page")
        await shown.screen.wait(Spot("link", "Extra No000"))
        drawn = await names(shown)
        assert len(drawn) < 60, "only the rows in sight are drawn"
        await shown.screen.click(Spot("checkbox", "Select all on this page"))
        await shown.screen.click(Spot("button", "Select all 154"))
        await shown.page.get_by_role("status").get_by_text("154 selected", exact=True).wait_for()

    play(crowd, tmp_path, story)


def test_search_over_everything(base: Path, tmp_path: Path) -> None:
    async def story(shown: Shown, pages: HubSpotPages) -> None:
        await pages.open_index("contacts")
        await shown.screen.press("/")
        await shown.screen.type("north")
        hits = Spot("group", "Search results")
        await shown.screen.click(Spot("link", "North 2027").inside(hits))
        await shown.screen.wait(Spot("heading", "North 2027"))
        sections = await pages.search("north")
        assert [text.split("\n")[0].split(" ")[0] for text in sections] == ["Contacts", "Companies", "Deals"]

    play(base, tmp_path, story)


def test_cards_move_by_mouse_by_keyboard_and_by_menu(base: Path, tmp_path: Path) -> None:
    async def story(shown: Shown, pages: HubSpotPages) -> None:
        await pages.open_board()
        card = shown.screen.find(Spot("listitem", "Yard audit"))
        await card.wait_for()
        start = await card.bounding_box()
        goal = await shown.screen.find(Spot("region", "Presentation Scheduled")).bounding_box()
        assert start and goal
        mouse = shown.page.mouse
        await mouse.move(start["x"] + 40, start["y"] + start["height"] - 12)
        await mouse.down()
        await mouse.move(goal["x"] + 60, goal["y"] + 120, steps=8)
        await mouse.up()
        await shown.screen.wait(
            Spot("listitem", "Yard audit").inside(Spot("region", "Presentation Scheduled"))
        )
        link = shown.screen.find(Spot("link", "North 2027"))
        await link.focus()
        for key in (" ", "ArrowLeft", "ArrowLeft", " "):
            await shown.screen.press(key)
        column = Spot("region", "Presentation Scheduled")
        await shown.screen.wait(Spot("listitem", "North 2027").inside(column))
        assert "$12,000" in await shown.screen.text(column) and "$7,200" in await shown.screen.text(column)
        await pages.move_card("South pilot", "Closed Lost")
        await shown.screen.click(Spot("button", "Undo", nth=-1))
        await shown.screen.wait(Spot("listitem", "South pilot").inside(Spot("region", "Closed Won")))

    end = play(base, tmp_path, story)
    assert changed(end, OPEN)["dealstage"] == changed(end, BIG)["dealstage"] == "presentationscheduled"
    assert {d.id for d in end.differences if d.kind == "hubspot.deals"} == {OPEN.id, BIG.id}


@pytest.fixture(scope="module")
def queue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    def task(id: int, title: str, due: str, owner: str = "11") -> Task:
        given = {"hs_task_subject": title, "hs_task_status": "NOT_STARTED", "hs_timestamp": due}
        return Task.of(id, at=NOW - DAY, hubspot_owner_id=owner, **given)

    late, today = task(50, "Late one", "2026-09-10T08:00:00Z"), task(51, "Today's", "2026-09-21T16:00:00Z")
    others = task(52, "Bo's", "2026-09-21T17:00:00Z", owner="12")
    more = (late, today, others, associate(late, NORTH))
    return build(tmp_path_factory.mktemp("queue") / "base.db", more)


def test_the_queue_of_tasks(queue: Path, tmp_path: Path) -> None:
    async def story(shown: Shown, pages: HubSpotPages) -> None:
        await pages.open_tasks("today")
        await shown.screen.wait(Spot("link", "Today's"))
        assert not await shown.screen.texts(Spot("link", "Bo's"))
        await pages.complete_task("Today's")
        await shown.screen.wait(Spot("link", "Today's"), gone=True)
        await shown.screen.click(Spot("link", "Overdue"))
        await shown.screen.wait(Spot("link", "North Freight"))
        await shown.screen.click(Spot("button", "Actions of Late one"))
        await shown.screen.click(Spot("menuitem", "Tomorrow"))
        await shown.screen.wait(Spot("link", "Late one"), gone=True)
        await shown.screen.click(Spot("link", "Upcoming"))
        await shown.screen.click(Spot("button", "Actions of Send terms"))
        await shown.screen.click(Spot("menuitem", "Pick a date"))
        await fill(shown.screen, Spot("textbox", "Due date: date"), "2026-10-05")
        await fill(shown.screen, Spot("textbox", "Due date: time"), "07:30")
        await shown.screen.click(Spot("button", "Save", exact=True).inside(DIALOG))
        await shown.screen.wait(DIALOG, gone=True)
        await shown.screen.click(Spot("button", "Create task"))
        await fill(shown.screen, Spot("textbox", "Task title").inside(DIALOG), "Call Zoë")
        await shown.screen.click(Spot("button", "Choose contacts").inside(DIALOG))
        await shown.screen.click(Spot("checkbox", "Zoë Quist").inside(DIALOG))
        await shown.screen.click(Spot("button", "Create", exact=True).inside(DIALOG))
        await shown.screen.wait(Spot("link", "Call Zoë"))

    end = play(queue, tmp_path, story)
    tasks = {t.properties["hs_task_subject"]: t.properties for t in end.every(Task)}
    assert tasks["Today's"]["hs_task_status"] == "COMPLETED"
    assert tasks["Late one"]["hs_timestamp"].startswith("2026-09-22T08:00:00")
    assert changed(end, TASK)["hs_timestamp"].startswith("2026-10-05T07:30:00")
    assert tasks["Call Zoë"]["hubspot_owner_id"] == "11"


def test_a_table_is_narrowed_widened_and_read(base: Path, tmp_path: Path) -> None:
    async def story(shown: Shown, pages: HubSpotPages) -> None:
        await pages.open_index("contacts")
        await pages.narrow("Lifecycle stage", "Lead")
        await settled(shown, "1 record")
        await pages.show_columns("Record ID", "Lifecycle stage")
        (row,) = await pages.read_rows()
        assert (row["Name"], row["Lifecycle stage"], row["Phone number"]) == ("Ivo Adler", "Lead", "--")
        await pages.open_id("contacts", row["Record ID"])
        await shown.screen.wait(Spot("heading", "Ivo Adler"))

    end = play(base, tmp_path, story)
    assert not end.every(View) and not end.differences
