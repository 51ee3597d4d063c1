"""Automatic replies, filters and signatures as settings."""

import pytest

from .make import Client, letter, raw


def test_the_automatic_reply_is_off_until_set(ada: Client) -> None:
    assert ada.ok("GET", "/settings/vacation")["enableAutoReply"] is False
    body = {
        "enableAutoReply": True,
        "responseSubject": "Away",
        "responseBodyHtml": "<p>Back soon</p>",
        "restrictToDomain": True,
        "startTime": 1790000000000,
        "endTime": "1790900000000",
    }
    stored = ada.ok("PUT", "/settings/vacation", body)
    assert stored == {**body, "startTime": "1790000000000", "restrictToContacts": False}
    assert ada.ok("GET", "/settings/vacation") == stored
    assert ada.ok("PUT", "/settings/vacation", {}) == {
        "enableAutoReply": False,
        "restrictToContacts": False,
        "restrictToDomain": False,
    }


@pytest.mark.parametrize(
    "body",
    [
        {"enableAutoReply": True},
        {"startTime": "200", "endTime": "100"},
        {"enableAutoReply": "maybe"},
        {"startTime": "soon"},
    ],
)
def test_automatic_replies_that_are_refused(ada: Client, body: dict) -> None:
    assert ada.refused("PUT", "/settings/vacation", body)[0] == 400


def test_filters_are_made_listed_and_deleted(ada: Client, bo: Client) -> None:
    assert ada.ok("GET", "/settings/filters") == {}
    rule = {"criteria": {"from": "news@letters.test"}, "action": {"addLabelIds": ["Label_1"]}}
    made = ada.ok("POST", "/settings/filters", rule)
    assert made["id"].startswith("ANe1B") and {**rule, "id": made["id"]} == made
    assert ada.ok("GET", "/settings/filters") == {"filter": [made]}
    assert ada.ok("GET", f"/settings/filters/{made['id']}") == made
    again = ada.refused("POST", "/settings/filters", rule)
    assert again == (400, "failedPrecondition", "Filter already exists")
    assert bo.refused("GET", f"/settings/filters/{made['id']}")[0] == 404
    assert bo.refused("DELETE", f"/settings/filters/{made['id']}")[0] == 404
    assert ada.ok("DELETE", f"/settings/filters/{made['id']}") is None
    assert ada.refused("GET", f"/settings/filters/{made['id']}")[:2] == (404, "notFound")


@pytest.mark.parametrize(
    "rule",
    [
        {},
        {"criteria": {"from": "x"}},
        {"action": {"addLabelIds": ["STARRED"]}},
        {"criteria": {"excludeChats": True}, "action": {"addLabelIds": ["STARRED"]}},
        {"criteria": {"from": "x"}, "action": {"addLabelIds": ["Label_99"]}},
        {"criteria": {"from": "x"}, "action": {"forward": "else@where.test"}},
        {"criteria": {"sender": "x"}, "action": {"addLabelIds": ["STARRED"]}},
    ],
)
def test_filters_that_are_refused(ada: Client, rule: dict) -> None:
    assert ada.refused("POST", "/settings/filters", rule)[0] == 400


def test_an_address_has_a_name_and_a_signature(ada: Client) -> None:
    (own,) = ada.ok("GET", "/settings/sendAs")["sendAs"]
    assert own == {
        "sendAsEmail": "ada@acme.test",
        "displayName": "Ada Example",
        "replyToAddress": "",
        "signature": "",
        "isDefault": True,
        "isPrimary": True,
    }
    ada.ok("PATCH", "/settings/sendAs/ada@acme.test", {"displayName": "Ada of Acme", "signature": "<b>A</b>"})
    assert ada.ok("GET", "/settings/sendAs/ADA%40acme.test")["signature"] == "<b>A</b>"
    sent = ada.ok("POST", "/messages/send", {"raw": raw(letter("x@y.test"))})
    got = ada.ok("GET", f"/messages/{sent['id']}", format="metadata", metadataHeaders="From")
    assert got["payload"]["headers"][0]["value"] == "Ada of Acme <ada@acme.test>"
    for method in ("GET", "PATCH"):
        assert ada.refused(method, "/settings/sendAs/bo@acme.test", {})[:2] == (404, "notFound")
