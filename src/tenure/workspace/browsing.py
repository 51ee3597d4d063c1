"""Machines that hold a browser: its files, the fonts, and what it needs around it."""

import shutil
from dataclasses import replace
from pathlib import Path

from tenure.workspace.base import PATH
from tenure.workspace.bubblewrap import Bubblewrap
from tenure.workspace.machine import MachineSpec

PROGRAM = "chromium-headless-shell"
_FONTS = "/opt/fonts"


def missing() -> str:
    """Why no browser can be had in an isolated machine here, and what to do; empty when one can."""
    if why := Bubblewrap.missing():
        return f"machines that isolate: {why}"
    if shutil.which(PROGRAM, path=PATH) is None:
        return f"{PROGRAM}; install the package of that name"
    return ""


def with_browser(spec: MachineSpec) -> MachineSpec:
    """A machine that holds a browser beside what it holds already, with the fonts and the clock of UTC."""
    # The host's settings of fonts; without them a page has boxes for letters.
    settings = Path("/etc/fonts")
    return replace(
        spec,
        system=(*spec.system, PROGRAM, "fonts-*"),
        binds=(*spec.binds, *([(settings, _FONTS)] if settings.is_dir() else ())),
        environment={**spec.environment, "FONTCONFIG_PATH": _FONTS, "TZ": "UTC"},
    )
