"""What an open workspace is, as far as its builder is told and provenance keeps it."""

from typing import NamedTuple

from tenure.workspace import Machine

_ASKED = 'printf "%s\\n" "$HOME"; python3 --version; node --version 2> /dev/null'
_SECONDS = 60


class Facts(NamedTuple):
    """What a machine says of itself.

    Attributes:
        home: The home folder.
        programs: What there is to program with, by name, with versions.
    """

    home: str
    programs: dict[str, str]

    @property
    def said(self) -> str:
        """The programs in words."""
        return " and ".join(f"{name} {version}" for name, version in self.programs.items())


async def facts_of(machine: Machine) -> Facts:
    """Ask a machine."""
    done = await machine.run(["sh", "-c", _ASKED], timeout=_SECONDS)
    home, *said = done.stdout.decode("utf-8", "replace").split("\n")
    versions = [line.rpartition(" ")[2].removeprefix("v") for line in said if line.strip()]
    return Facts(home, dict(zip(("Python", "Node.js"), versions, strict=False)))
