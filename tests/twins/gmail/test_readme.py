"""The README counts what is there."""

from tenure.twins.gmail.readme import README, part
from tenure.twins.wire.readme import renewed


def test_the_readme_is_up_to_date() -> None:
    text = README.read_text()
    assert renewed(text, part()) == text, "run: python -m tenure.twins.gmail.readme"
    assert "43 implemented / 79" in text
