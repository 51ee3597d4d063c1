"""Partial responses."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenure.twins.gmail.rest import DOCUMENT
from tenure.twins.google.errors import GoogleError
from tenure.twins.google.fields import check, parse, select

VALUE = {
    "messages": [{"id": "1", "payload": {"headers": [{"name": "a", "value": "b"}], "size": 2}}, {"id": "2"}],
    "nextPageToken": "t",
}


@pytest.mark.parametrize(
    ("selector", "kept"),
    [
        ("nextPageToken", {"nextPageToken": "t"}),
        ("messages/id", {"messages": [{"id": "1"}, {"id": "2"}]}),
        ("messages(id)", {"messages": [{"id": "1"}, {"id": "2"}]}),
        ("messages(id),nextPageToken", {"messages": [{"id": "1"}, {"id": "2"}], "nextPageToken": "t"}),
        ("messages/payload/headers/name", {"messages": [{"payload": {"headers": [{"name": "a"}]}}, {}]}),
        (
            "messages(payload(headers(value),size))",
            {"messages": [{"payload": {"headers": [{"value": "b"}], "size": 2}}, {}]},
        ),
        ("messages/*/size", {"messages": [{"id": "1", "payload": {"size": 2}}, {"id": "2"}]}),
        ("*", VALUE),
        (" messages ( id ) ", {"messages": [{"id": "1"}, {"id": "2"}]}),
    ],
)
def test_selectors(selector: str, kept: dict[str, Any]) -> None:
    assert select(VALUE, parse(selector)) == kept


@pytest.mark.parametrize(
    "selector", ["", ",", "a,", "a(", "a()", "a)b", "/a", "a//b", "a(b", "a b!", "(a)", "a/(b)"]
)
def test_selectors_that_are_malformed(selector: str) -> None:
    with pytest.raises(GoogleError) as refused:
        parse(selector)
    assert refused.value.code == 400


def test_selectors_are_checked_against_the_schema() -> None:
    schema = {"$ref": "ListThreadsResponse"}
    check(DOCUMENT, schema, parse("threads(id,messages/payload/parts/parts/body/size),nextPageToken"))
    for wrong in ("thread", "threads/ids", "threads(messages/payload/nothing)"):
        with pytest.raises(GoogleError, match="invalid argument"):
            check(DOCUMENT, schema, parse(wrong))


@given(st.text(alphabet="ab(),/* ", max_size=20))
def test_every_selector_is_read_or_refused(selector: str) -> None:
    try:
        mask = parse(selector)
    except GoogleError:
        return
    select(VALUE, mask)
