"""Whose something is that outlives its maker: a process, named so that no other one is taken for it.

A number alone does not do. Numbers are given again, and those of another container or another host mean
other processes, though both may use one engine.
"""

import os
from functools import cache
from pathlib import Path


@cache
def _space() -> str:
    """Where this process's numbers mean what they mean: one boot of one kernel, one namespace of numbers."""
    boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    return f"{boot}.{os.stat('/proc/self/ns/pid').st_ino}"


def owner() -> str:
    """The name of this process, for a label."""
    return f"{_space()}.{os.getpid()}.{_begun(os.getpid())}"


def gone(name: str) -> bool:
    """Whether the process of a name has ended; of one that cannot be seen from here nobody knows."""
    space, _, process = name.rpartition(".")[0].rpartition(".")
    if space != _space() or not process.isdecimal():
        return False
    return _begun(int(process)) != name.rpartition(".")[2]


def _begun(process: int) -> str:
    """When a process began, in ticks since the boot; empty of one that has ended."""
    try:
        told = Path(f"/proc/{process}/stat").read_text("utf-8", "replace")
    except OSError:
        return ""
    # A program's name may hold blanks and brackets: the fields that follow it are counted from the last one.
    fields = told.rpartition(")")[2].split()
    return "" if fields[0] in "ZX" else fields[19]
