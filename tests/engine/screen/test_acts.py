"""The computer tool's actions, the keys' names and the drawn bar: no browser."""

import asyncio
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from tenure.engine.screen.acts import Hand, zoomed
from tenure.engine.screen.backend import HEIGHT, WIDTH, Point, Refused
from tenure.engine.screen.bar import STRIP, TALL, Bar, Hit, Tab
from tenure.engine.screen.keys import combination, keysym


class Recorder:
    """A screen that writes down what its mouse and keyboard do."""

    version = "recorder"

    def __init__(self) -> None:
        self.did: list[tuple[Any, ...]] = []

    def __getattr__(self, name: str) -> Any:
        async def move(*words: Any) -> None:
            self.did.append((name, *words))

        return move


def did(**arguments: Any) -> list[tuple[Any, ...]]:
    screen = Recorder()
    asyncio.run(Hand(screen).act(arguments))
    assert screen.did.pop() == ("settle",)
    return screen.did


def refusal(**arguments: Any) -> str:
    with pytest.raises(Refused) as error:
        did(**arguments)
    return str(error.value)


def test_every_action_of_inspects_tool_is_known() -> None:
    from inspect_ai.tool import ToolDef, computer

    declared = ToolDef(computer()).parameters.properties["action"]
    (names,) = [one.enum for one in declared.anyOf or () if one.enum]
    assert set(names) == set(Hand(Recorder())._does)


def test_clicks() -> None:
    at = ("move", Point(3, 4))
    assert did(action="left_click", coordinate=[3, 4]) == [at, ("press", "left", 1), ("release", "left", 1)]
    assert did(action="triple_click", coordinate=[3, 4])[1:] == [
        (word, "left", n) for n in (1, 2, 3) for word in ("press", "release")
    ]
    assert did(action="right_click", coordinate=None) == [("press", "right", 1), ("release", "right", 1)]


def test_a_list_of_actions_is_done_in_order() -> None:
    actions = [
        {"action": "mouse_move", "coordinate": [1, 2], "text": None},
        {"action": "type", "text": "a", "press_enter": True},
        {"action": "scroll", "scroll_direction": "up", "scroll_amount": 3},
    ]
    assert did(actions=actions) == [("move", Point(1, 2)), ("type", "a"), ("key", "Enter"), ("wheel", 0, -3)]


def test_a_drag_goes_in_steps() -> None:
    moves = did(action="left_click_drag", start_coordinate=[0, 0], coordinate=[40, 80])
    assert [m[0] for m in moves] == ["move", "press", "move", "move", "move", "move", "release"]
    assert moves[-2] == ("move", Point(40, 80))


def test_keys_may_come_several_at_once_and_repeat() -> None:
    assert (
        did(action="key", text="ctrl+a Delete", repeat=2)
        == [
            ("key", "Control", "a"),
            ("key", "Delete"),
        ]
        * 2
    )


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"action": "fly"}, "no action 'fly'"),
        ({}, "no action ''"),
        ({"action": "left_click", "coordinate": [WIDTH, 0]}, "not on the screen"),
        ({"action": "left_click", "coordinate": "here"}, "needs coordinate"),
        ({"action": "mouse_move"}, "needs coordinate"),
        ({"action": "type"}, "needs text"),
        ({"action": "scroll", "scroll_direction": "in"}, "up, down, left or right"),
        ({"action": "scroll", "scroll_amount": -1}, "from 0 to 1000"),
        ({"action": "wait", "duration": 3600}, "from 0 to 60"),
        ({"action": "key", "text": "hyper+q"}, "no key 'hyper'"),
        ({"action": "key", "text": "a", "repeat": 1000}, "from 1 to 100"),
        ({"actions": ["click"]}, "list of objects"),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_reason(arguments: dict[str, Any], says: str) -> None:
    assert says in refusal(**arguments)


@pytest.mark.parametrize(
    ("text", "keys", "x"),
    [
        ("ctrl+s", ("Control", "s"), "ctrl+s"),
        ("Control+Home", ("Control", "Home"), "ctrl+Home"),
        ("Return", ("Enter",), "Return"),
        ("ctrl++", ("Control", "+"), "ctrl+plus"),
        ("+", ("+",), "plus"),
        ("Prior", ("PageUp",), "Prior"),
        ("#", ("#",), "numbersign"),
        ("alt+F4", ("Alt", "F4"), "alt+F4"),
        ("cmd+shift+ArrowLeft", ("Meta", "Shift", "ArrowLeft"), "super+shift+Left"),
    ],
)
def test_names_of_keys(text: str, keys: tuple[str, ...], x: str) -> None:
    assert combination(text) == keys
    assert "+".join(map(keysym, keys)) == x


def test_a_zoom_is_a_region_made_large() -> None:
    out = BytesIO()
    Image.new("RGB", (WIDTH, HEIGHT), "red").save(out, "PNG")
    with Image.open(BytesIO(zoomed(out.getvalue(), [0, 0, 100, 50]))) as image:
        assert image.size == (WIDTH, 683)
    for region in (None, [0, 0, 0, 0], [0, 0, 2000, 10], [1, 2, 3]):
        with pytest.raises(Refused):
            zoomed(out.getvalue(), region)


def test_what_a_click_in_the_bar_means() -> None:
    bar = Bar()
    assert bar.hit(Point(20, 10), 2) == Hit("tab", 0)
    assert bar.hit(Point(410, 10), 2) == Hit("close", 1)
    assert bar.hit(Point(430, 10), 2) == Hit("new")
    assert bar.hit(Point(900, 10), 2) == Hit("")
    y = STRIP + 20
    assert [bar.hit(Point(x, y), 2).what for x in (18, 54, 90, 500)] == [
        "back",
        "forward",
        "reload",
        "address",
    ]
    assert bar.hit(Point(WIDTH - 10, 10), 30).what in ("", "new"), "many tabs shrink and stay on the screen"


def test_the_address_field_replaces_what_is_marked() -> None:
    bar = Bar()
    bar.focus("https://old.example/")
    bar.edit("new")
    bar.edit(".example")
    bar.erase()
    assert (bar.typed, bar.marked) == ("new.exampl", False)
    bar.leave()
    assert bar.typed is None


def test_the_bar_is_drawn_above_the_page() -> None:
    page = BytesIO()
    Image.new("RGB", (WIDTH, HEIGHT - TALL), "#00ff00").save(page, "PNG")
    bar = Bar()
    tabs = [Tab("A title that is much too long for its tab", "https://a.example/"), Tab("", "")]

    def pixels() -> Image.Image:
        return Image.open(BytesIO(bar.over(page.getvalue(), tabs, 1, Point(700, 400)))).convert("RGB")

    plain = pixels()
    assert plain.size == (WIDTH, HEIGHT)
    assert plain.getpixel((5, TALL + 5)) == (0, 255, 0)
    assert plain.getpixel((700, 402)) != (0, 255, 0), "the pointer is drawn"
    bar.focus("https://a.example/")
    assert pixels().crop((0, 0, WIDTH, TALL)).tobytes() != plain.crop((0, 0, WIDTH, TALL)).tobytes()
