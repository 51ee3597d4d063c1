"""The clock, due events, transactions and accounts of a world."""

from pathlib import Path

import pytest

from tenure.schema import Fault, Via
from tenure.world import Account, BaseBuilder, Due, Token, World
from tenure.world.world import TICK_MS
from world import sample
from world.sample import NOW, Memo


@pytest.fixture
def world(base: Path):
    world = World(base, [sample.TWIN])
    yield world
    world.close()


def later(world: World, *rings: tuple[int, str], again: int = 0) -> None:
    with world.act(Via.REST, "ann") as act:
        for delay, name in rings:
            act.later(delay, "sample.ring", {"name": name, "again": again})


def rung(world: World) -> list[str]:
    return [change.id for change in world.store.changes() if change.id.startswith("ring-")]


def test_time_moves_by_ticks_only(world: World) -> None:
    assert world.now == NOW
    with world.act(Via.REST) as act:
        assert act.now == NOW
        act.put(Memo(id="x"))
    assert world.now == NOW
    world.tick()
    assert world.now == NOW + TICK_MS


def test_due_events_happen_in_order_at_their_own_time(world: World) -> None:
    later(world, (9_000, "c"), (1_000, "a"), (9_000, "d"), (1_500, "b"), (2_001, "next"))
    world.tick()
    assert rung(world) == ["ring-a-1000", "ring-b-1500"]
    assert [c.at for c in world.store.changes() if c.id.startswith("ring")] == [NOW + 1_000, NOW + 1_500]
    world.settle(60_000)
    assert rung(world)[2:] == ["ring-next-2001", "ring-c-9000", "ring-d-9000"]
    assert world.now == NOW + TICK_MS + 60_000
    assert world.store.every(Due) == []


def test_an_event_may_make_another_within_the_horizon(world: World) -> None:
    later(world, (1_000, "a"), again=5)
    world.settle(3_500)
    assert rung(world) == ["ring-a-1000", "ring-a-2000", "ring-a-3000"]
    (pending,) = world.store.every(Due)
    assert pending.at == NOW + 4_000
    world.settle(500)
    assert rung(world)[3:] == ["ring-a-4000"]


def test_an_event_that_was_undone_never_happens(world: World) -> None:
    with pytest.raises(RuntimeError), world.act(Via.REST) as act:
        act.later(1_000, "sample.ring", {"name": "a", "again": 0})
        raise RuntimeError
    later(world, (3_000, "b"))
    world.settle(10_000)
    assert rung(world) == ["ring-b-3000"]


def test_consequences_carry_their_cause(world: World) -> None:
    with world.act(Via.REST, "ann") as act:
        cause = act.put(Memo(id="cause"))
        act.later(1_000, "sample.ring", {"name": "a", "again": 0}, cause)
    world.tick()
    change = world.store.changes()[-1]
    assert (change.id, change.via, change.actor, change.cause) == ("ring-a-1000", Via.WORLD, "", cause)


def test_the_base_may_hold_due_events(tmp_path: Path) -> None:
    with BaseBuilder(tmp_path / "b.db", now=NOW, seed=1) as builder:
        builder.add(Due(id="1", at=NOW + 1, event="sample.ring", payload={"name": "base", "again": 0}))
        builder.add(Due(id="2", at=NOW + 1, event="gone.event"))
    world = World(tmp_path / "b.db", [sample.TWIN])
    with pytest.raises(Fault, match=r"gone\.event"):
        world.tick()
    assert rung(world) == ["ring-base-1"]


def test_an_event_that_fails_leaves_nothing_half_done(world: World) -> None:
    with world.act(Via.REST) as act:
        act.later(1, "sample.break", {})
    with pytest.raises(RuntimeError, match="the event failed"):
        world.tick()
    assert world.store.get(Memo, "half done") is None
    assert len(world.store.every(Due)) == 1


def test_settling_stores_the_time(world: World) -> None:
    world.settle(1_234)
    assert world.store.meta("now") == NOW + 1_234


def test_an_act_is_all_or_nothing(world: World) -> None:
    with pytest.raises(RuntimeError), world.act(Via.REST, "ann") as act:
        assert act.next("memo") == 1
        act.put(Memo(id="x"))
        act.delete(sample.START[0])
        raise RuntimeError
    assert world.store.changes() == [] and len(world.store.every(Memo)) == len(sample.START)
    with world.act(Via.REST, "ann") as act:
        assert act.next("memo") == 1


def test_a_nested_failure_undoes_only_itself(world: World) -> None:
    with world.act(Via.REST, "ann") as act:
        act.put(Memo(id="kept"))
        with pytest.raises(RuntimeError), act.nested():
            act.put(Memo(id="lost"))
            act.show(sample.START[0])
            raise RuntimeError
        assert (act.written, act.shown) == (1, {})
    assert [change.id for change in world.store.changes()] == ["kept"]


def test_a_put_that_changes_nothing_writes_nothing(world: World) -> None:
    with world.act(Via.REST, "ann") as act:
        assert act.put(sample.START[0]) is None
        assert act.written == 0
    assert world.store.meta("now") == NOW and world.store.changed() == []


def test_tokens_open_their_own_vendor_until_they_expire(base: Path) -> None:
    clock = [1_000.0]
    world = World(base, [sample.TWIN], real_time=lambda: clock[0])
    with world.act(Via.WORLD) as act:
        act.put(Token(id="short", account="ann", audience="sample", expires=1_500.0))
        act.put(Token(id="refresh", account="ann", audience="sample", use="refresh"))
    with world.act(Via.REST) as act:
        for token, audience in (("short", "other"), ("refresh", "sample"), ("", "sample"), ("no", "sample")):
            assert act.sign_in(token, audience) is None and act.actor == ""
        assert act.sign_in("short", "sample") is not None and act.actor == "ann"
        assert act.account().email == "Ann@Example.com"
        assert act.account_by_email("ANN@example.COM") == act.account()
        assert act.account_by_email("bob@example.com") is None
        with pytest.raises(LookupError):
            act.account("bob")
    clock[0] = 1_500.5
    with world.act(Via.REST) as act:
        assert act.sign_in("short", "sample") is None
        assert act.sign_in(sample.TOKEN, "sample") is not None


def test_equal_seeds_give_equal_ids(base: Path, tmp_path: Path) -> None:
    made = []
    for path in (base, base, sample.build(tmp_path / "other.db", seed=8)):
        with World(path, [sample.TWIN]).act(Via.REST) as act:
            made.append([act.hex_id("memo"), act.decimal_id("memo"), act.hex_id("other")])
    assert made[0] == made[1]
    assert not set(made[0]) & set(made[2])


def test_the_facts_are_the_graders(world: World) -> None:
    assert world.facts == {"answer": 42}
    assert world.store.get(Account, "ann") is not None
