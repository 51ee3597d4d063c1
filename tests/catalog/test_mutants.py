"""What the shipped mutants change is done: a step that is left out spoils nothing and is not replaced."""

import pytest

from tenure.oracle import load_mutants
from tenure.schema import Suite
from tenure.schema.folder import OperateFolder, TaskFolder, shipped

FOLDERS = [*shipped(Suite.CARRY), *shipped(Suite.OPERATE)]


@pytest.mark.parametrize("folder", FOLDERS, ids=[folder.task.name for folder in FOLDERS])
def test_no_change_is_lost_to_a_step_that_is_left_out(folder: TaskFolder | OperateFolder) -> None:
    mutants, vandals = load_mutants(folder)
    assert mutants and vandals
    for mutant in mutants:
        made = mutant.changes
        lost = made.skip & (made.repeat | frozenset(made.after) | frozenset(made.instead))
        assert not lost, f"{mutant.name}: {', '.join(lost)}"
