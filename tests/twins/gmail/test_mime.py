"""Reading and writing RFC 822: nothing breaks it, and what is written reads back."""

import email
import email.policy

from hypothesis import given, settings
from hypothesis import strategies as st

from tenure.twins.gmail import mime
from tenure.twins.gmail.records import Attachment
from tenure.twins.gmail.text import bare_subject, emails, html_text, mailbox, snippet, words

TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=60)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_can_be_read(raw: bytes) -> None:
    letter = mime.read(raw)
    mime.assemble(letter.headers, letter.mime)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                b"Content-Type: multipart/mixed; boundary=x\r\n",
                b"Content-Type: text/plain; charset=nonsense\r\n",
                b"\r\n",
                b"--x\r\n",
                b"--x--\r\n",
                b"Subject: =?utf-8?q?caf=C3=A9?=\n",
                b"Subject: =?bad?x?y?=\n",
                b"Content-Transfer-Encoding: base64\r\n",
                b"Content-Type: message/rfc822\r\n",
                b"Date: never\r\n",
                b"To: a@b.test,\r\n c@d.test\r\n",
                b"%%%\xff\xfe",
                b"From: \xc3\xa9\n",
                b"Content-Disposition: attachment; filename*=utf-8''%C3%BC.txt\r\n",
            ]
        ),
        max_size=12,
    )
)
def test_broken_mail_can_be_read(pieces: list[bytes]) -> None:
    letter = mime.read(b"".join(pieces))
    assert letter.date is None or isinstance(letter.date, int)
    letter.people("To")


@settings(max_examples=200, deadline=None)
@given(subject=TEXT, text=TEXT, html=TEXT, name=TEXT, data=st.binary(max_size=50))
def test_what_is_composed_reads_back(subject: str, text: str, html: str, name: str, data: bytes) -> None:
    file = Attachment(
        filename=name.replace('"', "'").strip() or "a.bin",
        mime="application/octet-stream",
        size=len(data),
        blob="b",
    )
    content, body = mime.compose(text, html, [file], lambda _: data, "mark")
    raw = mime.assemble([("Subject", subject), *content], body)
    letter = mime.read(raw)
    if text or not html:
        assert letter.body == text
    assert letter.html == html
    assert [found[2] for found in letter.files] == [data]
    assert raw == mime.assemble([("Subject", subject), *content], body)
    parsed = email.message_from_bytes(raw, policy=email.policy.SMTP)
    assert parsed.get_content_type() == "multipart/mixed"


@settings(max_examples=200, deadline=None)
@given(TEXT.map(lambda text: " ".join(text.split())))
def test_a_subject_survives_the_wire(subject: str) -> None:
    raw = mime.assemble([("Subject", subject)], b"x")
    assert raw.isascii() and mime.read(raw).get("Subject") == subject


def test_names_survive_the_wire() -> None:
    for person in (
        '"Doe, Jane" <j@x.test>',
        "Zoë Ümläut <z@x.test>",
        "plain@x.test",
        '"A \\"B\\" C" <q@x.test>',
    ):
        raw = mime.assemble([("To", f"{person}, second@x.test")], b"")
        assert mime.read(raw).people("To") == [person, "second@x.test"]
    assert mailbox("Dr. X", "x@y.test") == '"Dr. X" <x@y.test>'
    assert emails(["Ada <ADA@X.test>", "no address", "a@b.test, c@d.test"]) == [
        "ada@x.test",
        "a@b.test",
        "c@d.test",
    ]


def test_inline_pictures_are_related_and_files_mixed() -> None:
    files = [
        Attachment(filename=f"{n}.png", mime="image/png", size=1, blob="b", content_id=id)
        for n, id in (("logo", "logo1"), ("photo", ""))
    ]
    content, body = mime.compose("text", "<img src=cid:logo1>", files, lambda _: b"\x89", "m")
    root = mime.parse(mime.assemble(content, body))
    assert [part.get_content_type() for part in root.walk()] == [
        "multipart/mixed",
        "multipart/related",
        "multipart/alternative",
        "text/plain",
        "text/html",
        "image/png",
        "image/png",
    ]
    assert [file[3] for file in mime.read(mime.assemble(content, body)).files] == ["logo1", ""]


def test_an_attached_letter_is_a_file() -> None:
    inner = email.message.EmailMessage()
    inner["Subject"] = "Inner"
    inner.set_content("inside")
    outer = email.message.EmailMessage()
    outer["Subject"] = "Outer"
    outer.set_content("see attached")
    outer.add_attachment(inner)
    letter = mime.read(outer.as_bytes())
    assert letter.body == "see attached"
    ((_, kind, data, _),) = letter.files
    assert kind == "message/rfc822" and b"Subject: Inner" in data


def test_texts() -> None:
    assert (
        html_text("<style>p{}</style><p>One<br>two &amp; <b>three</b></p><script>x</script>")
        == "One\ntwo & three"
    )
    assert snippet("a <b>\n\n 'c' " + "x" * 500) == "a &lt;b&gt; &#39;c&#39; " + "x" * (
        200 - len("a <b> 'c' ")
    )
    assert bare_subject(" RE: Fwd: re[2]: Hello   World") == "hello world"
    assert bare_subject("Reply: x") == "reply: x"
    assert words("Zürich, CAFÉ_bar 1,700.00") == ["zurich", "cafe", "bar", "1", "700", "00"]
