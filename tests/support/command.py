"""The ``tenure`` command within the test's own process."""

from typing import NamedTuple

import pytest

from tenure.cli.main import main


class Said(NamedTuple):
    """How a command ended and what it said."""

    status: int
    out: str
    err: str


class Tenure:
    """Call it with a command's words."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *words: object) -> Said:
        self._capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main([str(word) for word in words])
        out, err = self._capsys.readouterr()
        return Said(int(end.value.code or 0), out, err)

    def complains(self, *words: object, status: int = 2) -> str:
        """The one line that a command complains with."""
        said = self(*words)
        assert said.status == status, said
        assert "Traceback" not in said.err
        lines = said.err.splitlines()
        assert lines[-1].startswith("tenure: "), said.err
        assert [line for line in lines if line.startswith("tenure:")] == lines[-1:]
        return lines[-1].removeprefix("tenure: ")


@pytest.fixture
def tenure(capsys: pytest.CaptureFixture[str]) -> Tenure:
    """The command."""
    return Tenure(capsys)
