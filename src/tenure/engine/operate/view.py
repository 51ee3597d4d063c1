"""What an agent is shown of a tab: address, tabs, a numbered page, and a picture with the numbers in it.

The form is browser-use's: a line per numbered element, the texts below it indented, ``*`` before a number
that the last action brought. An element's number stays the same for as long as its document lives, and no
number is given twice in an attempt.
"""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image, ImageDraw, ImageFont
from playwright.async_api import ElementHandle, Error, Frame, JSHandle, Page

from tenure.engine.operate.chromium import BLANK, Chromium
from tenure.engine.screen.backend import Refused
from tenure.schema.text import readable

LONGEST = 40_000
"""Characters of a page that are shown."""
MARGIN = 1_000
"""Pixels around the view in which elements are numbered too, as in browser-use."""
_OBSERVE = (Path(__file__).parent / "observe.js").read_text("utf-8")
_SHOTS, _MOMENT = 5, 0.2
_MOST_FRAMES = 40
_MARKS = ("#d4351c", "#1d70b8", "#00703c", "#4c2c92", "#b58840", "#0b0c0c")


class Mark(NamedTuple):
    """Where a numbered element is in the picture, pixels."""

    number: int
    left: float
    top: float
    right: float
    bottom: float


@dataclass
class View:
    """One look at a tab.

    Attributes:
        url: Its address.
        title: Its title.
        text: The page as it is told.
        above: Screens of page above what is shown.
        below: Screens of page below.
        states: Frame → what ``observe.js`` keeps in it.
        numbers: Number → the frame that has the element.
        marks: The numbers in view.
    """

    url: str
    title: str
    text: str = ""
    above: float = 0.0
    below: float = 0.0
    states: dict[Frame, JSHandle] = field(default_factory=dict)
    numbers: dict[int, Frame] = field(default_factory=dict)
    marks: list[Mark] = field(default_factory=list)


class Eye:
    """Looks at the tabs of one attempt, and finds elements by the numbers that it gave."""

    def __init__(self, browser: Chromium) -> None:
        """Nothing is seen yet."""
        self._browser = browser
        self._next = 1
        self._known: dict[Frame, JSHandle] = {}
        self.view = View(BLANK, "")

    async def look(self) -> View:
        """Look at the tab that is shown.

        Raises:
            Fault: The browser has gone.
        """
        page = await self._browser.page()
        view = View(shown(page.url), await title(page))
        lines = [line async for line in self._lines(page.main_frame, None, (0.0, 0.0), 0, view)]
        view.text = readable("\n".join(lines))
        self._known = {frame: state for frame, state in self._known.items() if not frame.is_detached()}
        self._known |= view.states
        self.view = view
        return view

    async def element(self, number: int) -> ElementHandle:
        """The element of a number.

        Raises:
            Refused: The number is not on the page that was last looked at, or no longer.
        """
        frame = self.view.numbers.get(number)
        if frame is not None:
            with suppress(Error):
                state = self.view.states[frame]
                found = await state.evaluate_handle(
                    "(s, n) => (s.elements.get(n)?.isConnected ? s.elements.get(n) : null)", number
                )
                if (element := found.as_element()) is not None:
                    return element
        raise Refused(f"There is no element {number} on the page as it is now; look at the page again.")

    async def number(self, frame: Frame, element: ElementHandle) -> int:
        """The number of an element or of what it is in, as last looked at; 0 when it has none."""
        state = self.view.states.get(frame)
        if state is None:
            return 0
        return int(await state.evaluate(_NUMBER, element))

    async def _lines(
        self, frame: Frame, seen: Any, corner: tuple[float, float], depth: int, view: View
    ) -> "Any":
        told = await self._told(frame, seen, view) if len(view.states) < _MOST_FRAMES else None
        if told is None:
            return
        if seen is None:
            view.above, view.below = told["above"], told["below"]
        for line in told["lines"]:
            indent = "\t" * (depth + line["depth"])
            if "text" in line:
                yield indent + line["text"]
            elif "n" in line:
                view.numbers[line["n"]] = frame
                if line["at"]:
                    x, y, right, bottom = line["at"]
                    view.marks.append(
                        Mark(line["n"], x + corner[0], y + corner[1], right + corner[0], bottom + corner[1])
                    )
                yield indent + _tag(line)
            else:
                inner = await self._inner(view.states[frame], line["frame"])
                if inner is not None:
                    at = corner[0] + line["left"], corner[1] + line["top"]
                    yield f"{indent}|FRAME|"
                    async for text in self._lines(inner, line["view"], at, depth + line["depth"] + 1, view):
                        yield text

    async def _told(self, frame: Frame, seen: Any, view: View) -> Any:
        given = {"known": self._known.get(frame), "next": self._next, "view": seen, "margin": MARGIN}
        for known in (given["known"], None):
            # What was kept of a document that has gone cannot be handed over.
            with suppress(Error):
                state = await frame.evaluate_handle(_OBSERVE, given | {"known": known})
                told = await state.evaluate("(s) => s.told")
                view.states[frame] = state
                self._next = told["next"]
                return told
        return None

    async def _inner(self, state: JSHandle, n: int) -> Frame | None:
        with suppress(Error):
            found = (await state.evaluate_handle("(s, n) => s.frames[n]", n)).as_element()
            return await found.content_frame() if found else None
        return None

    async def picture(self, *, marks: bool) -> bytes:
        """The tab that is shown, a PNG file.

        Args:
            marks: Whether the numbers of the last look are drawn in.

        Raises:
            Error: The browser gives none.
        """
        page = await self._browser.page()
        shot = await _shot(page)
        return await asyncio.to_thread(marked, shot, self.view.marks) if marks else shot


# An element's own number, or that of what a click on it means: of a control that it is in, or of a box
# whose middle it holds.
_NUMBER = """(s, e) => {
  const own = e.getBoundingClientRect();
  const meant = (up) => {
    if (up === e || up.matches?.("a, button, label, summary, option, [role]")) return true;
    const r = up.getBoundingClientRect?.() ?? own, x = (r.left + r.right) / 2, y = (r.top + r.bottom) / 2;
    return own.left <= x && x <= own.right && own.top <= y && y <= own.bottom;
  };
  for (let up = e; up; up = up.parentNode ?? up.host) {
    const n = s.numbers.get(up);
    if (n !== undefined && s.elements.has(n) && meant(up)) return n;
  }
  for (const [n, inner] of s.elements) if (e.contains(inner)) return n;
  return 0;
}"""


def told(view: View, browser: Chromium, tabs: Mapping[str, tuple[str, str]]) -> str:
    """A look in words.

    Args:
        view: The look.
        browser: Whose tab it was.
        tabs: Tab → its address and title.
    """
    listed = "\n".join(f"Tab {tab}: {url} - {name[:60]}" for tab, (url, name) in tabs.items())
    text, cut = view.text, ""
    if len(text) > LONGEST:
        text, cut = text[:LONGEST], f" (the first {LONGEST} of {len(view.text)} characters)"
    hint = "; scroll down for more" if view.below >= 0.1 else ""
    return (
        f"Current tab: {browser.active}\nCurrent URL: {view.url}\nOpen tabs:\n{listed}\n"
        f"{view.above:.1f} pages above, {view.below:.1f} pages below{hint}\n"
        f"Page{cut}:\n{text or '(empty)'}"
    )


async def tabs_of(browser: Chromium) -> dict[str, tuple[str, str]]:
    """Tab → its address and title."""
    return {tab: (shown(page.url), await title(page)) for tab, page in browser.tabs.items()}


def shown(url: str) -> str:
    """An address as it is told: the browser's own pages have none."""
    return BLANK if url.startswith("chrome-error:") or not url else url


async def title(page: Page) -> str:
    """A page's title, empty while it has none."""
    with suppress(Error, TimeoutError):
        async with asyncio.timeout(2):
            return readable(" ".join((await page.title()).split()))
    return ""


def marked(png: bytes, marks: list[Mark]) -> bytes:
    """A picture with a box and its number around each numbered element."""
    out = BytesIO()
    with Image.open(BytesIO(png)) as picture:
        canvas = picture.convert("RGB")
    draw, font = ImageDraw.Draw(canvas), ImageFont.load_default(12)
    for mark in marks:
        colour = _MARKS[mark.number % len(_MARKS)]
        right, bottom = max(mark.right - 1, mark.left), max(mark.bottom - 1, mark.top)
        draw.rectangle((mark.left, mark.top, right, bottom), outline=colour, width=1)
        name = str(mark.number)
        wide = draw.textlength(name, font) + 4
        x = min(max(right - wide, 0), canvas.width - wide)
        y = mark.top if mark.bottom - mark.top > 28 else max(mark.top - 13, 0)
        draw.rectangle((x, y, x + wide, y + 13), fill=colour)
        draw.text((x + 2, y), name, fill="white", font=font)
    canvas.save(out, "PNG", compress_level=1)
    return out.getvalue()


async def _shot(page: Page) -> bytes:
    for _ in range(_SHOTS - 1):
        # Between two documents a page has nothing to show for a moment.
        with suppress(Error):
            return await page.screenshot(timeout=10_000, animations="allow", caret="initial")
        await asyncio.sleep(_MOMENT)
    return await page.screenshot(timeout=10_000, animations="allow", caret="initial")


def _tag(line: Mapping[str, Any]) -> str:
    scroll = line["scroll"]
    lead = "|SCROLL|" if scroll else ""
    new = "*" if line["fresh"] else ""
    told = "".join(f" {part}" for part in _attributes(line["told"]))
    if scroll:
        told += f" ({scroll['above']:.1f} pages above, {scroll['below']:.1f} pages below)"
    return f"{lead}{new}[{line['n']}]<{line['tag']}{told} />"


def _attributes(told: list[tuple[str, str]]) -> Iterator[str]:
    for name, value in told:
        yield f'{name}="{value}"' if value else name
