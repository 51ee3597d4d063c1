"""A browser's tab strip and address bar, drawn, with what a click in them means."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from tenure.engine.screen.backend import HEIGHT, WIDTH, Point

STRIP, ROW = 36, 40
TALL = STRIP + ROW
"""Height of both, pixels."""
_TAB, _CLOSE, _PLUS = 210, 24, 32
_GROUND, _SHOWN, _FIELD, _INK, _FAINT, _MARK = (
    "#dee1e6",
    "#ffffff",
    "#eef0f3",
    "#202124",
    "#9aa0a6",
    "#a8c7fa",
)
_BUTTONS = ("back", "forward", "reload")
_BUTTON = 36
_ADDRESS = (len(_BUTTONS) * _BUTTON + 12, WIDTH - 12)


class Tab(NamedTuple):
    """What the strip shows of a tab."""

    title: str
    url: str


class Hit(NamedTuple):
    """What was clicked.

    Attributes:
        what: ``tab``, ``close``, ``new``, ``back``, ``forward``, ``reload``, ``address`` or empty.
        tab: Which tab, from the left.
    """

    what: str
    tab: int = 0


@dataclass
class Bar:
    """The drawn part of a window.

    Attributes:
        typed: What is being typed into the address field; ``None`` when it is not in use.
        marked: All of it is marked: the next key replaces it.
    """

    typed: str | None = None
    marked: bool = False

    def hit(self, at: Point, tabs: int) -> Hit:
        """What is at a point of the bar."""
        if at.y < STRIP:
            wide = _width(tabs)
            index, within = divmod(at.x, wide)
            if index < tabs:
                return Hit("close" if within >= wide - _CLOSE else "tab", index)
            return Hit("new" if at.x < tabs * wide + _PLUS else "")
        if at.x < len(_BUTTONS) * _BUTTON:
            return Hit(_BUTTONS[at.x // _BUTTON])
        return Hit("address" if _ADDRESS[0] <= at.x < _ADDRESS[1] else "")

    def edit(self, text: str) -> None:
        """Type into the address field."""
        self.typed = text if self.marked else (self.typed or "") + text
        self.marked = False

    def erase(self) -> None:
        """The backspace key."""
        self.typed = "" if self.marked else (self.typed or "")[:-1]
        self.marked = False

    def focus(self, url: str) -> None:
        """Put the keyboard into the address field, its address marked."""
        self.typed, self.marked = url, True

    def leave(self) -> None:
        """Take the keyboard out of it."""
        self.typed, self.marked = None, False

    def over(self, page: bytes, tabs: Sequence[Tab], active: int, pointer: Point) -> bytes:
        """The whole screen: the bar above a page's PNG, and the pointer.

        Args:
            page: PNG of the page, as wide as the screen.
            tabs: The tabs, from the left.
            active: The one that is shown.
            pointer: Where the mouse is.
        """
        screen = Image.new("RGB", (WIDTH, HEIGHT), _SHOWN)
        with Image.open(BytesIO(page)) as below:
            screen.paste(below, (0, TALL))
        screen.paste(_drawn(tuple(tabs), active, self.typed, self.marked), (0, 0))
        x, y = pointer
        arrow = [
            (x, y),
            (x, y + 16),
            (x + 4, y + 12),
            (x + 7, y + 18),
            (x + 9, y + 17),
            (x + 6, y + 11),
            (x + 11, y + 11),
        ]
        ImageDraw.Draw(screen).polygon(arrow, fill="#000000", outline="#ffffff")
        out = BytesIO()
        screen.save(out, "PNG", compress_level=1)
        return out.getvalue()


def _width(tabs: int) -> int:
    return min(_TAB, (WIDTH - _PLUS) // max(1, tabs))


@lru_cache(maxsize=1)
def _font() -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(13)


@lru_cache(maxsize=32)
def _drawn(tabs: tuple[Tab, ...], active: int, typed: str | None, marked: bool) -> Image.Image:
    image = Image.new("RGB", (WIDTH, TALL), _SHOWN)
    draw, wide = ImageDraw.Draw(image), _width(len(tabs))
    draw.rectangle((0, 0, WIDTH, STRIP - 1), fill=_GROUND)
    for index, tab in enumerate(tabs):
        left = index * wide
        if index == active:
            draw.rounded_rectangle((left + 2, 5, left + wide - 3, STRIP + 6), 8, fill=_SHOWN)
        _write(draw, (left + 12, 11), tab.title or tab.url or "New tab", wide - _CLOSE - 14)
        x, y = left + wide - _CLOSE + 6, 14
        draw.line((x, y, x + 8, y + 8), _INK)
        draw.line((x, y + 8, x + 8, y), _INK)
    draw.text((len(tabs) * wide + 12, 10), "+", _INK, _font())
    draw.rectangle((0, STRIP, WIDTH, TALL), fill=_SHOWN)
    middle = STRIP + ROW // 2
    _arrow(draw, 18, middle, -1)
    _arrow(draw, 18 + _BUTTON, middle, 1)
    around = (18 + 2 * _BUTTON - 7, middle - 7, 18 + 2 * _BUTTON + 7, middle + 7)
    draw.arc(around, 40, 340, fill=_INK, width=2)
    draw.polygon(
        [(around[2] - 4, middle - 7), (around[2] + 3, middle - 6), (around[2] - 1, middle - 1)], fill=_INK
    )
    field = (_ADDRESS[0], STRIP + 5, _ADDRESS[1], TALL - 6)
    draw.rounded_rectangle(field, 15, fill=_FIELD, outline=_MARK if typed is not None else None, width=2)
    text = typed if typed is not None else tabs[active].url if tabs else ""
    if marked and text:
        length = min(draw.textlength(text, _font()), field[2] - field[0] - 32)
        draw.rectangle((field[0] + 16, field[1] + 6, field[0] + 16 + length, field[3] - 6), fill=_MARK)
    _write(draw, (field[0] + 16, field[1] + 7), text, field[2] - field[0] - 32)
    if typed is not None and not marked:
        caret = field[0] + 17 + min(draw.textlength(text, _font()), field[2] - field[0] - 32)
        draw.line((caret, field[1] + 6, caret, field[3] - 6), _INK)
    draw.line((0, TALL - 1, WIDTH, TALL - 1), _FAINT)
    return image


def _arrow(draw: ImageDraw.ImageDraw, x: int, y: int, way: int) -> None:
    draw.line((x - 7, y, x + 7, y), _INK, 2)
    draw.line((x + way * 7, y, x + way, y - 6), _INK, 2)
    draw.line((x + way * 7, y, x + way, y + 6), _INK, 2)


def _write(draw: ImageDraw.ImageDraw, at: tuple[int, int], text: str, room: int) -> None:
    if draw.textlength(text, _font()) > room:
        while text and draw.textlength(text + "…", _font()) > room:
            text = text[:-1]
        text += "…"
    draw.text(at, text, _INK, _font())
