"""The door at which a released verifier finds its judge: one of ours, behind the release's own protocol.

The protocol is a chat completion over HTTP. The verifier reads YES or NO from the reply's first word.
"""

import asyncio
import base64
import io
import json
import time
from typing import Any

from PIL import Image

from tenure.grading.judge import Judge
from tenure.grading.operate.released import Asked
from tenure.workspace.relay import while_there

SECONDS = 300.0
"""What a judge may take for one answer."""
LARGEST = 64 << 20
"""Bytes of one question; a longer one is cut, and so no question."""


class JudgeDoor:
    """Serves the questions of one verifier, and notes which were answered."""

    def __init__(self, judge: Judge | None) -> None:
        """Stand before a judge; without one every question is refused."""
        self.asked: list[Asked] = []
        self._judge = judge

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection: one request. A verifier that hangs up before the reply has none."""
        reply, nth = None, 0
        if body := await _body(reader):
            nth = len(self.asked)
            self.asked.append(Asked(time.monotonic(), False))
            reply = await while_there(reader, self._reply(body))
        status = "200 OK" if reply is not None else "503 Service Unavailable"
        told = {"choices": [{"message": {"role": "assistant", "content": reply}}]}
        content = json.dumps(told if reply is not None else {"error": "no judge answers"}).encode()
        head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(content)}\r\n"
        writer.write(f"{head}Connection: close\r\n\r\n".encode() + content)
        await writer.drain()
        if reply is not None:
            self.asked[nth] = self.asked[nth]._replace(answered=True)

    async def _reply(self, body: bytes) -> str | None:
        if self._judge is None:
            return None
        try:
            system, question, pictures = _read(json.loads(body)["messages"])
            async with asyncio.timeout(SECONDS):
                reply = await self._judge.ask(system, question, pictures)
        except Exception:
            # Whatever a judge does wrong is no answer, never a verdict.
            return None
        return reply if reply and reply.strip() else None


def _read(messages: Any) -> tuple[str, str, list[bytes]]:
    """The system's words, the user's, and the pictures among them."""
    words: dict[str, list[str]] = {"system": [], "user": []}
    pictures: list[bytes] = []
    for message in messages:
        content = message["content"]
        parts: Any = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for part in parts:
            if part["type"] == "text":
                words[message["role"]].append(part["text"])
            else:
                pictures.append(_picture(part["image_url"]["url"]))
    return "\n".join(words["system"]), "\n".join(words["user"]), pictures


def _picture(url: str) -> bytes:
    """A picture that came as data, as the PNG file that judges take."""
    head, _, data = url.partition(",")
    if not head.startswith("data:image/") or not head.endswith(";base64"):
        raise ValueError("a picture must come as data")
    out = io.BytesIO()
    with Image.open(io.BytesIO(base64.b64decode(data))) as picture:
        picture.convert("RGB").save(out, "PNG")
    return out.getvalue()


async def _body(reader: asyncio.StreamReader) -> bytes:
    """A request's body; empty for what is no request with one."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(
            int(line.partition(b":")[2])
            for line in head.lower().splitlines()
            if line.startswith(b"content-length:")
        )
        return await reader.readexactly(min(length, LARGEST))
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, StopIteration, ValueError):
        return b""
