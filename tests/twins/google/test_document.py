"""Binding requests to a discovery document."""

from typing import Any

import pytest

from tenure.twins.gmail.rest import DOCUMENT
from tenure.twins.google.document import camel, snake
from tenure.twins.google.errors import GoogleError

LIST = DOCUMENT.methods["gmail.users.messages.list"]
VACATION = {"$ref": "VacationSettings"}


def test_the_document_lists_its_methods() -> None:
    assert len(DOCUMENT.methods) == 79
    send = DOCUMENT.methods["gmail.users.messages.send"]
    assert (send.http, send.path) == ("POST", "/gmail/v1/users/{userId}/messages/send")
    assert "/upload/gmail/v1/users/{userId}/messages/send" in send.uploads
    assert "https://www.googleapis.com/auth/gmail.send" in send.scopes


def test_parameters_are_typed_and_defaulted() -> None:
    args = {
        "labelIds": ["A", "B"],
        "maxResults": ["7"],
        "includeSpamTrash": ["true"],
        "alt": ["json"],
        "prettyPrint": ["false"],
    }
    bound = DOCUMENT.bind_query(LIST, {"userId": "me"}, args)
    assert bound == {"userId": "me", "labelIds": ["A", "B"], "maxResults": 7, "includeSpamTrash": True}
    assert DOCUMENT.bind_query(LIST, {}, {})["maxResults"] == 100
    assert DOCUMENT.bind_query(LIST, {}, {"maxResults": ["1", "2"]})["maxResults"] == 2
    assert DOCUMENT.bind_query(LIST, {}, {"label_ids": ["A"]})["labelIds"] == ["A"]


@pytest.mark.parametrize(
    "args",
    [
        {"maxResults": ["x"]},
        {"maxResults": ["-1"]},
        {"maxResults": [str(2**32)]},
        {"includeSpamTrash": ["x"]},
        {"nope": ["1"]},
    ],
)
def test_parameters_that_do_not_fit(args: dict[str, list[str]]) -> None:
    with pytest.raises(GoogleError) as refused:
        DOCUMENT.bind_query(LIST, {}, args)
    assert refused.value.code == 400


@pytest.mark.parametrize(
    ("body", "bound"),
    [
        (b"", {}),
        (b'{"startTime": 5, "endTime": "6"}', {"startTime": "5", "endTime": "6"}),
        (b'{"enable_auto_reply": true, "responseSubject": null}', {"enableAutoReply": True}),
    ],
)
def test_bodies_are_typed(body: bytes, bound: dict[str, Any]) -> None:
    assert DOCUMENT.bind_body(VACATION, body) == bound


@pytest.mark.parametrize(
    "body",
    [
        b"[",
        b"3",
        b'{"startTime": "soon"}',
        b'{"startTime": 1.5}',
        b'{"startTime": true}',
        b'{"enableAutoReply": 3}',
        b'{"x": 1}',
    ],
)
def test_bodies_that_do_not_fit(body: bytes) -> None:
    with pytest.raises(GoogleError) as refused:
        DOCUMENT.bind_body(VACATION, body)
    assert refused.value.code == 400


def test_every_violation_is_told() -> None:
    with pytest.raises(GoogleError) as refused:
        DOCUMENT.bind_body({"$ref": "Label"}, b'{"x": 1, "y": 2, "color": {"z": 3}}')
    details = refused.value.reply().body["error"]["details"][0]["fieldViolations"]
    assert [item["description"].split('"')[1] for item in details] == ["x", "y", "z"]


def test_names_in_two_cases() -> None:
    assert camel("label_ids") == "labelIds" and camel("labelIds") == "labelIds" and camel("_x") == "_x"
    assert snake("addLabelIds") == "add_label_ids"
