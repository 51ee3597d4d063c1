"""Bases: equal rows make equal hashes, and a build that dies leaves nothing."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tenure.schema import BadInput
from tenure.world import BaseBuilder, Store, World
from tenure.world.record import WORLD_KINDS
from world import sample
from world.sample import NOW, START, Memo

KINDS = (*WORLD_KINDS, *sample.TWIN.kinds)


def hash_of(path: Path) -> str:
    store = Store(path, KINDS)
    found = str(store.meta("hash"))
    store.close()
    return found


def test_the_hash_is_over_sorted_rows(base: Path, tmp_path: Path) -> None:
    assert hash_of(sample.build(tmp_path / "b.db", START[::-1])) == hash_of(base)


@pytest.mark.parametrize(
    "change", ["record", "one more", "one fewer", "seed", "now", "facts", "sequence", "blob", "kind"]
)
def test_the_hash_differs_on_any_change(base: Path, tmp_path: Path, change: str) -> None:
    path = tmp_path / "changed.db"
    memos = list(START)
    if change == "record":
        memos[0] = memos[0].model_copy(update={"seen": True})
    elif change == "one more":
        memos.append(Memo(id="more"))
    elif change == "one fewer":
        memos.pop()
    with BaseBuilder(path, now=NOW + (change == "now"), seed=7 + (change == "seed")) as builder:
        for record in (*sample.PEOPLE, *memos):
            builder.add(record)
        builder.facts["answer"] = 43 if change == "facts" else 42
        builder.blob(b"another" if change == "blob" else b"in the base")
        if change == "sequence":
            builder.next("x")
        if change == "kind":
            builder.add(sample.View(id="v"))
    assert hash_of(path) != hash_of(base)


def test_an_id_is_taken_once(tmp_path: Path) -> None:
    with (
        pytest.raises(ValueError, match=r"sample\.memo m0 is in the base already"),
        BaseBuilder(tmp_path / "b.db", now=NOW, seed=1) as builder,
    ):
        builder.add(Memo(id="m0"))
        builder.add(Memo(id="m0"))
    assert list(tmp_path.iterdir()) == []


def test_a_value_filed_twice_counts_once(tmp_path: Path) -> None:
    store = Store(sample.build(tmp_path / "b.db", [Memo(id="m", tags=["a", "a"])]), KINDS)
    assert store.count(Memo, "tag", "a") == 1
    assert store.ids(Memo, "tag", "a") == ["m"]


def test_the_attempt_continues_the_base_sequences(tmp_path: Path) -> None:
    with BaseBuilder(tmp_path / "b.db", now=NOW, seed=1) as builder:
        assert [builder.next("memo"), builder.next("memo"), builder.next("other")] == [1, 2, 1]
    world = World(tmp_path / "b.db", [sample.TWIN])
    with world.act(sample.STAMP.via) as act:
        assert [act.next("memo"), act.next("other"), act.next("new")] == [3, 2, 1]


def test_a_killed_build_leaves_no_base_and_does_not_hinder_the_next(tmp_path: Path) -> None:
    path = tmp_path / "b.db"
    script = (
        "import sys, time; from pathlib import Path\n"
        "from world.sample import Memo; from tenure.world import BaseBuilder\n"
        "with BaseBuilder(Path(sys.argv[1]), now=1, seed=1) as b:\n"
        "    for n in range(2000): b.add(Memo(id=str(n)))\n"
        "    print('half', flush=True); time.sleep(60)\n"
    )
    tests = str(Path(__file__).parent.parent)
    with subprocess.Popen(
        [sys.executable, "-c", script, str(path)],
        stdout=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": tests},
    ) as build:
        assert build.stdout is not None and build.stdout.readline() == "half\n"
        build.send_signal(signal.SIGKILL)
    assert not path.exists()
    with pytest.raises(BadInput):
        Store(path, KINDS)
    assert Store(sample.build(path), KINDS).count(Memo) == len(START)
