"""Labels: making, changing, counting, deleting, refusals."""

import pytest

from tenure.twins.gmail.records import SYSTEM_LABELS, Label, Message
from tenure.world import World

from .make import ADA, Client


def test_the_list_has_system_and_own_labels_without_counts(ada: Client, bo: Client) -> None:
    labels = ada.ok("GET", "/labels")["labels"]
    assert [label["id"] for label in labels] == [*SYSTEM_LABELS, "Label_1", "Label_2"]
    assert all("messagesTotal" not in label for label in labels)
    assert len(bo.ok("GET", "/labels")["labels"]) == len(SYSTEM_LABELS)


def test_counts(ada: Client) -> None:
    inbox = ada.ok("GET", "/labels/INBOX")
    counts = [inbox[f"{what}{which}"] for what in ("messages", "threads") for which in ("Total", "Unread")]
    assert counts == [2, 1, 2, 1]
    ada.ok("POST", f"/messages/{0xA3:016x}/modify", {"removeLabelIds": ["UNREAD"]})
    assert ada.ok("GET", "/labels/INBOX")["messagesUnread"] == 0
    assert ada.ok("GET", "/labels/UNREAD")["messagesTotal"] == 0


def test_a_label_is_made_changed_and_replaced(ada: Client) -> None:
    color = {"textColor": "#000000", "backgroundColor": "#ffffff"}
    made = ada.ok("POST", "/labels", {"name": "Receipts", "labelListVisibility": "labelHide", "color": color})
    assert made == {
        "id": "Label_3",
        "name": "Receipts",
        "messageListVisibility": "show",
        "labelListVisibility": "labelHide",
        "type": "user",
        "color": color,
    }
    patched = ada.ok("PATCH", "/labels/Label_3", {"messageListVisibility": "hide"})
    assert patched == {**made, "messageListVisibility": "hide"}
    replaced = ada.ok("PUT", "/labels/Label_3", {"name": "RECEIPTS"})
    assert replaced["name"] == "RECEIPTS" and "color" not in replaced
    assert replaced["labelListVisibility"] == "labelShow"


def test_deleting_a_label_takes_it_from_its_messages(ada: Client, world: World) -> None:
    assert ada.ok("DELETE", "/labels/Label_1") is None
    record = world.store.get(Message, f"{0xA1:016x}")
    assert record is not None and record.labels == ["IMPORTANT", "INBOX"]
    assert [label.id for label in world.store.all(Label, "mailbox", ADA)] == ["Label_2"]


@pytest.mark.parametrize("name", ["", "  ", "/", "inbox", "Unread"])
def test_names_that_cannot_be(ada: Client, name: str) -> None:
    assert ada.refused("POST", "/labels", {"name": name}) == (400, "invalidArgument", "Invalid label name")
    assert ada.refused("PATCH", "/labels/Label_1", {"name": name})[0] == 400


def test_names_that_are_taken(ada: Client, bo: Client) -> None:
    taken = (409, "aborted", "Label name exists or conflicts")
    assert ada.refused("POST", "/labels", {"name": "TODO"}) == taken
    assert ada.refused("PUT", "/labels/Label_1", {"name": "Todo"}) == taken
    assert bo.ok("POST", "/labels", {"name": "Todo"})["name"] == "Todo"


def test_labels_that_are_not_there_or_cannot_change(ada: Client, bo: Client) -> None:
    for method, body in (("GET", None), ("PUT", {"name": "x"}), ("PATCH", {"name": "x"}), ("DELETE", None)):
        for client, id in ((ada, "Label_99"), (bo, "Label_1")):
            assert client.refused(method, f"/labels/{id}", body)[:2] == (404, "notFound")
        if method != "GET":
            assert ada.refused(method, "/labels/INBOX", body)[:2] == (400, "invalidArgument")
    assert ada.refused("POST", "/labels", {"name": "x", "labelListVisibility": "never"})[1] == "badRequest"
