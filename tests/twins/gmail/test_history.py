"""History and push subscriptions."""

import pytest

from tenure.twins.gmail.records import HISTORY_START

from .make import BO, Client, letter, raw

FIRST, DIGEST = f"{0xA1:016x}", f"{0xA3:016x}"


def mark(client: Client) -> str:
    return client.ok("GET", "/profile")["historyId"]


def test_each_change_is_told_once_and_in_order(ada: Client) -> None:
    start = mark(ada)
    assert int(start) == HISTORY_START
    assert ada.ok("GET", "/history", startHistoryId=start) == {"historyId": start}
    sent = ada.ok("POST", "/messages/send", {"raw": raw(letter("x@y.test"))})
    ada.ok("POST", f"/messages/{DIGEST}/modify", {"addLabelIds": ["STARRED"], "removeLabelIds": ["UNREAD"]})
    ada.ok("DELETE", f"/messages/{FIRST}")
    answer = ada.ok("GET", "/history", startHistoryId=start)
    added, starred, read, deleted = answer["history"]
    brief = {"id": sent["id"], "threadId": sent["threadId"]}
    assert added["messages"] == [brief]
    assert added["messagesAdded"] == [{"message": {**brief, "labelIds": ["SENT"]}}]
    assert starred["labelsAdded"][0]["labelIds"] == ["STARRED"]
    assert read["labelsRemoved"][0]["labelIds"] == ["UNREAD"]
    assert deleted["messagesDeleted"][0]["message"]["id"] == FIRST
    numbers = [int(record["id"]) for record in answer["history"]]
    assert numbers == sorted(set(numbers)) and answer["historyId"] == str(numbers[-1]) == mark(ada)
    assert "history" not in ada.ok("GET", "/history", startHistoryId=answer["historyId"])
    assert ada.ok("GET", f"/messages/{DIGEST}", format="minimal")["historyId"] == read["id"]


def test_a_change_that_changes_nothing_is_no_history(ada: Client) -> None:
    start = mark(ada)
    ada.ok("POST", f"/messages/{FIRST}/modify", {"addLabelIds": ["INBOX"]})
    assert mark(ada) == start


def test_types_labels_and_pages(ada: Client) -> None:
    start = mark(ada)
    for label in ("STARRED", "Label_2"):
        for id in (FIRST, DIGEST):
            ada.ok("POST", f"/messages/{id}/modify", {"addLabelIds": [label]})
    ada.ok("POST", f"/messages/{FIRST}/modify", {"removeLabelIds": ["STARRED"]})
    removed = ada.ok("GET", "/history", startHistoryId=start, historyTypes="labelRemoved")["history"]
    assert len(removed) == 1
    both = ada.ok("GET", "/history", startHistoryId=start, historyTypes=["labelRemoved", "labelAdded"])[
        "history"
    ]
    assert len(both) == 5
    promotions = ada.ok("GET", "/history", startHistoryId=start, labelId="CATEGORY_PROMOTIONS")["history"]
    assert {record["messages"][0]["id"] for record in promotions} == {DIGEST}
    first = ada.ok("GET", "/history", startHistoryId=start, maxResults=3)
    rest = ada.ok("GET", "/history", startHistoryId=start, maxResults=3, pageToken=first["nextPageToken"])
    assert first["history"] + rest["history"] == both and "nextPageToken" not in rest


def test_starts_that_are_refused(ada: Client) -> None:
    assert ada.refused("GET", "/history", startHistoryId=HISTORY_START - 1)[:2] == (404, "notFound")
    assert ada.refused("GET", "/history")[0] == 400
    assert ada.refused("GET", "/history", startHistoryId="soon")[1] == "badRequest"
    assert ada.refused("GET", "/history", startHistoryId=HISTORY_START, historyTypes="other")[0] == 400


def test_histories_are_apart(ada: Client, bo: Client) -> None:
    ada.ok("POST", "/messages/send", {"raw": raw(letter(f"{BO}@acme.test"))})
    ada.ok("POST", f"/messages/{FIRST}/modify", {"addLabelIds": ["STARRED"]})
    assert (int(mark(ada)), int(mark(bo))) == (HISTORY_START + 2, HISTORY_START + 1)


def test_watch_and_stop(ada: Client) -> None:
    body = {"topicName": "projects/p/topics/t", "labelIds": ["INBOX"], "labelFilterBehavior": "include"}
    watched = ada.ok("POST", "/watch", body)
    assert watched["historyId"] == mark(ada)
    assert int(watched["expiration"]) > 1_790_000_000_000 + 6 * 86_400_000
    assert ada.ok("POST", "/stop") is None and ada.ok("POST", "/stop") is None


@pytest.mark.parametrize(
    "body", [{}, {"topicName": "t"}, {"topicName": "projects/p/topics/t", "labelIds": ["nope"]}]
)
def test_watches_that_are_refused(ada: Client, body: dict) -> None:
    assert ada.refused("POST", "/watch", body)[:2] == (400, "invalidArgument")
