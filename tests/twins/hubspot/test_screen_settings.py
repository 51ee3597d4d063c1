"""Lists, properties, pipelines, users and the dashboard in a real Chromium."""

from pathlib import Path

from support.screens import Shown, Spot
from tenure.twins.hubspot.pilot import ORIGIN, HubSpotPages
from tenure.twins.hubspot.records import Group, Membership, Pipeline, Property, Segment
from tenure.twins.wire.pilot import choose, fill
from twins.hubspot.make import IVO, MAX
from twins.hubspot.screens import PORTAL_ID, play

DIALOG = Spot("dialog")


def at(path: str) -> str:
    return f"{ORIGIN}/{path.format(PORTAL_ID)}"


def test_lists_are_made_filled_renamed_and_deleted(base: Path, tmp_path: Path) -> None:
    async def story(shown: Shown, pages: HubSpotPages) -> None:
        await shown.screen.goto(at("contacts/{}/objectLists/all"))
        await shown.screen.click(Spot("link", "Quists"))
        await shown.screen.wait(Spot("link", "Kim Quist"))
        await shown.screen.click(Spot("link", "Lists", exact=True).inside(Spot("main")))
        await shown.screen.click(Spot("button", "Create list"))
        await fill(shown.screen, Spot("textbox", "List name").inside(DIALOG), "Buyers")
        await choose(shown.screen, Spot("combobox", "Property").inside(DIALOG), "Job title")
        await fill(shown.screen, Spot("textbox", "Value").inside(DIALOG), "buyer")
        await shown.screen.click(Spot("button", "Create list").inside(DIALOG))
        await shown.screen.wait(Spot("heading", "Buyers"))
        await shown.screen.wait(Spot("link", "Max Nomail"))
        await shown.screen.click(Spot("button", "Edit filters"))
        await choose(shown.screen, Spot("combobox", "Operator").inside(DIALOG), "is known")
        await shown.screen.click(Spot("button", "Save filters"))
        await shown.screen.wait(DIALOG, gone=True)
        await shown.screen.goto(at("contacts/{}/objectLists/21"))
        await shown.screen.click(Spot("button", "Add records"))
        await fill(shown.screen, Spot("searchbox", "Search contacts").inside(DIALOG), "max")
        await shown.screen.click(Spot("checkbox", "Max Nomail").inside(DIALOG))
        await shown.screen.click(Spot("button", "Add", exact=True).inside(DIALOG))
        await shown.screen.click(Spot("checkbox", "Select Ivo Adler"))
        await shown.screen.click(Spot("button", "Remove from list"))
        await shown.screen.wait(Spot("link", "Ivo Adler"), gone=True)
        await shown.screen.click(Spot("button", "List actions"))
        await shown.screen.click(Spot("menuitem", "Rename"))
        await fill(shown.screen, Spot("textbox", "List name"), "Hand-picked")
        await shown.screen.press("Enter")
        await shown.screen.wait(Spot("heading", "Hand-picked"))
        await shown.screen.goto(at("contacts/{}/objectLists/22"))
        await shown.screen.click(Spot("button", "List actions"))
        await shown.screen.click(Spot("menuitem", "Delete list"))
        await shown.screen.click(Spot("button", "Delete list").inside(DIALOG))
        await shown.screen.wait(Spot("link", "Hand-picked"))

    end = play(base, tmp_path, story)
    (made,) = end.created(Segment)
    assert made.processing_type == "DYNAMIC" and made.filter_branch is not None
    assert made.filter_branch["filterBranches"][0]["filters"][0]["operation"]["operator"] == "IS_KNOWN"
    picked, quists = end.get(Segment, "21"), end.get(Segment, "22")
    assert picked is not None and picked.name == "Hand-picked"
    assert quists is not None and quists.deleted_at is not None
    assert end.get(Membership, f"21/{MAX.id}") and not end.get(Membership, f"21/{IVO.id}")


def test_properties_and_groups(base: Path, tmp_path: Path) -> None:
    async def story(shown: Shown, pages: HubSpotPages) -> None:
        await shown.screen.goto(at("property-settings/{}/groups?type=0-3"))
        await fill(shown.screen, Spot("textbox", "New group"), "Renewal facts")
        await shown.screen.press("Enter")
        await shown.screen.wait(Spot("cell", "renewal_facts"))
        await shown.screen.click(Spot("link", "Properties", exact=True).inside(Spot("main")))
        await shown.screen.click(Spot("button", "Create property"))
        await fill(shown.screen, Spot("textbox", "Label").inside(DIALOG), "Renewal risk")
        await choose(shown.screen, Spot("combobox", "Group").inside(DIALOG), "Renewal facts")
        await choose(shown.screen, Spot("combobox", "Field type").inside(DIALOG), "Dropdown select")
        await fill(shown.screen, Spot("textbox", "Option 1").inside(DIALOG), "Low")
        await shown.screen.click(Spot("button", "Add option"))
        await fill(shown.screen, Spot("textbox", "Option 2").inside(DIALOG), "Very high")
        await shown.screen.click(Spot("button", "Create", exact=True).inside(DIALOG))
        await shown.screen.wait(DIALOG, gone=True)
        await shown.screen.click(Spot("button", "Actions of Renewal risk"))
        await shown.screen.click(Spot("menuitem", "Edit"))
        await fill(shown.screen, Spot("textbox", "Description").inside(DIALOG), "How likely they leave")
        await shown.screen.click(Spot("button", "Save", exact=True).inside(DIALOG))
        await shown.screen.wait(DIALOG, gone=True)
        await pages.open_deal("North 2027")
        await pages.set_property("Renewal risk", "Very high")
        await choose_type(shown, "Company properties")
        await shown.screen.click(Spot("button", "Actions of Renewal", exact=True))
        await shown.screen.click(Spot("menuitem", "Archive"))
        await shown.screen.click(Spot("button", "Archive property"))
        await shown.screen.wait(Spot("button", "Actions of Renewal", exact=True), gone=True)

    async def choose_type(shown: Shown, name: str) -> None:
        await shown.screen.goto(at("property-settings/{}/properties?type=0-3"))
        await choose(shown.screen, Spot("combobox", "Kind of record"), name)

    end = play(base, tmp_path, story)
    risk = end.get(Property, "deals/renewal_risk")
    assert risk is not None and [o.value for o in risk.options] == ["low", "very_high"]
    assert (risk.group_name, risk.description) == ("renewal_facts", "How likely they leave")
    assert end.get(Group, "deals/renewal_facts") is not None
    renewal = end.get(Property, "companies/renewal")
    assert renewal is not None and renewal.archived


def test_pipelines_are_ordered_named_weighed_and_refused_with_reason(base: Path, tmp_path: Path) -> None:
    async def story(shown: Shown, pages: HubSpotPages) -> None:
        await shown.screen.goto(at("pipelines-settings/{}/object/0-3"))
        await fill(shown.screen, Spot("textbox", "Name of stage 2"), "Qualified")
        await choose(shown.screen, Spot("combobox", "Probability of Qualified"), "30%")
        await shown.screen.click(Spot("button", "Move Qualified up"))
        await shown.screen.click(Spot("button", "Add stage"))
        await fill(shown.screen, Spot("textbox", "Name of stage 8"), "On hold")
        await shown.screen.click(Spot("button", "Save", exact=True))
        await shown.page.get_by_text("All changes are saved").wait_for()
        await shown.screen.click(Spot("button", "Delete Contract Sent"))
        await shown.screen.click(Spot("button", "Save", exact=True))
        await shown.screen.wait(Spot("alert"))
        assert "is used by 1 records" in await shown.screen.text(Spot("alert"))
        await shown.screen.click(Spot("button", "Cancel", exact=True))
        await shown.screen.click(Spot("button", "Create pipeline"))
        await fill(shown.screen, Spot("textbox", "Pipeline name").inside(DIALOG), "Partners")
        await shown.screen.press("Enter")
        await shown.screen.wait(Spot("table", "Stages of Partners"))
        await pages.open_board("Partners")
        await shown.screen.wait(Spot("region", "Won"))

    end = play(base, tmp_path, story, clean=False)
    sales, partners = end.get(Pipeline, "deals/default"), end.get(Pipeline, "deals/partners")
    assert sales is not None and partners is not None
    stages = sorted(sales.stages, key=lambda stage: stage.display_order)
    assert [s.label for s in stages][:2] == ["Qualified", "Appointment Scheduled"]
    assert stages[0].id == "qualifiedtobuy" and stages[0].metadata["probability"] == "0.3"
    assert len(stages) == 8 and stages[7].label == "On hold"


def test_users_and_the_dashboard_only_show(base: Path, tmp_path: Path) -> None:
    async def story(shown: Shown, pages: HubSpotPages) -> None:
        await shown.screen.goto(at("settings/{}/users"))
        await fill(shown.screen, Spot("searchbox", "Search users"), "bo")
        assert "bo@acme.test" in await shown.screen.text(Spot("table", "Users"))
        await shown.screen.press("Escape")
        await shown.screen.goto(at("reports-dashboard/{}/view"))
        chart = Spot("region", "Open deals by stage: Sales Pipeline")
        assert "$12,000 (1)" in await shown.screen.text(chart)
        assert "$900" in await shown.screen.text(Spot("region", "Won by month of closing"))

    assert not play(base, tmp_path, story).differences
