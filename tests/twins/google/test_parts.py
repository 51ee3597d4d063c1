"""Multipart bodies and page tokens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenure.twins.google.errors import GoogleError
from tenure.twins.google.paging import page_token, place_of
from tenure.twins.google.parts import parts_of


@given(
    bodies=st.lists(
        st.binary(min_size=1, max_size=40).filter(lambda b: b"--xx" not in b and b.strip()),
        min_size=1,
        max_size=4,
    ),
    newline=st.sampled_from([b"\r\n", b"\n"]),
    quoted=st.booleans(),
)
def test_parts_come_back_whole(bodies: list[bytes], newline: bytes, quoted: bool) -> None:
    bodies = [body.strip(b"\r\n") or b"-" for body in bodies]
    out = b"".join(
        b"--xx" + newline + b"Content-Type: a/b" + newline + b"X-N: 1" + newline * 2 + b + newline
        for b in bodies
    )
    boundary = '"xx"' if quoted else "xx"
    parts = parts_of(f"multipart/mixed; boundary={boundary}", out + b"--xx--" + newline)
    assert [part.body for part in parts] == bodies
    assert all(part.headers == {"content-type": "a/b", "x-n": "1"} for part in parts)


@pytest.mark.parametrize(
    "kind", ["", "multipart/mixed", "multipart/mixed; boundary=", "multipart/mixed; boundary=other"]
)
def test_bodies_without_their_boundary(kind: str) -> None:
    with pytest.raises(GoogleError):
        parts_of(kind, b"--xx\r\n\r\nbody\r\n--xx--\r\n")


@given(
    st.tuples(st.one_of(st.integers(-(2**53), 2**53), st.text(max_size=20)), st.text(max_size=20)),
    st.lists(st.text(max_size=5), max_size=3),
)
def test_a_page_token_reads_back_for_its_own_question(
    place: tuple[int | str, str], question: list[str]
) -> None:
    token = page_token(place, question)
    assert place_of(token, question) == place
    with pytest.raises(GoogleError):
        place_of(token, [*question, "other"])


@given(st.text(min_size=1, max_size=40))
def test_what_is_no_token_is_refused(token: str) -> None:
    with pytest.raises(GoogleError):
        place_of(token, [])


def test_no_token_starts_at_the_beginning() -> None:
    assert place_of("", ["anything"]) is None
