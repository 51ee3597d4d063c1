"""The hands of a scripted agent in a browser: what it asks, what it does, and when it gives up."""

from collections.abc import Callable

import pytest

from tenure.oracle import Changes, Look, Performance, ScriptError, Sight
from tenure.oracle.acts import Action
from tenure.oracle.hands import Notes
from tenure.oracle.operate import OperateHands, Target, button, css, field, link, row, saying_so, words
from tenure.world import Response

pytestmark = pytest.mark.anyio
OK = Response(200, "ok")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def played(
    script: Callable[[OperateHands], object], see: Callable[[Look], Sight], changes: Changes | None = None
) -> list[Action]:
    """The actions of a script, all of which succeed."""
    done: list[Action] = []
    performance = Performance(script, OperateHands("Do it.", changes))  # type: ignore[arg-type]

    async def seen(look: Look) -> Sight:
        return see(look)

    action = await performance.next(None, seen)
    while action is not None:
        done.append(action)
        action = await performance.next(OK, seen)
    return done


async def test_elements_are_acted_on_by_the_number_that_the_harness_sees() -> None:
    asked: list[Look] = []

    def see(look: Look) -> Sight:
        asked.append(look)
        return Sight(number=len(asked), text="said", texts=("a", "b"))

    async def script(hands: OperateHands) -> None:
        await hands.open("http://a.localhost")
        await hands.click(link("Edit").inside(row("INV-7").number(1)))
        await hands.fill(field("Name"), "Ann", clear=False)
        await hands.choose(css("select", having="Kind"), "Beta")
        await hands.upload(button("Choose", exact=True), "a.pdf")
        await hands.press("Control+s")
        assert await hands.text(words("Total")) == "said"
        assert await hands.texts(Target("cell")) == ["a", "b"]
        await hands.wait(words("Busy"), gone=True)

    assert await played(script, see) == [
        Action("navigate", {"url": "http://a.localhost", "new_tab": False}),
        Action("click", {"index": 1}),
        Action("input", {"index": 2, "text": "Ann", "clear": False}),
        Action("select_dropdown", {"index": 3, "text": "Beta"}),
        Action("upload_file", {"index": 4, "path": "a.pdf"}),
        Action("send_keys", {"keys": "Control+s"}),
    ]
    assert [look.aim for look in asked] == [True] * 4 + [False] * 3
    spot = asked[0].spot
    assert (spot.role, spot.name) == ("link", "Edit")
    assert str(spot.within) == "nth=1, role='row', having='INV-7'" or "INV-7" in str(spot.within)
    assert (asked[-2].every, asked[-1].gone) == (True, True)


async def test_what_has_no_number_is_scrolled_to() -> None:
    sights = iter([Sight(pages=2.5), Sight(pages=-1.0, inside=9), Sight(number=3)])

    async def script(hands: OperateHands) -> None:
        await hands.click(button("Far"))

    assert await played(script, lambda look: next(sights)) == [
        Action("scroll", {"down": True, "pages": 2.5}),
        Action("scroll", {"down": False, "pages": 1.0, "index": 9}),
        Action("click", {"index": 3}),
    ]


async def test_an_element_that_never_comes_is_given_up() -> None:
    async def script(hands: OperateHands) -> None:
        await hands.click(button("Never"))

    with pytest.raises(ScriptError, match=r"name='Never' does not come into view"):
        await played(script, lambda look: Sight(pages=1))


async def test_what_takes_an_app_long_is_waited_for_second_by_second() -> None:
    looks = 0

    def see(look: Look) -> Sight:
        nonlocal looks
        looks += 1
        return Sight(texts=("Close",) if looks == 3 else ())

    async def script(hands: OperateHands) -> None:
        await hands.linger(button("Close"))
        with pytest.raises(ScriptError, match="does not come"):
            await hands.linger(button("Never"), seconds=2)

    assert await played(script, see) == [Action("wait", {"seconds": 1})] * 4


async def test_a_refusal_stops_the_script() -> None:
    async def script(hands: OperateHands) -> None:
        await hands.press("Enter")

    performance = Performance(script, OperateHands("Do it."))
    assert performance.send(None) == Action("send_keys", {"keys": "Enter"})
    with pytest.raises(ScriptError, match="send_keys keys='Enter': no page"):
        performance.send(Response(0, "no page"))


async def test_a_thing_to_do_is_ticked_once_and_the_job_ended_last() -> None:
    async def script(hands: OperateHands) -> None:
        await hands.step("book", lambda hands, notes: hands.tick("Book it"), Notes())

    ticked = Action(
        "replace_file", {"file_name": "todo.md", "old_str": "- [ ] Book it", "new_str": "- [x] Book it"}
    )
    ended = Action("done", {"text": "All of it is done.", "success": True})
    changes = Changes(repeat=frozenset(["book"]))
    assert await played(saying_so(script), lambda look: Sight(), changes) == [ticked, ended]
