"""The report in a real browser, opened from disk."""

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from tenure.report import write_report
from tenure.schema import Interface

from . import builds, grows
from .fixtures import make_record, make_records, make_row
from .hostile import ATTACKS, poison
from .test_build import PIXEL

BROWSER = next(
    filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "google-chrome"))), None
)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]
SIZES = {"phone": (390, 844), "laptop": (1366, 768)}

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium found; install chromium-headless-shell")

# Every visible text and its contrast with the nearest opaque background, as WCAG 2 computes it.
LOW_CONTRAST = """() => {
  const parse = (css) => {
    const parts = css.match(/[\\d.]+/g).map(Number);
    return css.startsWith("color(srgb") ? [...parts.slice(0, 3).map((v) => v * 255), parts[3] ?? 1] : parts;
  };
  const light = ([r, g, b]) => [r, g, b]
    .map((v) => v / 255)
    .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if ((colour[3] ?? 1) > 0.9) return colour;
    }
    return [255, 255, 255];
  };
  const low = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const text = walker.currentNode.data.trim().slice(0, 40);
    if (!text || !element.checkVisibility() || element.closest("script, style")) continue;
    const style = getComputedStyle(element);
    const pair = [light(parse(style.color)), light(ground(element))].sort((a, b) => b - a);
    const ratio = (pair[0] + 0.05) / (pair[1] + 0.05);
    const large = parseFloat(style.fontSize) >= 24;
    if (ratio < (large ? 3 : 4.5)) low.push([ratio.toFixed(2), element.tagName, element.className, text]);
  }
  return low;
}"""


@pytest.fixture(scope="module")
def chromium():
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=BROWSER, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return write_report(make_records(), tmp_path_factory.mktemp("site"), title="Carry: release 1").parent


def open_page(browser: Browser, path: Path, size: str = "laptop", **context) -> tuple[Page, list[str]]:
    """The page, and whatever it complained of or asked the network for."""
    width, height = SIZES[size]
    page = browser.new_context(viewport={"width": width, "height": height}, **context).new_page()
    troubles: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        troubles.append(message.text)

    page.on("console", heard)
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("dialog", lambda dialog: troubles.append(dialog.message))
    page.on("request", lambda r: None if r.url.startswith(("file:", "data:")) else troubles.append(r.url))
    page.goto(path.as_uri())
    return page, troubles


def attempt_page(site: Path, start: str) -> Path:
    return next(p for p in sorted((site / "attempts").glob("*.html")) if p.name.startswith(start))


def overflow(page: Page) -> int:
    return page.evaluate("document.documentElement.scrollWidth - innerWidth")


@pytest.fixture(scope="module")
def build_site(tmp_path_factory):
    return write_report(builds.make_records(), tmp_path_factory.mktemp("builds")).parent


@pytest.fixture(scope="module")
def grow_site(tmp_path_factory):
    records = grows.make_records(plans=grows.folder_plans()[:12])
    return write_report(records, tmp_path_factory.mktemp("grows")).parent


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "which",
    [
        "index",
        "carry-renewal-osier",
        "build:index",
        "build:comparison",
        "build-helpdesk-kestrel",
        "grow:index",
        "grow-ferry-osier",
    ],
)
def test_pages_open_quietly_fit_and_are_readable(chromium, request, which, size, scheme):
    suite = next((suite for suite in ("build", "grow") if which.startswith(suite)), "")
    own = request.getfixturevalue(f"{suite}_site" if suite else "site")
    name = which.removeprefix(f"{suite}:")
    path = own / f"{name}.html" if name in ("index", "comparison") else attempt_page(own, name)
    page, troubles = open_page(chromium, path, size, color_scheme=scheme)
    assert overflow(page) <= 0
    page.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))")
    assert overflow(page) <= 0
    assert page.evaluate(LOW_CONTRAST) == []
    assert troubles == []
    page.context.close()


def test_a_square_leads_to_its_attempt_and_back_by_keyboard(chromium, site):
    page, troubles = open_page(chromium, site / "index.html")
    square = page.locator(".cells a").first
    assert square.bounding_box()["width"] >= 24 and square.bounding_box()["height"] >= 24
    square.focus()
    assert "meridian-3-pro · loop · api" in page.locator("#readout").inner_text()
    page.keyboard.press("Enter")
    page.wait_for_url("**/attempts/*.html")
    assert page.get_by_role("heading", level=1).inner_text() == "Set up the board meeting across three zones"
    page.locator(".wordmark a").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/index.html#attempts")
    assert troubles == []
    page.context.close()


def test_a_row_name_opens_its_provenance(chromium, site):
    page, _ = open_page(chromium, site / "index.html")
    assert not page.locator("#row-2 dl").is_visible()
    page.get_by_role("row", name="kestrel-large-2611").first.get_by_role(
        "link", name="kestrel-large-2611"
    ).click()
    expect(page.locator("#row-2 dl")).to_be_visible()
    page.context.close()


def test_the_log_narrows_to_words_and_to_what_matters(chromium, site):
    page, _ = open_page(chromium, attempt_page(site, "carry-renewal-osier"))
    shown = page.locator(".log tbody tr:visible")
    assert shown.count() == 40
    page.get_by_label("Only what changed a record or failed").check()
    assert shown.count() == 4
    page.get_by_label("Filter").fill("HUBAPI patch")
    assert page.locator(".filter output").inner_text() == f"{shown.count()} of 40"
    assert 0 < shown.count() < 4
    page.context.close()


def test_the_log_is_whole_without_script(chromium, site):
    page, _ = open_page(chromium, attempt_page(site, "carry-renewal-osier"), java_script_enabled=False)
    assert page.locator(".log tbody tr:visible").count() == 40
    assert not page.locator(".filter").is_visible()
    page.context.close()


def test_a_download_is_offered_from_disk(chromium, site):
    page, _ = open_page(chromium, site / "index.html")
    for link in page.locator("a[download]").all():
        assert Path(
            page.evaluate("(a) => decodeURIComponent(new URL(a.href).pathname)", link.element_handle())
        ).is_file()
    assert page.locator("a[download]").count() == 4
    page.context.close()


@pytest.mark.parametrize("number", range(len(ATTACKS)))
def test_hostile_records_run_nothing_and_break_no_layout(chromium, tmp_path, number):
    record = poison(make_record(make_row("loop", "m", Interface.API), "carry/board", 1), ATTACKS[number])
    index = write_report([record], tmp_path / "out", title=ATTACKS[number][:60])
    (attempt,) = (tmp_path / "out" / "attempts").glob("*.html")
    for path in (index, attempt):
        page, troubles = open_page(chromium, path, "phone")
        page.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))")
        page.mouse.move(200, 300)
        assert page.evaluate("window.pwned") is None
        assert overflow(page) <= 0
        assert troubles == []
        page.context.close()


def test_a_node_of_the_graph_leads_to_its_evidence_and_shows_its_edges(chromium, build_site):
    page, troubles = open_page(
        chromium, attempt_page(build_site, "build-helpdesk-kestrel"), reduced_motion="reduce"
    )
    box = page.locator(".graph a.blocked").first
    box.focus()
    assert page.locator(".graph .edge.near").count() >= 1
    page.keyboard.press("Enter")
    shown = page.locator(".findings > li:target")
    expect(shown).to_be_in_viewport()
    assert "did not pass" in shown.inner_text()
    page.get_by_label("Only what broke by itself").check()
    assert page.locator(".findings > li:visible").count() == page.locator(".findings > li.notable").count()
    assert troubles == []


def test_a_plan_of_the_first_page_leads_to_its_grades_and_a_quotation_to_its_screenshot(chromium, tmp_path):
    screens = tmp_path / "run" / "screens"
    screens.mkdir(parents=True)
    (screens / "a.png").write_bytes(PIXEL)
    records = grows.make_records(("a.png",), grows.folder_plans()[:6])
    out = write_report(records, tmp_path / "out", folders=[tmp_path / "run"]).parent
    page, troubles = open_page(chromium, out / "index.html", reduced_motion="reduce")
    page.locator("#plans td a").first.click()
    page.wait_for_url("**/attempts/*.html#plan-*")
    expect(page.locator(".findings > li:target")).to_be_in_viewport()
    page.get_by_role("link", name="picture 1").first.evaluate("(a) => a.click()")
    expect(page.locator("figure:target img")).to_be_in_viewport()
    page.get_by_label("Only what did not pass at once").check()
    assert page.locator(".findings > li:visible").count() == page.locator(".findings > li.notable").count()
    assert troubles == []
