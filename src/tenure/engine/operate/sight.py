"""Which number an element has: the harness's answer to what a scripted agent looks for."""

import asyncio
from contextlib import suppress
from time import monotonic

from playwright.async_api import ElementHandle, Error, Frame, Locator

from tenure.engine.operate.chromium import Chromium
from tenure.engine.operate.view import Eye
from tenure.oracle.eyes import Look, Sight
from tenure.oracle.operate import Target
from tenure.twins.wire.pilot import Spot

WAIT = 10.0
"""Seconds that an element may take to show."""
_AGAIN, _STILL = 0.15, 0.1
_SAYS = "(e) => (/^(INPUT|SELECT|TEXTAREA)$/.test(e.tagName) ? e.value : (e.innerText ?? ''))"
# What has to be scrolled for an element, from the inside out: how many screens down, and which element.
_AWAY = """(e) => {
  const at = e.getBoundingClientRect(), y = at.top + at.height / 2;
  for (let up = e.parentElement; up; up = up.parentElement) {
    const root = up === document.scrollingElement;
    if (!root && !/auto|scroll/.test(getComputedStyle(up).overflowY)) continue;
    if (up.scrollHeight <= up.clientHeight + 4) continue;
    const r = root ? { top: 0, bottom: innerHeight } : up.getBoundingClientRect();
    const high = Math.max(1, r.bottom - r.top);
    const away = y < r.top ? y - r.top : y > r.bottom ? y - r.bottom : 0;
    if (away) return { pages: (away + (Math.sign(away) * high) / 2) / high, part: root ? null : up };
  }
  return { pages: 0, part: null };
}"""


async def see(browser: Chromium, eye: Eye, look: Look) -> Sight:
    """Answer a look at the tab that is shown.

    Args:
        browser: The browser.
        eye: Numbers its elements.
        look: What is looked for.

    Raises:
        LookupError: It does not come into sight in time.
    """
    until = monotonic() + WAIT
    while True:
        await eye.look()
        page = await browser.page()
        try:
            seen, why = await _seen(page.frames, eye, look)
        except Error as error:  # The page went away, or the element did.
            seen, why = None, error.message.splitlines()[0]
        if seen is not None:
            return seen
        if monotonic() > until:
            raise LookupError(f"{look.spot} {why} on {eye.view.url}")
        await asyncio.sleep(_AGAIN)


async def _seen(frames: list[Frame], eye: Eye, look: Look) -> tuple[Sight | None, str]:
    """What is seen of it now, or else what is in the way."""
    places = [(frame, _every(frame, look.spot)) for frame in frames if not frame.is_detached()]
    if look.every:
        return Sight(texts=tuple([text for _, every in places for text in await _texts(every)])), ""
    for frame, every in places:
        count = await every.count()
        if not -count <= look.spot.nth < count:
            continue
        if look.gone:
            return None, "does not go"
        element = await every.nth(look.spot.nth).element_handle(timeout=1_000)
        if not look.aim:
            return Sight(text=await element.evaluate(_SAYS)), ""
        return await _aimed(frame, eye, element)
    return (Sight(), "") if look.gone else (None, "does not show")


async def _aimed(frame: Frame, eye: Eye, element: ElementHandle) -> tuple[Sight | None, str]:
    if number := await eye.number(frame, element):
        await asyncio.sleep(_STILL)  # Pages that are drawing themselves put another one in its place.
        there = await element.evaluate("(e) => e.isConnected")
        return (Sight(number=number), "") if there else (None, "does not stay")
    away = await element.evaluate_handle(_AWAY)
    pages = float(await away.evaluate("(a) => a.pages"))
    if not pages:
        return None, "shows, but has no number: it takes no clicks, or something covers it"
    part = (await away.evaluate_handle("(a) => a.part")).as_element()
    return Sight(pages=pages, inside=await eye.number(frame, part) if part else 0), ""


async def _texts(every: Locator) -> list[str]:
    with suppress(Error):
        return list(await every.evaluate_all(f"(all) => all.map({_SAYS})"))
    return []


def _every(root: Frame | Locator, spot: Spot) -> Locator:
    """All elements that fit and show; file fields count though pages hide them."""
    if spot.within is not None:
        root = _every(root, spot.within).nth(spot.within.nth)
    target = spot if isinstance(spot, Target) else Target(spot.role, spot.name, exact=spot.exact)
    found = _named(root, target)
    if target.having:
        found = found.filter(has_text=target.having)
    return found if "file" in target.css else found.filter(visible=True)


def _named(root: Frame | Locator, target: Target) -> Locator:
    if target.css:
        return root.locator(target.css)
    if target.label:
        return root.get_by_label(target.label, exact=target.exact)
    if target.placeholder:
        return root.get_by_placeholder(target.placeholder, exact=target.exact)
    if target.says:
        return root.get_by_text(target.says, exact=target.exact)
    if target.name:
        return root.get_by_role(target.role, name=target.name, exact=target.exact)  # type: ignore[arg-type]
    return root.get_by_role(target.role)  # type: ignore[arg-type]
