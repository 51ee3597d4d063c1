"""The ``q`` parameter: each operator, and narrowing against brute force."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenure.schema import Via
from tenure.twins.gmail import query
from tenure.twins.gmail.match import Matcher, age, moment, size
from tenure.twins.gmail.records import Attachment, Label, Message, mail
from tenure.twins.gmail.screen_records import Snoozed
from tenure.twins.gmail.search import Search
from tenure.world import Gateway

from .make import ADA, DAY, HOUR, NOW, Client, build, open_world, person


def seeded() -> Iterator[Message | Label]:
    def letter(n: int, **fields: object) -> Message:
        given = {
            "sender": "Vera Vendor <vera@vendor.test>",
            "to": [person(ADA)],
            "at": NOW - n * HOUR,
            **fields,
        }
        return mail(account=ADA, id=f"{0x5000 + n:016x}", **given)

    def file(name: str) -> Attachment:
        return Attachment(filename=name, mime="application/octet-stream", size=10, blob="0" * 64)

    yield letter(1, subject="Dinner and a movie", text="shall we see the new film tonight")
    yield letter(
        2,
        subject="Movie only",
        text="dinner is off; Zürich café",
        to=["Zoë <zoe@else.test>"],
        labels=["SENT"],
    )
    yield letter(
        3, subject="Budget 2026", text="the holiday plan is ten words away from any mention of our vacation"
    )
    yield letter(4, subject="Big", text="x", attachments=[file("homework.txt"), file("Slides v2.pdf")])
    yield letter(5, subject="Old", text="ancient", at=NOW - 400 * DAY)
    yield letter(6, subject="Spam offer", text="win money", labels=["SPAM"])
    yield letter(
        7,
        subject="Copy",
        text="carbon",
        cc=["Carl <carl@copy.test>"],
        bcc=["blind@copy.test"],
        labels=["SENT"],
    )
    yield letter(
        8,
        subject="Doc",
        text="see https://docs.google.com/document/d/1/edit",
        labels=["STARRED", "IMPORTANT"],
    )
    yield letter(
        9, subject="List post", text="hello", headers=[("List-Id", "<dev.lists.test>")], labels=["Label_9"]
    )
    yield letter(10, subject="Promo", text="sale", labels=["INBOX", "CATEGORY_PROMOTIONS"], unread=True)
    yield letter(
        11,
        subject="Inline",
        html="<p>logo</p>",
        attachments=[file("logo.png").model_copy(update={"content_id": "c"})],
    )
    yield Label(id="Label_9", account=ADA, name="Mailing Lists/Dev")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("search") / "base.db", seeded())


@pytest.fixture(scope="module")
def gateway(base: Path) -> Iterator[Gateway]:
    world, gateway = open_world(base)
    yield gateway
    world.close()


def found(gateway: Gateway, q: str, **more: str) -> set[str]:
    """The subjects of the answers."""
    answer = Client(gateway).ok("GET", "/messages", q=q, **more)
    records = [gateway.world.store.get(Message, item["id"]) for item in answer.get("messages", [])]
    return {record.subject for record in records if record is not None}


INVOICES = {"Invoice 0042 for September", "Re: Invoice 0042 for September"}


@pytest.mark.parametrize(
    ("q", "subjects"),
    [
        ("movie", {"Dinner and a movie", "Movie only"}),
        ("movie dinner", {"Dinner and a movie", "Movie only"}),
        ("MOVIE AND tonight", {"Dinner and a movie"}),
        ("subject:movie", {"Dinner and a movie", "Movie only"}),
        ("subject:(dinner movie)", {"Dinner and a movie"}),
        ("subject:{dinner budget}", {"Dinner and a movie", "Budget 2026"}),
        ('subject:"movie only"', {"Movie only"}),
        ('"new film"', {"Dinner and a movie"}),
        ('"film new"', set()),
        ("movie -dinner", set()),
        ("subject:movie -subject:dinner", {"Movie only"}),
        ("budget OR promo", {"Budget 2026", "Promo"}),
        ("{budget promo}", {"Budget 2026", "Promo"}),
        ("budget OR promo sale", {"Promo"}),
        ("(budget plan) OR (promo sale)", {"Budget 2026", "Promo"}),
        ("-(movie OR budget OR from:vera)", {"Weekly digest", "Re: Invoice 0042 for September"}),
        ("+film", {"Dinner and a movie"}),
        ("films", set()),
        ("holiday AROUND 9 vacation", set()),
        ("holiday AROUND 10 vacation", {"Budget 2026"}),
        ("vacation AROUND 20 holiday", {"Budget 2026"}),
        ("cafe zurich", {"Movie only"}),
        ("café", {"Movie only", "Invoice 0042 for September"}),
        ("from:news@letters.test", {"Weekly digest"}),
        ("from:letters.test", {"Weekly digest"}),
        ("from:(news OR cy)", {"Weekly digest"}),
        ("from:(nobody OR me)", {"Re: Invoice 0042 for September"}),
        ("label:(mailing-lists-dev OR starred)", {"List post", "Doc"}),
        ("from: news", {"Weekly digest"}),
        ("FROM:News", {"Weekly digest"}),
        ("12:30", set()),
        ("from:me", {"Re: Invoice 0042 for September"}),
        ("from:test@vendor", set()),
        ("to:zoe", {"Movie only"}),
        ("to:carl@copy.test", {"Copy"}),
        ("cc:carl", {"Copy"}),
        ("bcc:blind@copy.test", {"Copy"}),
        ("cc:zoe", set()),
        ("to:me in:inbox subject:budget", {"Budget 2026"}),
        ("deliveredto:ada@acme.test subject:(movie)", {"Dinner and a movie"}),
        ("deliveredto:bo@acme.test", set()),
        ("label:mailing-lists-dev", {"List post"}),
        ("label:Mailing-Lists-Dev", {"List post"}),
        ('label:"Mailing Lists/Dev"', {"List post"}),
        ("label:clients-acme-corp", {"Invoice 0042 for September"}),
        ("label:starred", {"Doc"}),
        ("label:nowhere", set()),
        ("label:Label_9", set()),
        ("in:sent", {"Re: Invoice 0042 for September", "Movie only", "Copy"}),
        ("in:spam", {"Spam offer"}),
        ("in:trash", {"Discarded invoice"}),
        ("in:anywhere invoice", INVOICES | {"Discarded invoice"}),
        ("invoice", INVOICES),
        ("in:archive", {"Doc", "List post"}),
        ("in:draft", set()),
        ("is:unread", {"Weekly digest", "Promo"}),
        ("is:read category:promotions", set()),
        ("is:starred", {"Doc"}),
        ("is:important", {"Invoice 0042 for September", "Doc"}),
        ("is:snoozed", set()),
        ("category:promotions", {"Weekly digest", "Promo"}),
        ("category:nonsense", set()),
        ("has:attachment", {"Big", "Invoice 0042 for September"}),
        ("has:document", {"Doc"}),
        ("has:drive", {"Doc"}),
        ("has:spreadsheet", set()),
        ("has:userlabels", {"List post", "Invoice 0042 for September"}),
        ("has:nouserlabels is:starred", {"Doc"}),
        ("filename:pdf", {"Big", "Invoice 0042 for September"}),
        ("filename:homework.txt", {"Big"}),
        ("filename:home", set()),
        ("list:dev.lists.test", {"List post"}),
        ("larger:1K filename:pdf", {"Invoice 0042 for September"}),
        ("size:1000 filename:pdf", {"Invoice 0042 for September"}),
        ("smaller:1K filename:pdf", {"Big"}),
        ("larger:lots", set()),
        ("older_than:1y", {"Old"}),
        ("newer_than:2h", {"Dinner and a movie"}),
        ("newer_than:30h from:news", {"Weekly digest"}),
        ("older_than:30h from:news", set()),
        ("after:2026/09/20 before:2026/09/21 from:news", {"Weekly digest"}),
        ("after:2026/09/21 from:news", set()),
        ("older:2026/09/20 from:news", set()),
        ("newer:9/20/2026 from:news", {"Weekly digest"}),
        (f"after:{NOW // 1000 - 2 * 3600} from:vera", {"Dinner and a movie", "Movie only"}),
        ("after:yesterday", set()),
        ("nonsense:operator", set()),
        ("docs.google.com", {"Doc"}),
        ("from:", None),
        ("", None),
        ("( - ) { OR", None),
    ],
)
def test_operators(gateway: Gateway, q: str, subjects: set[str] | None) -> None:
    if subjects is None:
        subjects = found(gateway, "-in:drafts")
        assert len(subjects) == 13
    assert found(gateway, q) == subjects


def test_the_message_id_finds_one_letter(gateway: Gateway) -> None:
    record = gateway.world.store.get(Message, f"{0x5001:016x}")
    assert record is not None
    for id in (record.message_id, record.message_id.strip("<>")):
        assert found(gateway, f"rfc822msgid:{id}") == {"Dinner and a movie"}
        assert found(gateway, f"rfc822msgid:{id} -movie") == set()
    assert found(gateway, "rfc822msgid:nothing@nowhere") == set()


def test_spam_and_trash_come_when_asked_for(gateway: Gateway) -> None:
    assert found(gateway, "money") == set()
    assert found(gateway, "money", includeSpamTrash="true") == {"Spam offer"}
    assert found(gateway, "money", labelIds="SPAM") == {"Spam offer"}
    assert found(gateway, "-in:trash invoice") == INVOICES


def test_snoozed_threads_are_found(base: Path) -> None:
    world, gateway = open_world(base)
    with world.act(Via.WORLD) as act:
        thread = f"{0xA1:016x}"
        act.put(Snoozed(id=f"{ADA}/{thread}", account=ADA, thread=thread, until=NOW + DAY))
    assert found(gateway, "is:snoozed") == found(gateway, "in:snoozed") == INVOICES
    assert found(gateway, "is:snoozed from:vera") == {"Invoice 0042 for September"}
    world.close()


def test_dates_are_midnights_on_the_pacific_coast() -> None:
    pacific = ZoneInfo("America/Los_Angeles")
    for text in ("2026/09/21", "2026-9-21", "9/21/2026"):
        assert moment(text) == int(datetime(2026, 9, 21, tzinfo=pacific).timestamp() * 1000)
    assert moment("1700000000") == 1_700_000_000_000
    assert moment("2026/02/30") is None and moment("soon") is None and moment("2026") is None


def test_ages_follow_the_calendar_and_the_worlds_clock() -> None:
    march = int(datetime(2026, 3, 31, tzinfo=ZoneInfo("UTC")).timestamp() * 1000)
    assert age("1m", march) == int(datetime(2026, 2, 28, tzinfo=ZoneInfo("UTC")).timestamp() * 1000)
    assert age("2d", march) == march - 2 * DAY and age("1w", march) == march - 7 * DAY
    assert age("two", march) is None and age("9999y", march) is None


def test_sizes() -> None:
    assert [size(text) for text in ("10", "2K", "3mb", "4x", "")] == [10, 2048, 3 * 1024**2, None, None]


def test_a_query_is_a_tree() -> None:
    text = query.Text
    assert query.parse("a b OR c -d") == query.All(
        (text(("a",)), query.Some((text(("b",)), text(("c",)))), query.Not(text(("d",))))
    )
    assert query.parse("a OR b OR c") == query.Some((text(("a",)), text(("b",)), text(("c",))))
    assert query.parse("foo-bar") == text(("foo", "bar"))
    assert query.parse("http://x.test") == text(("http", "x", "test"))
    assert query.parse("label:{Label_1 Label_2}") == query.Some(
        (query.Term("label", "Label_1"), query.Term("label", "Label_2"))
    )
    assert query.parse("from:a@b.test") == query.Term("from", "a@b.test")
    assert query.parse("subject:(a -b)") == query.All(
        (query.Term("subject", "a"), query.Not(query.Term("subject", "b")))
    )
    assert query.parse(") a (") == text(("a",))
    assert query.parse('x AROUND 3 "y z"') == query.Around(("x",), 3, ("y", "z"))


WORDS = (
    "movie",
    "dinner",
    "invoice",
    "Zürich",
    "café",
    "ﬁne",
    "straße",
    "x",
    "vera@vendor.test",
    '"new film"',
    "0042",
)
OPERATORS = (
    *(
        "from:vera",
        "from:me",
        "to:zoe",
        "cc:carl",
        "subject:movie",
        "in:sent",
        "in:inbox",
        "in:spam",
        "in:trash",
    ),
    *(
        "in:anywhere",
        "in:archive",
        "is:unread",
        "is:starred",
        "has:attachment",
        "has:userlabels",
        "label:todo",
    ),
    *("filename:pdf", "larger:1K", "newer_than:3d", "older_than:3h", "after:2026/09/20", "before:2026/09/21"),
    *(
        "category:promotions",
        "rfc822msgid:nothing",
        "label:nowhere",
        "a AROUND 5 movie",
        "subject:{movie invoice}",
    ),
)
TREES = st.recursive(
    st.sampled_from(WORDS + OPERATORS),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(" ".join),
        st.tuples(inner, inner).map(" OR ".join),
        st.tuples(inner, inner).map(lambda pair: f"{{{pair[0]} {pair[1]}}}"),
        inner.map(lambda text: f"-({text})"),
        inner.map(lambda text: f"({text})"),
    ),
    max_leaves=6,
)


def brute(search: Search, records: list[Message]) -> list[str]:
    return [record.id for record in records if search.holds(record)]


@settings(max_examples=300, deadline=None)
@given(q=TREES, labels=st.lists(st.sampled_from(["INBOX", "SENT", "SPAM"]), max_size=1), hidden=st.booleans())
def test_narrowing_never_changes_the_answer(
    gateway: Gateway, q: str, labels: list[str], hidden: bool
) -> None:
    with gateway.world.act(Via.WORLD, ADA) as act:
        records = act.all(Message, "mailbox", ADA, descending=True)
        search = Search(act, ADA, q, labels, hidden=hidden)
        expected = brute(search, records)
        assert [record.id for record in search.messages()] == expected
        for record in records[::5]:
            place = (record.internal_date, record.id)
            beyond = [m.id for m in records if (m.internal_date, m.id) < place and m.id in expected]
            assert [m.id for m in search.messages(place)] == beyond
        threads = {act.get(Message, id).thread for id in expected}  # type: ignore[union-attr]
        heads = [head.id for head, _ in search.threads()]
        assert heads == sorted(heads, key=expected.index) and len(heads) == len(threads)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet='ab "()-+{}:ORANDfrominlabel0 \n', max_size=40))
def test_every_text_is_a_query(gateway: Gateway, q: str) -> None:
    with gateway.world.act(Via.WORLD, ADA) as act:
        search = Search(act, ADA, q)
        assert [m.id for m in search.messages()] == brute(
            search, act.all(Message, "mailbox", ADA, descending=True)
        )


@settings(max_examples=200, deadline=None)
@given(subject=st.text(max_size=30), body=st.text(max_size=60), data=st.data())
def test_a_letter_is_found_by_its_own_words(
    tmp_path_factory, subject: str, body: str, data: st.DataObject
) -> None:
    from tenure.twins.gmail.text import words
    from tenure.world import World

    path = tmp_path_factory.getbasetemp() / "own.db"
    record = mail(
        account=ADA, id="00000000000000c1", sender="a@b.test", to=[], at=NOW, subject=subject, text=body
    )
    world: World = open_world(build(path, [record]))[0]
    known = words(subject) + words(body)
    with world.act(Via.WORLD, ADA) as act:
        for word in known[:3]:
            node = query.Text((word,))
            assert Matcher(act, ADA).matches(record, node)
            search = Search(act, ADA)
            search.node = node
            assert record.id in {m.id for m in search.messages()}
    world.close()
