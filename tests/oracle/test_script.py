"""Hands, steps and performances: a script seen from outside."""

import asyncio

import pytest

from tenure.oracle import Action, Changes, Hands, Mutant, Notes, Performance, ScriptError, Vandal
from tenure.oracle.hands import Solve
from tenure.world import Response

OK = Response(200, '{"n": 1}')


def run(solve: Solve, *responses: Response, changes: Changes | None = None) -> tuple[list[Action], Hands]:
    """All actions of a script that gets these responses, then ``OK``."""
    hands = Hands("the request", changes=changes)
    performance = Performance(solve, hands)
    answers = iter(responses)
    actions, action = [], performance.send(None)
    while action is not None:
        actions.append(action)
        action = performance.send(next(answers, OK))
    return actions, hands


def test_every_action_is_one_tool_call() -> None:
    got = []

    async def solve(hands: Hands) -> None:
        got.append(await hands.http.get("https://a.example/x", q="a b", n=[1, 2], none=None))
        got.append(await hands.http.post("https://a.example/x", {"y": 1}))
        got.append(await hands.http.patch("https://a.example/x", {}))
        got.append(await hands.http.put("https://a.example/x", []))
        await hands.http.delete("https://a.example/x")
        await hands.http.request("POST", "https://a.example/raw", body="text", headers={"x-a": "b"})
        got.append(await hands.mcp.call("gmail_search_threads", query="x"))

    actions, _ = run(solve)
    url = "https://a.example/x"
    assert actions == [
        ("http_request", {"method": "GET", "url": f"{url}?q=a+b&n=1&n=2"}),
        ("http_request", {"method": "POST", "url": url, "body": '{"y": 1}'}),
        ("http_request", {"method": "PATCH", "url": url, "body": "{}"}),
        ("http_request", {"method": "PUT", "url": url, "body": "[]"}),
        ("http_request", {"method": "DELETE", "url": url}),
        (
            "http_request",
            {"method": "POST", "url": "https://a.example/raw", "headers": {"x-a": "b"}, "body": "text"},
        ),
        ("gmail_search_threads", {"query": "x"}),
    ]
    assert got == [{"n": 1}] * 5


def test_a_tool_that_answers_in_words_gives_words() -> None:
    said = []

    async def solve(hands: Hands) -> None:
        said.append(await hands.mcp.call("t"))

    run(solve, Response(200, "plain words"))
    assert said == ["plain words"]


@pytest.mark.parametrize("refusal", [Response(403, "no"), Response(500, "broken"), Response(0, "not sent")])
def test_a_refusal_stops_the_script_unless_it_expects_it(refusal: Response) -> None:
    async def stops(hands: Hands) -> None:
        await hands.http.get("https://a.example/")

    async def tool_stops(hands: Hands) -> None:
        await hands.mcp.call("t")

    for solve in (stops, tool_stops):
        with pytest.raises(ScriptError, match=refusal.text):
            run(solve, refusal)

    async def expects(hands: Hands) -> None:
        with pytest.raises(ScriptError):
            await hands.http.get("https://a.example/")

    assert len(run(expects, refusal)[0]) == 1


def test_a_script_may_await_its_hands_only() -> None:
    async def solve(hands: Hands) -> None:
        await asyncio.sleep(0)

    with pytest.raises(ScriptError, match="may await its hands only"):
        run(solve)


def test_whatever_a_script_trips_over_is_a_script_error() -> None:
    async def solve(hands: Hands) -> None:
        (await hands.http.get("https://a.example/"))["missing"]

    with pytest.raises(ScriptError, match="KeyError: 'missing'"):
        run(solve)


async def steps(hands: Hands) -> None:
    """Three steps that say what they do."""
    notes = Notes(word="right")

    async def read(hands: Hands, notes: Notes) -> None:
        await hands.mcp.call("read")

    async def write(hands: Hands, notes: Notes) -> None:
        await hands.mcp.call("write", word=notes.word)

    async def tell(hands: Hands, notes: Notes) -> None:
        await hands.mcp.call("tell", word=notes.word)

    await hands.step("read", read, notes)
    await hands.step("write", write, notes)
    await hands.step("tell", tell, notes)


async def shout(hands: Hands, notes: Notes) -> None:
    """A step in another's place."""
    await hands.mcp.call("shout", word=notes.word)


def spoil(notes: Notes) -> None:
    """Spoils the notes."""
    notes.word = "wrong"


@pytest.mark.parametrize(
    ("mutant", "calls"),
    [
        (Mutant("none", kills=()), ["read", "write right", "tell right"]),
        (Mutant("skips", kills=(), skip="write"), ["read", "tell right"]),
        (Mutant("skips two", kills=(), skip=("write", "tell")), ["read"]),
        (Mutant("repeats", kills=(), repeat="write"), ["read", "write right", "write right", "tell right"]),
        (Mutant("spoils", kills=(), after={"write": spoil}), ["read", "write right", "tell wrong"]),
        (Mutant("instead", kills=(), instead={"write": shout}), ["read", "shout right", "tell right"]),
        (Mutant("both", kills=(), skip="tell", after={"read": spoil}), ["read", "write wrong"]),
    ],
)
def test_a_mutant_is_wrong_in_one_way(mutant: Mutant, calls: list[str]) -> None:
    actions, hands = run(steps, changes=mutant.changes)
    assert [" ".join([a.tool, *a.arguments.values()]) for a in actions] == calls
    assert hands.done == ["read", "write", "tell"]
    assert mutant.changes.steps <= set(hands.done)


def test_two_steps_of_one_name_are_an_error() -> None:
    async def solve(hands: Hands) -> None:
        await hands.step("a", shout, Notes(word="x"))
        await hands.step("a", shout, Notes(word="x"))

    with pytest.raises(ScriptError, match="two steps are called 'a'"):
        run(solve)


def test_a_vandal_does_the_job_and_then_the_harm() -> None:
    async def harm(hands: Hands) -> None:
        await hands.mcp.call("harm")

    actions, _ = run(Vandal("harms", kills=(), do=harm).after(steps))
    assert [action.tool for action in actions] == ["read", "write", "tell", "harm"]
