"""Messages as apps write them, sound or not."""

import pytest
from aiosmtpd.smtp import Envelope

from tenure.apps import RunningApp, find_recipe
from tenure.apps.mail import Sink, read_message
from tenure.apps.probes import collect
from tenure.apps.program import Program
from tenure.schema.evidence import MailProbe

pytestmark = pytest.mark.anyio
HEAD = b"From: ada@example.com\r\nTo: bo@example.com\r\n"


@pytest.mark.parametrize(
    "rest",
    [
        b"Content-Type: text/plain; charset=x-unheard-of\r\n\r\ngr\xc3\xb6\xc3\x9fe",
        b"Content-Type: text/html; charset=x-unheard-of\r\n"
        b"Content-Transfer-Encoding: base64\r\n\r\nZ3LDtsOfZQ==",
        b'Content-Type: text/plain; charset="utf\x00-8"\r\n\r\ngr\xc3\xb6\xc3\x9fe',
        b"Content-Type: multipart/mixed\r\n\r\ngr\xc3\xb6\xc3\x9fe",
    ],
)
def test_a_text_of_no_known_encoding_is_read_all_the_same(rest: bytes) -> None:
    message = read_message(HEAD + rest, "ada@example.com", ["bo@example.com"])
    assert (message.to, message.text.strip()) == (("bo@example.com",), "größe")


def test_an_attachment_alone_has_no_text() -> None:
    rest = b"Content-Type: application/pdf\r\nContent-Disposition: attachment; filename=a.pdf\r\n\r\nx"
    assert read_message(HEAD + rest, "ada@example.com", ["bo@example.com"]).text == ""


async def deliver(sink: Sink, content: bytes) -> str:
    envelope = Envelope()
    envelope.mail_from, envelope.rcpt_tos = "ada@example.com", ["bo@example.com"]
    envelope.original_content = content
    return await sink.handle_DATA(None, None, envelope)  # type: ignore[arg-type]


async def test_a_message_that_cannot_be_read_is_taken_and_the_probe_says_so(
    anyio_backend: str, monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    app = RunningApp(find_recipe("tally"), Program(None, None, {}, ()), snapshot=None, inside=tmp_path)
    try:
        sink = app._sink
        probes = {"mail": MailProbe(app="tally")}
        assert await deliver(sink, HEAD + b"\r\nSound.") == "250 OK"
        got = (await collect({"tally": app}, probes)).got["mail"]
        assert got.messages is not None and len(got.messages) == 1
        assert await deliver(sink, b"From: ada@example.com\r\nTo: <\r\n\r\nBroken.") == "250 OK"
        got = (await collect({"tally": app}, probes)).got["mail"]
        assert got.messages is None
        assert got.error.startswith(
            "a message cannot be read: from ada@example.com to bo@example.com: IndexError"
        )
        sink.clear()
        assert (await collect({"tally": app}, probes)).got["mail"].messages == ()
    finally:
        await app.close()
