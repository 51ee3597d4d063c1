"""Texts that can be stored and sent."""

from tenure.schema.text import cut, readable, readable_all

HALF = "\ud83d"


def test_halves_of_characters_become_question_marks() -> None:
    assert readable(f"a{HALF}b \N{GRINNING FACE}") == "a?b \N{GRINNING FACE}"


def test_so_do_those_in_a_value() -> None:
    held = {f"n{HALF}": [f"x{HALF}", 1, None, {"y": 2.5}], "at": object}
    assert readable_all(held) == {"n?": ["x?", 1, None, {"y": 2.5}], "at": "<class 'object'>"}


def test_a_text_is_cut_by_bytes_between_characters() -> None:
    assert [cut("aé€", most) for most in (0, 1, 2, 3, 5, 6, 9)] == ["", "a", "a", "aé", "aé", "aé€", "aé€"]
