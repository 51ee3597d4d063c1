"""The store against a plain dict, over arbitrary sequences of work; then its edges one by one."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tenure.schema import BadInput
from tenure.world import Account, Record, Store
from tenure.world.difference import difference
from tenure.world.journal import Journal, replay, same
from tenure.world.layout import key_of
from tenure.world.record import WORLD_KINDS, Key
from world import sample
from world.sample import STAMP, START, Memo

KINDS = (*WORLD_KINDS, *sample.TWIN.kinds)
IDS = st.sampled_from([f"m{n}" for n in range(9)])
WORDS = ("red", "green", "blue", "Éclair")
TAGS = ("a", "b", "c")
MIXED: tuple[Key, ...] = (None, "", 0, 1, True, 1.5, -1, "1", "a", "\x00", "é", "🙂", 2**40)
MEMOS = st.builds(
    Memo,
    id=IDS,
    title=st.lists(st.sampled_from(WORDS), max_size=3).map(" ".join),
    tags=st.lists(st.sampled_from(TAGS), max_size=4),
    rank=st.sampled_from([0, 1, 2, 3, "x", ""]),
    mixed=st.sampled_from(MIXED),
    marks=st.dictionaries(st.sampled_from(["hidden", "p"]), st.sampled_from([None, True, 1, [1], {}])),
    seen=st.booleans(),
)


def order(key: Key) -> tuple[int, Any]:
    """SQLite's order: numbers before text."""
    plain = key_of(key)
    return (1, plain) if isinstance(plain, str) else (0, plain)


def filed(memo: Memo, index: str) -> list[Key]:
    return {"all": [""], "tag": list(memo.tags), "mixed": [memo.mixed]}[index]


class StoreMachine(RuleBasedStateMachine):
    """Everything a store answers is what a dict of records would answer."""

    folder: tempfile.TemporaryDirectory[str]

    @initialize()
    def open(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.journal = Path(self.folder.name) / "journal.jsonl"
        self.store = Store(BASE.path, KINDS, Journal(self.journal))
        self.model: dict[str, Memo] = {memo.id: memo for memo in START}
        self.open_transactions: list[tuple[Any, dict[str, Memo], dict[str, int], int]] = []
        self.meta: dict[str, int] = {}
        self.changes = 0

    def teardown(self) -> None:
        if not hasattr(self, "store"):
            return
        while self.open_transactions:
            self.commit()
        again = Store(BASE.path, KINDS)
        assert replay(self.journal, again) == self.changes
        reopened = Store(BASE.path, KINDS)
        reopened.load_delta(self.store.save_delta())
        for other in (again, reopened):
            assert other.every(Memo) == self.store.every(Memo)
            assert other.changes() == self.store.changes()
            assert difference(other) == difference(self.store)
            assert [other.meta(key) for key in self.meta] == list(self.meta.values())
            check_answers(other, self.model)
            other.close()
        self.store.close()
        self.folder.cleanup()

    @rule(memo=MEMOS)
    def put(self, memo: Memo) -> None:
        before = self.model.get(memo.id)
        seq = self.store.put(memo, STAMP)
        unchanged = before is not None and same(before.model_dump(), memo.model_dump())
        assert (seq is None) == unchanged
        if seq is not None:
            self.changes += 1
            assert seq == self.changes
            self.model[memo.id] = memo

    @rule(id=IDS, change=st.sampled_from([{"seen": True}, {"tags": ["c"]}, {"mixed": True}, {"mixed": 1}]))
    def touch(self, id: str, change: dict[str, Any]) -> None:
        """Change one field of a record that is there, as services do."""
        if id in self.model:
            self.put(self.model[id].model_copy(update=change))

    @rule(id=IDS)
    def put_back(self, id: str) -> None:
        """Make the record again what it was in the base: no net difference is left of it."""
        start = next((memo for memo in START if memo.id == id), None)
        if start is not None:
            self.put(start)
            assert id not in {d.id for d in difference(self.store)}

    @rule(id=IDS)
    def delete(self, id: str) -> None:
        seq = self.store.delete(Memo, id, STAMP)
        assert (seq is None) == (id not in self.model)
        if seq is not None:
            self.changes += 1
            assert seq == self.changes
            del self.model[id]

    @rule(key=st.sampled_from(["sequence:x", "sequence:y"]))
    def next(self, key: str) -> None:
        self.meta[key] = self.meta.get(key, 0) + 1
        self.store.set_meta(key, self.meta[key])

    @precondition(lambda self: len(self.open_transactions) < 4)
    @rule()
    def begin(self) -> None:
        transaction = self.store.transaction()
        transaction.__enter__()
        state = (transaction, dict(self.model), dict(self.meta), self.changes)
        self.open_transactions.append(state)

    @precondition(lambda self: self.open_transactions)
    @rule()
    def commit(self) -> None:
        self.open_transactions.pop()[0].__exit__(None, None, None)

    @precondition(lambda self: self.open_transactions)
    @rule()
    def roll_back(self) -> None:
        transaction, self.model, meta, self.changes = self.open_transactions.pop()
        assert not transaction.__exit__(RuntimeError, RuntimeError("undo"), None)
        self.meta = {key: meta.get(key, 0) for key in self.meta}
        for key, value in self.meta.items():
            assert (self.store.meta(key) or 0) == value
        self.meta = meta

    @invariant()
    def answers(self) -> None:
        if hasattr(self, "store"):
            check_answers(self.store, self.model)

    @rule(
        data=st.data(),
        index=st.sampled_from(["all", "tag", "mixed"]),
        descending=st.booleans(),
        limit=st.integers(1, 4),
        low=st.sampled_from([None, 0, 1, 2, "x"]),
        high=st.sampled_from([None, 0, 1, 2, "x"]),
    )
    def read_pages(self, data: Any, index: str, descending: bool, limit: int, low: Key, high: Key) -> None:
        value = data.draw(st.sampled_from({"all": ("",), "tag": TAGS, "mixed": MIXED}[index]))
        expected = expect(self.model, index, value, descending, low, high)
        found: list[Memo] = []
        after = None
        while True:
            page = self.store.page(
                Memo, index, value, limit=limit, after=after, descending=descending, low=low, high=high
            )
            assert len(page.records) <= limit
            found += page.records
            after = page.after
            if after is None:
                break
            assert len(page.records) == limit
        assert found == expected
        ids = self.store.ids(Memo, index, value, descending=descending, low=low, high=high)
        assert ids == [memo.id for memo in expected]

    @rule(phrases=st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=2), min_size=1, max_size=2))
    def search(self, phrases: list[list[str]]) -> None:
        def holds(memo: Memo, phrase: list[str]) -> bool:
            words, size = memo.title.split(), len(phrase)
            return any(words[n : n + size] == phrase for n in range(len(words)))

        expected = {id for id, memo in self.model.items() if all(holds(memo, phrase) for phrase in phrases)}
        assert self.store.matching(Memo, [" ".join(phrase).upper() for phrase in phrases]) == expected


def expect(
    model: dict[str, Memo],
    index: str,
    value: Key,
    descending: bool = False,
    low: Key = None,
    high: Key = None,
) -> list[Memo]:
    def rank(memo: Memo) -> Key:
        return 0 if index == "mixed" else memo.rank

    chosen = [
        memo
        for memo in model.values()
        if order(value) in {order(v) for v in filed(memo, index)}
        and (low is None or order(rank(memo)) >= order(low))
        and (high is None or order(rank(memo)) <= order(high))
    ]
    return sorted(chosen, key=lambda memo: (order(rank(memo)), memo.id), reverse=descending)


def check_answers(store: Store, model: dict[str, Memo]) -> None:
    assert store.every(Memo) == [model[id] for id in sorted(model)]
    assert store.count(Memo) == len(model)
    assert store.all(Memo, "all") == expect(model, "all", "")
    for index, values in {"tag": TAGS, "mixed": MIXED}.items():
        for value in values:
            assert store.count(Memo, index, value) == len(expect(model, index, value))
    for n in range(9):
        assert store.get(Memo, f"m{n}") == model.get(f"m{n}")


class BASE:
    """Where the machine finds its base; hypothesis makes machines without arguments."""

    path: Path


@pytest.fixture(autouse=True)
def use_base(base: Path) -> None:
    BASE.path = base


@pytest.fixture
def store(base: Path) -> Iterator[Store]:
    store = Store(base, KINDS)
    yield store
    store.close()


StoreMachine.TestCase.settings = settings(
    max_examples=100, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
TestStore = StoreMachine.TestCase


def test_two_worlds_over_one_base_do_not_see_each_other(base: Path, store: Store) -> None:
    other = Store(base, KINDS)
    store.put(Memo(id="m0", title="mine", tags=["a"]), STAMP)
    store.delete(Memo, "m1", STAMP)
    store.put_blob(b"mine")
    store.set_meta("sequence:x", 5)
    assert other.every(Memo) == list(START)
    assert other.changes() == [] and other.changed() == []
    assert other.meta("sequence:x") is None
    assert other.matching(Memo, ["mine"]) == set()
    with pytest.raises(KeyError):
        other.blob("f" * 64)


def test_a_base_record_that_first_changes_keeps_its_other_index_entries(store: Store) -> None:
    store.put(START[2].model_copy(update={"seen": True}), STAMP)
    assert store.ids(Memo, "tag", "b") == ["m5", "m2"]
    assert store.ids(Memo, "all", descending=True)[:2] == ["m3", "m2"]


@pytest.mark.parametrize(
    "odd", ["", "!!!", '"', '""" AND "', "🙂", "\x00", "red\x00blue", "*", "NEAR(", "kind:x", "-"]
)
def test_odd_phrases_are_plain_text(store: Store, odd: str) -> None:
    expected = {"m0", "m2", "m4"} if odd == "red\x00blue" else set()
    assert store.matching(Memo, [odd]) == expected
    store.put(Memo(id="odd", title=f"x {odd} y"), STAMP)
    assert store.get(Memo, "odd") == Memo(id="odd", title=f"x {odd} y")


def test_no_phrases_match_nothing(store: Store) -> None:
    assert store.matching(Memo, []) == set()


def test_search_folds_case_and_accents_and_keeps_kinds_apart(store: Store) -> None:
    store.put(Memo(id="e", title="ÉCLAIR au chocolat"), STAMP)
    assert store.matching(Memo, ["eclair AU"]) == {"e"}
    assert store.matching(Account, ["eclair"]) == set()


def test_true_is_not_one_but_the_order_of_a_mapping_is_no_change(store: Store) -> None:
    store.put(Memo(id="t", marks={"x": True, "y": [1]}), STAMP)
    assert store.put(Memo(id="t", marks={"y": [1], "x": True}), STAMP) is None
    assert store.put(Memo(id="t", marks={"x": 1, "y": [1]}), STAMP) is not None
    assert store.put(Memo(id="t", marks={"x": 1, "y": [True]}), STAMP) is not None


def test_names_that_are_not_declared_are_errors(store: Store) -> None:
    with pytest.raises(ValueError, match="no index 'tags'"):
        store.page(Memo, "tags", "a")
    with pytest.raises(ValueError, match="declare the index counted"):
        store.count(Account, "email", "ann@example.com")

    class Stray(Record, kind="stray.thing"):
        pass

    with pytest.raises(ValueError, match=r"stray\.thing"):
        store.put(Stray(id="1"), STAMP)


def test_a_value_that_its_field_does_not_allow_is_never_stored(store: Store) -> None:
    memo = store.get(Memo, "m0")
    assert memo is not None
    memo.tags = "a"  # type: ignore[assignment]
    with pytest.raises(ValueError, match="tags"):
        store.put(memo, STAMP)
    assert store.get(Memo, "m0") == START[0]


def test_a_failing_index_leaves_nothing_behind(store: Store) -> None:
    memo = Memo(id="m0", mixed=2**70)
    with store.transaction(), pytest.raises(ValueError, match="cannot be filed"):
        store.put(memo, STAMP)
    assert store.every(Memo) == list(START)
    assert store.count(Memo) == len(START)
    assert store.changes() == []


def test_what_was_read_before_a_rollback_is_not_read_after_it(store: Store) -> None:
    with pytest.raises(RuntimeError), store.transaction():
        store.put(Memo(id="m0", title="lost"), STAMP)
        assert store.get(Memo, "m0") == Memo(id="m0", title="lost")
        raise RuntimeError
    assert store.get(Memo, "m0") == START[0]


def test_blobs_are_kept_once(store: Store, base: Path) -> None:
    name = store.put_blob(b"hello")
    assert store.put_blob(b"hello") == name and store.blob(name) == b"hello"
    assert store.blob(store.put_blob(b"in the base")) == b"in the base"
    assert store.blob(store.put_blob(b"")) == b""


def test_pages_see_only_their_own_value(store: Store) -> None:
    assert store.page(Memo, "tag", "nobody").records == []
    assert store.page(Memo, "all", limit=0).records == []
    assert len(store.page(Memo, "all", limit=6).records) == 6
    assert store.page(Memo, "all", limit=6).after is None


def test_an_ordered_read_walks_indexes_and_never_sorts(store: Store) -> None:
    """Both branches come from their index in order, so that the newest 50 of 100,000 cost 50 steps."""
    from tenure.world.store import _ordered

    sql = _ordered("i.sort, i.id, r.data", True, False, False, True)
    names = {"kind": "k", "name": "n", "value": "", "limit": 5, "sort": 1, "id": "a"}
    plan = [row[3] for row in store._db.execute("explain query plan " + sql, names)]
    assert sum("(kind=? AND name=? AND value=? AND (sort,id)<(?,?))" in line for line in plan) == 2, plan
    assert not any("TEMP B-TREE" in line or "SCAN" in line.split() for line in plan), plan


def test_what_is_not_a_base_is_refused_in_one_line(tmp_path: Path) -> None:
    junk = tmp_path / "junk.db"
    junk.write_bytes(b"not a database" * 100)
    for path in (junk, tmp_path / "absent.db"):
        with pytest.raises(BadInput, match="build it again") as caught:
            Store(path, KINDS)
        assert "\n" not in str(caught.value)


def test_a_base_may_lie_at_any_path(tmp_path: Path) -> None:
    path = tmp_path / "50% of #1? ü.db"
    assert Store(sample.build(path), KINDS).count(Memo) == len(START)
