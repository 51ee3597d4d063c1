"""Apps of a clinic, a reading room, a handbook, a box office and a press house: filled, entered, restored."""

from collections.abc import Mapping
from io import BytesIO
from typing import NamedTuple

import pytest
from PIL import Image
from playwright.async_api import Page, async_playwright, expect

from support.machines import isolated
from tenure.apps import Apps, RunningApp, find_recipe, install, open_apps
from tenure.apps.doctor import examine
from tenure.schema.evidence import SqlProbe
from tenure.world.browser import FLAGS

pytestmark = [pytest.mark.anyio, pytest.mark.full, isolated]


class Told(NamedTuple):
    """What a test knows of an app.

    Attributes:
        fields: Where the name and the password go, one after the other.
        within: What is seen by whoever is in.
        rows: Table → how many rows the generator makes.
        spoil: A statement that changes a row.
    """

    fields: tuple[str, str]
    within: str
    rows: Mapping[str, int]
    spoil: tuple[str, str]


NOT_TAKEN = "allowed to be uploaded to this server"
TRYTON = ("#login", "input[type=password]:visible")
APPS = {
    "calibre-web": Told(
        ("#username", "#password"),
        "Create a Shelf",
        {"books": 240, "user": 15, "shelf": 18},
        ("/app/library/metadata.db", "UPDATE ratings SET rating = 1 WHERE rating = 4"),
    ),
    "gnuhealth": Told(
        TRYTON,
        "Health",
        {"gnuhealth_patient": 182, "gnuhealth_appointment": 452, "gnuhealth_health_service": 90},
        ("/app/data/clinic.sqlite", "UPDATE gnuhealth_patient SET rh = '-'"),
    ),
    "orchard": Told(
        TRYTON,
        "Productions",
        {"production": 62, "stock_shipment_in": 39},
        ("/app/data/orchard.sqlite", "UPDATE production SET reference = ''"),
    ),
    "pretix": Told(
        ("#id_email", "#id_password"),
        "Ines Brandt",
        {"pretixbase_event": 8, "pretixbase_order": 262, "pretixbase_voucher": 96},
        ("/app/data/db.sqlite3", "UPDATE pretixbase_order SET comment = 'x'"),
    ),
    "wiki": Told(
        ("#id_username", "#id_password"),
        "Harbourline handbook",
        {"wiki_article": 139, "wiki_articlerevision": 196},
        ("/app/handbook.sqlite", "UPDATE wiki_articlerevision SET content = ''"),
    ),
}


async def rows(apps: Apps, name: str) -> dict[str, int]:
    probes = {
        table: SqlProbe(app=name, query=f'SELECT count(*) AS n FROM "{table}"') for table in APPS[name].rows
    }
    evidence = await apps.collect(probes)
    return {table: evidence.rows(table)[0]["n"] for table in probes}


async def enter(page: Page, apps: Apps, name: str) -> None:
    account = apps[name].account
    user, password = APPS[name].fields
    await page.goto(apps[name].address + ("/control/" if name == "pretix" else "/"))
    await page.fill(user, account.username)
    if name in ("gnuhealth", "orchard"):  # They ask for the password in a window of its own.
        await page.keyboard.press("Enter")
    await page.fill(password, account.password)
    await page.keyboard.press("Enter")
    await expect(page.get_by_text(APPS[name].within).first).to_be_visible(timeout=60_000)


@pytest.mark.parametrize("name", APPS)
async def test_it_is_filled_entered_by_a_browser_and_restored(name: str) -> None:
    installed = await install(find_recipe(name))
    found = [one async for one in examine(installed)]
    assert all(one.well for one in found), found
    async with open_apps([name]) as apps, async_playwright() as playwright:
        assert await rows(apps, name) == APPS[name].rows
        names = f"MAP {name}.localhost:80 127.0.0.1:{apps[name].port}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
        browser = await playwright.chromium.launch(
            executable_path="/usr/bin/chromium-headless-shell",
            args=[*FLAGS, f"--host-resolver-rules={names}"],
        )
        page = await browser.new_page()
        page.set_default_timeout(60_000)
        await enter(page, apps, name)
        await browser.close()
        file, statement = APPS[name].spoil
        table = statement.split()[1]
        kept = f'SELECT * FROM "{table}" ORDER BY 1'
        app = apps[name]
        assert isinstance(app, RunningApp)
        before = await app.rows(kept)
        await app.run(["sqlite3", file, statement])
        await app.refresh()
        assert await app.rows(kept) != before
        await app.restore()
        await app.refresh()
        assert await app.rows(kept) == before


async def test_the_reading_room_takes_no_book_that_it_would_show_as_a_page() -> None:
    document = BytesIO()
    Image.new("RGB", (200, 300), "white").save(document, "PDF")
    script = b"<script>fetch('/').then((page) => { document.title = page.status; })</script>"
    books = (
        ("page.html", "text/html", script, 240),
        ("words.txt", "text/plain", script, 240),
        ("scan.pdf", "application/pdf", document.getvalue(), 241),
    )
    await install(find_recipe("calibre-web"))
    async with open_apps(["calibre-web"]) as apps, async_playwright() as playwright:
        app = apps["calibre-web"]
        assert isinstance(app, RunningApp)
        names = f"MAP calibre-web.localhost:80 127.0.0.1:{app.port}"
        browser = await playwright.chromium.launch(
            executable_path="/usr/bin/chromium-headless-shell",
            args=[*FLAGS, f"--host-resolver-rules={names}"],
        )
        page = await browser.new_page()
        await enter(page, apps, "calibre-web")
        for name, kind, content, there in books:
            await page.goto(app.address)
            chosen = {"name": name, "mimeType": kind, "buffer": content}
            await page.locator("#btn-upload").set_input_files([chosen])  # type: ignore[list-item]
            if there == 240:
                await expect(page.get_by_text(NOT_TAKEN)).to_be_visible(timeout=60_000)
            else:
                await page.wait_for_url("**/admin/book/241")
            await app.refresh()
            assert (await rows(apps, "calibre-web"))["books"] == there, name
        await browser.close()
