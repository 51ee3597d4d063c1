"""Names of processes, and when they mean a process that has ended."""

import os
import subprocess
import sys

import pytest

from tenure.workspace.owner import gone, owner


def test_a_process_is_gone_when_it_has_ended_and_not_before() -> None:
    command = [sys.executable, "-c", "from tenure.workspace.owner import owner; print(owner()); input()"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None and process.stdout is not None
    with process:
        name = process.stdout.readline().strip()
        assert name.split(".")[-2] == str(process.pid)
        assert not gone(name)
        process.stdin.write("\n")
    assert gone(name)


def test_a_process_that_has_ended_and_is_not_waited_for_is_gone() -> None:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    space = owner().rsplit(".", 2)[0]
    assert gone(f"{space}.{child}.1")
    os.waitpid(child, 0)


def test_a_number_that_was_given_again_is_another_process() -> None:
    space, _, begun = owner().rpartition(".")
    assert not gone(owner())
    assert gone(f"{space}.{int(begun) - 1}")


@pytest.mark.parametrize("name", ["", "1", "1.2", "another-boot.4026531836.999999999.1"])
def test_of_a_process_elsewhere_nobody_knows(name: str) -> None:
    assert not gone(name)
