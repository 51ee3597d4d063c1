"""Each stage's reference is a product: it sets up on an empty database, starts and works."""

import asyncio
import re

import httpx
import pytest

from support.machines import isolated
from tenure.oracle.grow import overlay, packed, reference_at
from tenure.schema.folder import GrowFolder
from tenure.workspace.product import open_code, set_up, start

ADDED = {
    1: ("/workshops", "/bookings", "/workshops/1", "/workshops/new"),
    2: ("/credit", "/people", "/people/1"),
    3: ("/together?workshop=1",),
    4: ("/notices",),
    5: ("/workshops/1/change", "/workshops/1/call-off"),
    6: ("/team",),
    7: ("/bookings/1/cancel",),
    10: ("/settings",),
    11: ("/import",),
    12: ("/report",),
}
"""Stage → pages that it adds."""
ONCE = re.compile(r'name="once" value="([^"]+)"')


def sent(client: httpx.Client, path: str, page: str, **fields: str) -> str:
    """A form sent from its page, and the page that follows."""
    found = ONCE.search(client.get(page).text)
    assert found is not None, f"{page} has no form"
    referer = {"Referer": f"{client.base_url}{page}"}
    answer = client.post(path, data={"once": found[1], **fields}, headers=referer)
    assert answer.status_code == 200, answer.text
    return answer.text


@isolated
@pytest.mark.anyio
@pytest.mark.parametrize("stage", [1, 12, *(pytest.param(n, marks=pytest.mark.full) for n in range(2, 12))])
async def test_a_stage_starts_on_an_empty_database(folder: GrowFolder, stage: int) -> None:
    async with open_code(folder.task, packed(reference_at(folder, stage))) as place:
        for _ in range(2):  # It may be set up again.
            await set_up(place, folder.task)
        await start(place, folder.task)
        address = f"http://127.0.0.1:{await place.machine.publish(folder.task.port)}"
        await asyncio.to_thread(check, address, stage)


def check(address: str, stage: int) -> None:
    """A workshop is planned and booked, and there are the pages of the stages so far."""
    workshop = {"title": "Linen", "day": "2031-01-15", "time": "18:00", "seats": "3", "price": "0"}
    with httpx.Client(base_url=address, follow_redirects=True) as client:
        sent(client, "/sign-up", "/sign-up", username="Mara", password="loomhouse-1")
        assert "“Linen” is planned." in sent(client, "/workshops/new", "/workshops/new", **workshop)
        booked = sent(client, "/workshops/1/book", "/workshops/1", price="0")
        assert "You have a seat in “Linen”." in booked and "2 of 3" in booked
        for added, pages in ADDED.items():
            for page in pages:
                there = client.get(page).status_code == 200
                assert there is (added <= stage), f"{page} at stage {stage}"


def test_an_overlay_holds_only_what_is_new_or_changed(folder: GrowFolder) -> None:
    for placed in folder.stages[1:]:
        before = reference_at(folder, placed.number - 1)
        same = [n for n, data in overlay(folder, placed.number).items() if before.get(n) == data]
        assert same == [], placed.name
