"""End-state files: what was frozen is what is read, and damage never reads as something else."""

import json
import random
import shutil
import zipfile
from pathlib import Path

import pytest

from tenure.schema import BadInput, Via
from tenure.world import EndState, Gateway, World, about, freeze, pack, reopen
from tenure.world.freeze import describe, is_packed
from world import sample
from world.sample import Memo


def work(base: Path) -> tuple[World, Gateway]:
    world = World(base, [sample.TWIN])
    gateway = Gateway(world)
    gateway.answer("PATCH", sample.HOST, "/m1", body=b'{"title":"renamed"}')
    with world.act(Via.MCP, "ann") as act:
        act.put(Memo(id=act.hex_id("memo"), title="green thing", tags=["a"]))
        act.put_blob(b"attached")
        memo = act.get(Memo, "m0")
        assert memo is not None
        act.delete(memo)
        act.later(5_000, "sample.ring", {"name": "end", "again": 0})
    gateway.answer("GET", sample.HOST, "/m1")
    gateway.answer("GET", "elsewhere.example.com", "/")
    world.settle(60_000)
    return world, gateway


@pytest.fixture
def frozen(base: Path, tmp_path: Path) -> Path:
    world, gateway = work(base)
    path = freeze(world, gateway, tmp_path / "end.zip")
    world.close()
    return path


@pytest.fixture
def packed(frozen: Path, base: Path, tmp_path: Path) -> Path:
    return pack(frozen, base, tmp_path / "packed.zip")


def assert_equal(one: EndState, other: EndState) -> None:
    assert one.fingerprint == other.fingerprint and one.differences == other.differences
    assert one.journal == other.journal and one.connections == other.connections
    assert (one.now, one.facts, one.base_hash) == (other.now, other.facts, other.base_hash)
    for state in (one, other):
        assert state.get(Memo, "m0") is None
        assert state.start(Memo, "m0") == sample.START[0]
    assert one.every(Memo) == other.every(Memo) and len(one.every(Memo)) == 7
    for value in ("a", "b"):
        assert one.all(Memo, "tag", value) == other.all(Memo, "tag", value)
        assert one.count(Memo, "tag", value) == other.count(Memo, "tag", value)
    assert [memo.id for memo in one.created(Memo)] == [memo.id for memo in other.created(Memo)]
    assert len(one.created(Memo)) == 2


def test_reopened_is_what_was_frozen(base: Path, tmp_path: Path) -> None:
    world, gateway = work(base)
    path = freeze(world, gateway, tmp_path / "end.zip", about={"task": "t"})
    again = reopen(path, [sample.TWIN], base, scratch=tmp_path / "scratch")
    assert_equal(EndState.of(world, gateway), again)
    assert [c.status for c in again.connections] == [200, 200, 421]
    assert again.now == world.now
    assert about(path) == {"task": "t", "base": again.base_hash, "twins": ["sample"]}
    blob = world.store.put_blob(b"attached")
    assert again.blob(blob) == b"attached"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["end.zip"]


def test_equal_work_makes_equal_files(base: Path, tmp_path: Path) -> None:
    files = []
    for name in ("one.zip", "two.zip"):
        world, gateway = work(base)
        files.append(freeze(world, gateway, tmp_path / name).read_bytes())
    assert files[0] == files[1]


def test_a_packed_file_stands_alone(frozen: Path, packed: Path, base: Path, tmp_path: Path) -> None:
    whole = reopen(packed, [sample.TWIN], scratch=tmp_path / "elsewhere")
    assert_equal(whole, reopen(frozen, [sample.TWIN], base, scratch=tmp_path))
    world, gateway = work(base)
    direct = freeze(world, gateway, tmp_path / "direct.zip", base=True)
    assert_equal(whole, reopen(direct, [sample.TWIN], scratch=tmp_path / "third"))
    again = reopen(packed, [sample.TWIN], scratch=tmp_path / "elsewhere")
    assert again.count(Memo) == 7


def test_a_file_says_what_it_is_about(frozen: Path, packed: Path, base: Path, tmp_path: Path) -> None:
    assert (is_packed(frozen), is_packed(packed)) == (False, True)
    for path in (frozen, packed):
        before = reopen(path, [sample.TWIN], base, scratch=tmp_path).fingerprint
        describe(path, {"task": "carry/renewal"})
        assert about(path)["task"] == "carry/renewal"
        assert reopen(path, [sample.TWIN], base, scratch=tmp_path).fingerprint == before
    assert is_packed(packed)


def refused(path: Path, base: Path | None, scratch: Path, twins=(sample.TWIN,)) -> str:
    with pytest.raises(BadInput) as caught:
        reopen(path, twins, base, scratch=scratch)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_what_does_not_belong_together_is_refused(frozen: Path, base: Path, tmp_path: Path) -> None:
    other = sample.build(tmp_path / "other.db", seed=8)
    assert "another base" in refused(frozen, other, tmp_path)
    assert "needs its base" in refused(frozen, None, tmp_path)
    assert "needs its base" in refused(frozen, tmp_path / "absent.db", tmp_path)
    assert "no such end-state file" in refused(tmp_path / "absent.zip", base, tmp_path)
    assert "holds records of sample" in refused(frozen, base, tmp_path, twins=())
    with pytest.raises(BadInput, match="another base"):
        pack(frozen, other, tmp_path / "packed.zip")


def rewrite(path: Path, change) -> None:
    """Write the archive anew with changed members."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)


def manifest(**fields):
    def change(members: dict[str, bytes]) -> None:
        members["manifest.json"] = json.dumps(json.loads(members["manifest.json"]) | fields).encode()

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (manifest(format=99), "has format 99"),
        (manifest(format="x"), "not an end-state file"),
        (manifest(sha256=[]), "not an end-state file"),
        (manifest(sha256={}), "does not match its checksum"),
        (lambda members: members.pop("manifest.json"), "not an end-state file"),
        (lambda members: members.update({"manifest.json": b"[]"}), "not an end-state file"),
        (lambda members: members.pop("delta.db"), "delta.db does not match"),
        (lambda members: members.pop("gateway.jsonl"), "gateway.jsonl does not match"),
        (lambda members: members.update({"delta.db": members["delta.db"][:-512]}), "delta.db does not match"),
        (lambda members: members.update({"base.db": b"foreign"}), "base.db does not match"),
    ],
)
def test_a_changed_member_is_refused(frozen: Path, base: Path, tmp_path: Path, change, message: str) -> None:
    rewrite(frozen, change)
    assert message in refused(frozen, base, tmp_path)


def test_a_truncated_file_is_refused(packed: Path, tmp_path: Path) -> None:
    whole = packed.read_bytes()
    for size in (0, 1, 100, len(whole) // 2, len(whole) - 1):
        packed.write_bytes(whole[:size])
        refused(packed, None, tmp_path / "scratch")


def test_a_flipped_bit_is_refused_or_harmless(packed: Path, tmp_path: Path) -> None:
    """Bits that the archive format ignores may flip; what is read is then what was written."""
    whole = packed.read_bytes()
    expected = reopen(packed, [sample.TWIN], scratch=tmp_path / "good").fingerprint
    chance = random.Random(5)
    refusals = 0
    for _ in range(200):
        damaged = bytearray(whole)
        damaged[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
        packed.write_bytes(damaged)
        try:
            assert reopen(packed, [sample.TWIN], scratch=tmp_path / "good").fingerprint == expected
        except BadInput as error:
            assert "\n" not in str(error)
            refusals += 1
    assert refusals > 150


def test_an_unpacked_base_that_was_cut_short_is_never_used(packed: Path, tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    state = reopen(packed, [sample.TWIN], scratch=scratch)
    (unpacked,) = scratch.iterdir()
    shutil.rmtree(scratch)
    scratch.mkdir()
    unpacked.with_suffix(".1.part").write_bytes(b"cut")
    assert reopen(packed, [sample.TWIN], scratch=scratch).fingerprint == state.fingerprint


def test_an_end_state_is_read_only_for_graders(frozen: Path, base: Path, tmp_path: Path) -> None:
    """Grading twice gives the same findings: reading leaves no trace in the file."""
    before = frozen.read_bytes()
    for _ in range(2):
        state = reopen(frozen, [sample.TWIN], base, scratch=tmp_path)
        assert state.count(Memo) == 7 and len(state.journal) > 0
        state.close()
    assert frozen.read_bytes() == before
    assert not hasattr(EndState, "put")
