"""The journal on disk: whatever was acknowledged is in it, whatever was not is not."""

import json
import random
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tenure.schema import BadInput, Fault, Via
from tenure.world import Store, World
from tenure.world.journal import Journal, replay
from tenure.world.record import WORLD_KINDS
from world import sample
from world.sample import STAMP, START, Memo

KINDS = (*WORLD_KINDS, *sample.TWIN.kinds)


def work(base: Path, path: Path) -> Store:
    """Five transactions: changes, a blob, a setting, a deletion, and one that is undone."""
    store = Store(base, KINDS, Journal(path))
    with store.transaction():
        store.put(Memo(id="new", title="one"), STAMP)
        store.put_blob(b"\x00\xff bytes")
        store.set_meta("sequence:memo", 1)
    store.delete(Memo, "m0", STAMP)
    with pytest.raises(RuntimeError), store.transaction():
        store.put(Memo(id="never"), STAMP)
        store.put_blob(b"never")
        raise RuntimeError
    with store.transaction():
        store.put(Memo(id="new", title="two"), STAMP)
        with pytest.raises(RuntimeError), store.transaction():
            store.put(Memo(id="never"), STAMP)
            raise RuntimeError
    store.put(Memo(id="m0", title="again"), STAMP)
    return store


@pytest.fixture
def journal(base: Path, tmp_path: Path) -> Path:
    path = tmp_path / "deep" / "journal.jsonl"
    work(base, path).close()
    return path


def replayed(base: Path, path: Path) -> Store:
    store = Store(base, KINDS)
    replay(path, store)
    return store


def test_a_line_is_a_committed_transaction(journal: Path) -> None:
    lines = [json.loads(line) for line in journal.read_text().splitlines()]
    assert [[change[6] for change in line["changes"]] for line in lines] == [["new"], ["m0"], ["new"], ["m0"]]
    assert lines[0]["meta"] == {"sequence:memo": 1} and len(lines[0]["blobs"]) == 1
    assert lines[2]["changes"][0][7] == {"title": ["one", "two"]}
    assert "never" not in journal.read_text()


def test_replay_makes_an_equal_store(base: Path, tmp_path: Path) -> None:
    store = work(base, tmp_path / "journal.jsonl")
    again = replayed(base, tmp_path / "journal.jsonl")
    assert again.changes() == store.changes() and again.every(Memo) == store.every(Memo)
    assert again.meta("sequence:memo") == 1
    assert again.blob(store.put_blob(b"\x00\xff bytes")) == b"\x00\xff bytes"
    assert [(entry.seq, entry.id, entry.via) for entry in again.changes()] == [
        (1, "new", Via.REST),
        (2, "m0", Via.REST),
        (3, "new", Via.REST),
        (4, "m0", Via.REST),
    ]


def test_a_torn_last_line_never_was(base: Path, journal: Path) -> None:
    whole = journal.read_bytes()
    last = whole.rstrip(b"\n").rindex(b"\n") + 1
    for cut in range(last, len(whole) - 1):
        journal.write_bytes(whole[:cut])
        store = replayed(base, journal)
        assert [entry.seq for entry in store.changes()] == [1, 2, 3]
        assert store.get(Memo, "m0") is None
        store.close()
    journal.write_bytes(whole[:-1])
    assert replayed(base, journal).get(Memo, "m0") == Memo(id="m0", title="again")


def test_damage_before_the_end_is_refused_in_one_line(base: Path, journal: Path) -> None:
    lines = journal.read_bytes().splitlines(keepends=True)
    damaged = {
        "cut": [lines[0][:-20] + b"\n", *lines[1:]],
        "lost": [lines[0], *lines[2:]],
        "twice": [lines[0], *lines],
        "no list": [b'{"changes": 5}\n', *lines],
        "no mapping": [b"[]\n", *lines],
        "short change": [b'{"changes": [[1, 2]]}\n', *lines],
        "unknown kind": [lines[0].replace(b"sample.memo", b"sample.gone"), *lines[1:]],
        "unknown field": [lines[0].replace(b'"rank"', b'"rang"'), *lines[1:]],
        "unknown door": [lines[0].replace(b'"rest"', b'"back"'), *lines[1:]],
        "other bytes": [lines[0].replace(b"AP8g", b"AP8h"), *lines[1:]],
    }
    for name, content in damaged.items():
        journal.write_bytes(b"".join(content))
        with pytest.raises(BadInput, match=r"journal\.jsonl:\d") as caught:
            replayed(base, journal)
        assert "\n" not in str(caught.value), name


def test_flipped_bytes_never_escape_as_another_error(base: Path, journal: Path) -> None:
    whole = journal.read_bytes()
    chance = random.Random(3)
    for _ in range(300):
        damaged = bytearray(whole)
        damaged[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
        journal.write_bytes(damaged)
        store = Store(base, KINDS)
        try:
            replay(journal, store)
        except BadInput as error:
            assert "\n" not in str(error)
        store.close()


def test_one_file_holds_one_attempt(base: Path, journal: Path) -> None:
    before = journal.read_bytes()
    with pytest.raises(BadInput, match="another attempt"):
        World(base, [sample.TWIN], journal=journal)
    assert journal.read_bytes() == before


def test_a_change_that_cannot_be_written_did_not_happen(base: Path, tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    store = Store(base, KINDS, Journal(path))
    store.put(Memo(id="kept"), STAMP)
    size, limit = path.stat().st_size, resource.getrlimit(resource.RLIMIT_FSIZE)
    old = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 10, limit[1]))
    try:
        with pytest.raises(Fault, match="cannot be written"):
            store.put(Memo(id="lost"), STAMP)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        signal.signal(signal.SIGXFSZ, old)
    assert store.get(Memo, "lost") is None and path.stat().st_size == size
    store.put(Memo(id="later"), STAMP)
    assert replayed(base, path).every(Memo) == store.every(Memo)


def test_kill_in_a_stream_of_writes_loses_nothing_acknowledged(base: Path, tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    script = (
        "import sys; from pathlib import Path; from world import sample; from world.sample import Memo\n"
        "from tenure.world import World; from tenure.schema import Via\n"
        "w = World(Path(sys.argv[1]), [sample.TWIN], journal=Path(sys.argv[2]))\n"
        "for n in range(10**9):\n"
        "    with w.act(Via.REST, 'ann') as act:\n"
        "        act.put(Memo(id=act.hex_id('memo'), title=str(n)))\n"
        "        act.put_blob(str(n).encode() * 50)\n"
        "    print(n, flush=True)\n"
    )
    tests = str(Path(__file__).parent.parent)
    with subprocess.Popen(
        [sys.executable, "-c", script, str(base), str(path)],
        stdout=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": tests},
    ) as writer:
        assert writer.stdout is not None
        acknowledged = [writer.stdout.readline() for _ in range(400)]
        writer.send_signal(signal.SIGKILL)
        acknowledged += writer.stdout.readlines()
    count = sum(line.endswith("\n") for line in acknowledged)
    store = replayed(base, path)
    written = store.count(Memo) - len(START)
    assert count <= written <= count + 1
    titles = {memo.title for memo in store.every(Memo)}
    assert {str(n) for n in range(written)} <= titles
    assert store.meta("sequence:memo") == written
