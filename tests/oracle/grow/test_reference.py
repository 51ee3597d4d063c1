"""A reference by stage, its patches, what it is seeded with; what is wrong with them is said in a line."""

import shutil
from pathlib import Path

import pytest

from support.machines import isolated
from tenure.oracle.build import Edit
from tenure.oracle.grow import load_bugs, load_walks, overlay, packed, reference_at, seeding_of
from tenure.schema import BadInput
from tenure.schema.folder import GrowFolder
from tenure.workspace import open_machine
from tenure.workspace.product import snapshot, unpack

SHELF = Path(__file__).parents[3] / "docs" / "examples" / "shelf"
FOLDER = GrowFolder(SHELF)


def test_a_stage_is_the_overlays_so_far_the_later_ones_on_top() -> None:
    first, second = reference_at(FOLDER, 1), reference_at(FOLDER, 2)
    assert set(second) - set(first) == {"lending.py"} and set(overlay(FOLDER, 2)) == {
        "lending.py",
        "parts.py",
    }
    assert b"lending" in second["parts.py"] and b"lending" not in first["parts.py"]
    assert second["server.py"] == first["server.py"]


def test_a_patch_fits_once_or_is_refused() -> None:
    patched = reference_at(FOLDER, 1, [Edit("things.py", "The shelf is empty.", "Nothing.")])
    assert (
        b"Nothing." in patched["things.py"] and patched["server.py"] == reference_at(FOLDER, 1)["server.py"]
    )
    with pytest.raises(BadInput, match=r"things\.py at stage 1 holds 'name' \d+ times, not once"):
        reference_at(FOLDER, 1, [Edit("things.py", "name", "")])
    with pytest.raises(BadInput, match=r"lending\.py at stage 1 holds 'back' 0 times"):
        reference_at(FOLDER, 1, [Edit("lending.py", "back", "")])


@isolated
@pytest.mark.anyio
async def test_what_is_packed_is_what_a_workspace_gives() -> None:
    code = packed(reference_at(FOLDER, 3))
    async with open_machine() as machine:
        await unpack(machine, code)
        assert (await machine.run(["test", "-x", "start.sh"])).returncode == 0
        assert await snapshot(machine) == code


def test_only_plans_of_records_are_seeded() -> None:
    seeded = {plan.id: seeding_of(FOLDER, plan) for plan in FOLDER.plans}
    assert {plan for plan, files in seeded.items() if files} == {"lent", "back"}
    files = seeded["back"]
    assert files is not None and set(files) == {"seed.sh", "seed.py"} and b"'Saw', 'Ann'" in files["seed.py"]


def _without(tmp_path: Path, path: str, old: str, new: str) -> GrowFolder:
    copy = shutil.copytree(SHELF, tmp_path / "shelf", ignore=shutil.ignore_patterns("__pycache__"))
    text = (copy / path).read_text()
    assert old in text
    (copy / path).write_text(text.replace(old, new))
    return GrowFolder(copy)


def test_a_product_without_a_seed_walk_or_stage_says_so(tmp_path: Path) -> None:
    folder = _without(tmp_path, "seeds.py", '"back": [("Saw", "Ann")]', "")
    plan = next(plan for plan in folder.plans if plan.id == "back")
    with pytest.raises(BadInput, match=r"seeds\.py: script\('back'\) gives no program"):
        seeding_of(folder, plan)
    shutil.rmtree(folder.reference / "02-lending")
    with pytest.raises(BadInput, match="02-lending: the reference has no such stage"):
        reference_at(folder, 3)


def test_walks_and_bugs_are_those_of_the_product() -> None:
    assert set(load_walks(FOLDER)) == {plan.id for plan in FOLDER.plans}
    assert [bug.plan for bug in load_bugs(FOLDER)] == ["cents", "lent"]
