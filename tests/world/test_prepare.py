"""Bases are built once per task, seed and code, whoever asks at the same time."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from support.tasks import copy_reply
from tenure.schema import BadInput
from tenure.schema.folder import TaskFolder
from tenure.world.prepare import base_for, world_hash
from tenure.world.store import Store


def hash_of(base: Path) -> object:
    """The hash that a base carries."""
    store = Store(base, ())
    try:
        return store.meta("hash")
    finally:
        store.close()


def test_attempts_that_start_together_share_one_build(tmp_path: Path) -> None:
    slow = f"""base, chance = company.base, random.Random(company.seed)
    import time
    open({str(tmp_path / "builds")!r}, "a").write("built\\n")
    time.sleep(0.3)"""
    task = copy_reply(tmp_path, story=("base, chance = company.base, random.Random(company.seed)", slow))
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda n: base_for(TaskFolder(task), 11, tmp_path / "cache"), range(8)))
    assert len(set(found)) == 1
    assert (tmp_path / "builds").read_text() == "built\n"
    assert sorted(path.suffix for path in (tmp_path / "cache").iterdir()) == [".db", ".lock"]


def test_equal_code_and_seed_give_equal_bases(tmp_path: Path) -> None:
    one, two = copy_reply(tmp_path / "one"), copy_reply(tmp_path / "two")
    bases = [
        base_for(TaskFolder(task), seed, tmp_path / f"cache-{task.parent.name}")
        for task, seed in ((one, 11), (two, 11), (one, 23))
    ]
    assert bases[0].name == bases[1].name
    assert hash_of(bases[0]) == hash_of(bases[1]) != hash_of(bases[2])


def test_a_build_that_fails_leaves_no_base(tmp_path: Path) -> None:
    task = copy_reply(tmp_path, story=("base.facts |= {", "1 / 0\n    base.facts |= {"))
    for _ in range(2):
        with pytest.raises(BadInput, match="the world for seed 11 cannot be built: ZeroDivisionError"):
            base_for(TaskFolder(task), 11, tmp_path / "cache")
    assert [path.suffix for path in (tmp_path / "cache").iterdir()] == [".lock"]


def test_the_hash_covers_every_file_that_decides_a_world(tmp_path: Path) -> None:
    task = copy_reply(tmp_path)
    before = world_hash(TaskFolder(task))
    for name in ("story.py", "world/world.py", "instruction.md", "checks.py"):
        path = task / name
        text = path.read_text()
        path.write_text(text + "\n")
        assert world_hash(TaskFolder(task)) != before, name
        path.write_text(text)
    assert world_hash(TaskFolder(task)) == before
