"""Pages stay whole while the mailbox changes under them."""

from pathlib import Path

import pytest

from tenure.world import Gateway, World

from .make import ADA, MINUTE, NOW, Client, build, letter, mail, open_world, person, raw

COUNT = 130


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    letters = (
        mail(
            account=ADA,
            id=f"{0x1000 + n:016x}",
            thread=f"{0x1000 + n // 2 * 2:016x}",
            sender=f"P{n % 7} <p{n % 7}@many.test>",
            to=[person(ADA)],
            subject="Report",
            text=f"number {n}",
            at=NOW - n // 3 * MINUTE,
            labels=["INBOX"] if n % 2 else ["INBOX", "STARRED"],
        )
        for n in range(COUNT)
    )
    return build(tmp_path_factory.mktemp("pages") / "base.db", letters)


@pytest.fixture
def gateway(base: Path) -> Gateway:
    return open_world(base)[1]


def walk(client: Client, what: str, **query: object) -> list[list[str]]:
    pages, token = [], ""
    while True:
        answer = client.ok("GET", f"/{what}", **query, **({"pageToken": token} if token else {}))
        pages.append([item["id"] for item in answer.get(what, [])])
        token = answer.get("nextPageToken", "")
        if not token:
            return pages


@pytest.mark.parametrize(
    "query", [{}, {"q": "report"}, {"q": "from:p3"}, {"labelIds": "STARRED"}, {"q": "number -7"}]
)
@pytest.mark.parametrize("what", ["messages", "threads"])
def test_pages_join_to_the_whole_list(gateway: Gateway, what: str, query: dict) -> None:
    ada = Client(gateway)
    whole = walk(ada, what, maxResults=500, **query)
    assert len(whole) == 1 and len(set(whole[0])) == len(whole[0]) >= 9
    parts = walk(ada, what, maxResults=9, **query)
    assert [id for page in parts for id in page] == whole[0]


@pytest.mark.parametrize("what", ["messages", "threads"])
def test_archiving_each_page_skips_nothing(gateway: Gateway, what: str) -> None:
    ada = Client(gateway)
    expected = walk(ada, what, maxResults=500, labelIds="INBOX")[0]
    seen, token = [], ""
    while True:
        answer = ada.ok(
            "GET", f"/{what}", labelIds="INBOX", maxResults=10, **({"pageToken": token} if token else {})
        )
        for item in answer[what]:
            seen.append(item["id"])
            ada.ok("POST", f"/{what}/{item['id']}/modify", {"removeLabelIds": ["INBOX"]})
        ada.ok("POST", "/messages/send", {"raw": raw(letter("ada@acme.test", "New"))})
        token = answer.get("nextPageToken", "")
        if not token:
            break
    assert seen == expected


def test_the_page_size_has_a_default_and_a_limit(gateway: Gateway) -> None:
    ada = Client(gateway)
    assert len(ada.ok("GET", "/messages")["messages"]) == 100
    assert ada.ok("GET", "/messages")["resultSizeEstimate"] == 201
    assert len(ada.ok("GET", "/messages", maxResults=9999)["messages"]) == COUNT + 3
    assert len(ada.ok("GET", "/messages", maxResults=0)["messages"]) == 100
    assert ada.refused("GET", "/messages", maxResults=-1)[:2] == (400, "badRequest")


def test_a_page_token_belongs_to_its_question(gateway: Gateway) -> None:
    ada = Client(gateway)
    token = ada.ok("GET", "/messages", q="report", maxResults=5)["nextPageToken"]
    assert ada.ok("GET", "/messages", q="report", maxResults=7, pageToken=token)["messages"]
    for query in ({"q": "number", "pageToken": token}, {"pageToken": "garbage"}, {"pageToken": "W10"}):
        assert ada.refused("GET", "/messages", **query) == (400, "invalidArgument", "Invalid pageToken")
    assert ada.refused("GET", "/threads", q="report", pageToken=token)[0] == 400


def test_labels_count_messages_and_threads(gateway: Gateway, world: World) -> None:
    got = Client(gateway).ok("GET", "/labels/STARRED")
    assert (got["messagesTotal"], got["threadsTotal"], got["messagesUnread"]) == (COUNT / 2, COUNT / 2, 0)
