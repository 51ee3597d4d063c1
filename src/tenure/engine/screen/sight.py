"""Where elements are: the harness's answer to what a scripted agent looks for."""

from collections.abc import Awaitable, Callable
from time import monotonic

from playwright.async_api import Error, Locator, Page
from playwright.async_api import TimeoutError as Late

from tenure.engine.screen.backend import Point
from tenure.oracle import Look, Sight
from tenure.oracle.eyes import NOTCH
from tenure.twins.wire.pilot import Spot

WAIT = 8.0
"""Seconds that an element may take to show."""
_MOMENT_MS, _AGAIN_MS = 400, 50
# The element's middle after it has come to rest; what has to be scrolled for it, from the inside
# out; and whether a click there would meet it.
_PLACE = """async (e) => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const inner = document.createRange();
  inner.selectNodeContents(e);
  // An element without a box of its own (display: contents) is where its contents are.
  const box = () => e.getClientRects()[0] ?? inner.getBoundingClientRect();
  let at = box();
  for (let n = 0, still = 0; n < 60 && still < 3; n++) {
    await frame();
    const now = box();
    still = now.x === at.x && now.y === at.y && now.width === at.width ? still + 1 : 0;
    at = now;
  }
  const x = at.x + at.width / 2, y = at.y + at.height / 2;
  const shown = { x, y, right: 0, down: 0, overX: x, overY: y, clear: false };
  const beyond = (v, low, high) => (v < low ? v - low : v >= high ? v - high + 1 : 0);
  for (let up = e.parentElement; up; up = up.parentElement) {
    const root = up === document.scrollingElement;
    const style = getComputedStyle(up);
    if (!root && !/auto|scroll/.test(style.overflowX + style.overflowY)) continue;
    const r = root ? { left: 0, top: 0, right: innerWidth, bottom: innerHeight } : up.getBoundingClientRect();
    const left = Math.max(0, r.left), top = Math.max(0, r.top);
    const right = Math.min(innerWidth, r.right), bottom = Math.min(innerHeight, r.bottom);
    const down = up.scrollHeight > up.clientHeight ? beyond(y, top, bottom) : 0;
    const across = up.scrollWidth > up.clientWidth ? beyond(x, left, right) : 0;
    if (down || across)
      return { ...shown, right: across, down, overX: (left + right) / 2, overY: (top + bottom) / 2 };
  }
  const hit = document.elementFromPoint(x, y);
  return { ...shown, clear: hit !== null && (e.contains(hit) || hit.contains(e)) };
}"""


async def see(shown: Callable[[], Awaitable[tuple[Page, Point]]], look: Look) -> Sight:
    """Answer a look at the page that is shown, whichever that becomes meanwhile.

    Args:
        shown: Gives the page that is shown, and where its upper left corner is on the screen.
        look: What is looked for.

    Raises:
        LookupError: It does not come into sight in time.
    """
    until = monotonic() + WAIT
    while True:
        page, corner = await shown()
        try:
            seen, why = await _seen(page, corner, look)
        except Error as error:  # The page went away, or the element did.
            seen, why = None, error.message.splitlines()[0]
        if seen is not None:
            return seen
        if monotonic() > until:
            raise LookupError(f"{look.spot} {why} on {page.url}")


async def _seen(page: Page, corner: Point, look: Look) -> tuple[Sight | None, str]:
    """What is seen of it within a moment, or else what is in the way."""
    every = _every(page, look.spot)
    if look.every:
        return Sight(texts=tuple(await every.all_inner_texts())), ""
    one = every.nth(look.spot.nth)
    try:
        await one.wait_for(state="hidden" if look.gone else "visible", timeout=_MOMENT_MS)
    except Late:
        return None, "does not go" if look.gone else "does not show"
    if look.gone:
        return Sight(), ""
    if not look.aim:
        return Sight(text=await _text(one)), ""
    place = await one.evaluate(_PLACE)
    if not (place["clear"] or place["right"] or place["down"]):
        await page.wait_for_timeout(_AGAIN_MS)
        return None, "is covered by something else"
    return Sight(
        at=(round(corner.x + place["x"]), round(corner.y + place["y"])),
        turn=(_notches(place["right"]), _notches(place["down"])),
        over=(round(corner.x + place["overX"]), round(corner.y + place["overY"])),
    ), ""


async def _text(one: Locator) -> str:
    if await one.evaluate("e => e instanceof HTMLInputElement || e instanceof HTMLTextAreaElement"):
        return await one.input_value()
    return await one.inner_text()


def _every(page: Page, spot: Spot) -> Locator:
    root = _every(page, spot.within).nth(spot.within.nth) if spot.within else page
    if not spot.name:
        return root.get_by_role(spot.role)  # type: ignore[arg-type]
    return root.get_by_role(spot.role, name=spot.name, exact=spot.exact)  # type: ignore[arg-type]


def _notches(pixels: float) -> int:
    return 0 if not pixels else round(pixels / NOTCH) or (1 if pixels > 0 else -1)
