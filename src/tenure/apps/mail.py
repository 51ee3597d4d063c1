"""Where an app's mail goes: a server that takes every message, sends none on, and keeps all as evidence."""

import asyncio
import shutil
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import getaddresses
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session

from tenure.schema.evidence import SentMessage
from tenure.workspace.bounds import private_folder

PORT = 2525
"""Where an app finds it, on its own machine's loopback."""
_SHOWN = 300
"""Characters of what is said of a message that cannot be read."""


class Sink:
    """Takes the mail of one app.

    Attributes:
        messages: What was sent, oldest first.
        unread: Why messages are not among them: each was taken, and cannot be read.
        socket: The Unix socket that it listens on, once open.
    """

    def __init__(self) -> None:
        self.messages: list[SentMessage] = []
        self.unread: list[str] = []
        self._folder = private_folder()
        self.socket = self._folder / "smtp.sock"
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        """Begin to listen."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_unix_server(
            lambda: SMTP(
                self,
                hostname="mail.localhost",
                enable_SMTPUTF8=True,
                authenticator=_anybody,
                auth_require_tls=False,
                loop=loop,
            ),
            self.socket,
        )

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Keep one message; aiosmtpd calls this."""
        content, sender = envelope.original_content or b"", envelope.mail_from or ""
        try:
            self.messages.append(read_message(content, sender, list(envelope.rcpt_tos)))
        except Exception as error:
            # The parser may raise anything; the app has sent its message all the same.
            to = ", ".join(envelope.rcpt_tos)
            self.unread.append(f"from {sender} to {to}: {type(error).__name__}: {error}"[:_SHOWN])
        return "250 OK"

    def clear(self) -> None:
        """Forget what was sent."""
        self.messages.clear()
        self.unread.clear()

    def close(self) -> None:
        """Listen no longer."""
        if self._server is not None:
            self._server.close()
        shutil.rmtree(self._folder, ignore_errors=True)


def read_message(content: bytes, sender: str, recipients: list[str]) -> SentMessage:
    """A message as evidence.

    Args:
        content: As it was sent.
        sender: The envelope's.
        recipients: Likewise: whoever is in no header got a blind copy.
    """
    message = message_from_bytes(content, policy=policy.default)
    assert isinstance(message, EmailMessage)
    to, cc = (_addresses(message, name) for name in ("to", "cc"))
    shown = {address.lower() for address in (*to, *cc)}
    body = message.get_body(("plain", "html"))
    return SentMessage(
        sender=next(iter(_addresses(message, "from")), sender),
        to=to,
        cc=cc,
        bcc=tuple(address for address in recipients if address.lower() not in shown),
        subject=str(message.get("subject", "")),
        text=_text(body if isinstance(body, EmailMessage) else message),
        attachments=tuple(part.get_filename() or "" for part in message.iter_attachments()),
    )


def _text(part: EmailMessage) -> str:
    """What a part says, of whatever encoding it claims to be; nothing where it is no text."""
    if part.is_multipart() or part.get_content_maintype() not in ("text", "multipart"):
        return ""
    try:
        return str(part.get_content())
    except (LookupError, ValueError):  # No such encoding, or a multipart message in one piece.
        held = part.get_payload(decode=True)
        return held.decode("utf-8", "replace") if isinstance(held, bytes) else ""


def _addresses(message: EmailMessage, header: str) -> tuple[str, ...]:
    return tuple(address for _, address in getaddresses(message.get_all(header, [])) if address)


def _anybody(*_: Any) -> AuthResult:
    return AuthResult(success=True)
