"""The net difference: what ended otherwise than it began, and nothing else."""

import pytest

from tenure.world import Store
from tenure.world.difference import Difference, canonical, difference, fingerprint
from tenure.world.record import WORLD_KINDS, Token
from world import sample
from world.sample import STAMP, START, Memo, View


@pytest.fixture
def store(base):
    store = Store(base, (*WORLD_KINDS, *sample.TWIN.kinds))
    yield store
    store.close()


def change(store: Store, id: str, **fields) -> None:
    memo = store.get(Memo, id)
    assert memo is not None
    store.put(memo.model_copy(update=fields), STAMP)


def test_an_untouched_world_has_none(store: Store) -> None:
    assert difference(store) == []


def test_created_changed_and_deleted(store: Store) -> None:
    store.put(Memo(id="new", marks={"p": 1, "hidden": 2}), STAMP)
    change(store, "m1", title="other", marks={"p": 1})
    store.delete(Memo, "m0", STAMP)
    deleted, changed, created = difference(store)
    assert (deleted.id, deleted.deleted, deleted.after) == ("m0", True, None)
    assert deleted.before is not None and deleted.before["title"] == "red blue"
    assert (changed.id, changed.created, changed.deleted) == ("m1", False, False)
    assert changed.fields == {"title": ("red green blue", "other"), "marks.p": (None, 1)}
    assert (created.id, created.created, created.before) == ("new", True, None)
    assert created.after == {
        "id": "new", "title": "", "tags": [], "rank": 0, "mixed": None, "marks.p": 1
    }  # fmt: skip


@pytest.mark.parametrize("fields", [{"seen": True}, {"marks": {"hidden": 3}}])
def test_incidental_fields_are_left_out(store: Store, fields) -> None:
    change(store, "m1", **fields)
    assert difference(store) == []
    assert [entry.incidental for entry in store.changes()] == [True]
    change(store, "m1", rank=9)
    (found,) = difference(store)
    assert found.fields == {"rank": (1, 9)}
    assert found.after is not None and "seen" not in found.after and "marks.hidden" not in found.after
    assert [entry.incidental for entry in store.changes()] == [True, False]


def test_incidental_kinds_are_left_out(store: Store) -> None:
    store.put(View(id="v", columns=["a"]), STAMP)
    store.delete(Token, sample.TOKEN, STAMP)
    assert difference(store) == []
    assert all(entry.incidental for entry in store.changes())


def test_only_the_net_counts_but_the_journal_keeps_all(store: Store) -> None:
    change(store, "m1", title="other")
    change(store, "m1", title=START[1].title)
    store.put(Memo(id="gone"), STAMP)
    store.delete(Memo, "gone", STAMP)
    store.delete(Memo, "m2", STAMP)
    store.put(START[2], STAMP)
    assert difference(store) == []
    assert len(store.changes()) == 6


def test_deleted_and_made_anew_is_a_change_of_the_record(store: Store) -> None:
    store.delete(Memo, "m2", STAMP)
    store.put(START[2].model_copy(update={"rank": 8}), STAMP)
    (found,) = difference(store)
    assert (found.created, found.deleted, found.fields) == (False, False, {"rank": (2, 8)})


def test_equal_work_in_another_order_has_an_equal_fingerprint(base, store: Store) -> None:
    other = Store(base, (*WORLD_KINDS, *sample.TWIN.kinds))
    for target, ids in ((store, ("x", "y")), (other, ("y", "x"))):
        for id in ids:
            target.put(
                Memo(id=id, title=id, marks=dict.fromkeys(sorted(ids, reverse=target is other), 1)), STAMP
            )
    change(other, "x", seen=True)
    assert fingerprint(difference(store)) == fingerprint(difference(other))
    change(other, "x", rank=5)
    assert fingerprint(difference(store)) != fingerprint(difference(other))


def test_the_canonical_form_tells_deleted_from_untouched() -> None:
    gone = Difference("k", "a", {"id": "a"}, None, {"id": ("a", None)})
    assert canonical([gone]) == b'[["k","a",null]]'
    assert canonical([]) == b"[]"
