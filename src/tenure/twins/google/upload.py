"""Upload forms: simple, multipart and resumable."""

import re
from collections.abc import Callable
from typing import NamedTuple

from tenure.twins.google.errors import GoogleError, invalid, not_found
from tenure.twins.google.parts import parts_of
from tenure.world import Call, Record, Reply

INCOMPLETE = 308
_RANGE = re.compile(r"bytes (?:(\d+)-(\d+)|\*)/(\d+|\*)")


class Upload(Record, kind="google.upload", incidental=True):
    """A resumable upload under way. Its id is the upload id."""

    account: str
    path: str
    metadata: str
    """JSON body that started it."""
    blobs: list[str] = []
    """Blobs of the bytes received so far, in order."""
    received: int = 0


class Media(NamedTuple):
    """What an upload brought.

    Attributes:
        metadata: The JSON part; empty when there is none.
        data: The media.
    """

    metadata: bytes
    data: bytes


def receive(call: Call, run: Callable[[Media], Reply]) -> Reply:
    """Take a call to an upload path; ``run`` does the method once the media is whole."""
    kind = call.arg("uploadType") or call.arg("upload_protocol")
    if call.arg("upload_id"):
        return _resume(call, run)
    if kind == "resumable":
        return _start(call)
    content = call.headers.get("content-type", "")
    if kind == "multipart" or content.startswith("multipart/"):
        parts = parts_of(content, call.body)
        if len(parts) != 2:
            raise invalid("Multipart upload requests must contain exactly two parts.")
        return run(Media(parts[0].body, parts[1].body))
    return run(Media(b"", call.body))


def _start(call: Call) -> Reply:
    id = f"AHmUCY{call.act.hex_id('google.upload', 48)}"
    upload = Upload(
        id=id, account=call.act.actor, path=call.path, metadata=call.body.decode("utf-8", "replace")
    )
    call.act.put(upload)
    query = f"uploadType=resumable&upload_id={id}"
    location = f"https://{call.host}{call.path}?{query}"
    return Reply(200, None, {"location": location, "x-guploader-uploadid": id})


def _resume(call: Call, run: Callable[[Media], Reply]) -> Reply:
    upload = call.act.get(Upload, call.arg("upload_id") or "")
    if upload is None or upload.account != call.act.actor or upload.path != call.path:
        raise not_found()
    first, total = upload.received, str(upload.received + len(call.body))
    if header := call.headers.get("content-range"):
        match = _RANGE.fullmatch(header.strip())
        if match is None:
            raise invalid(f"Failed to parse Content-Range header: {header}")
        first, total = int(match[1] or upload.received), match[3]
        if match[1] and int(match[2]) - first + 1 != len(call.body):
            raise invalid("Content-Range does not match the size of the body.")
        if match[1] is None and call.body:
            raise invalid("A status request has no body.")
    if first > upload.received:
        raise GoogleError(
            400,
            f"Invalid request. Expected bytes from {upload.received} on.",
            "badContent",
            status="OUT_OF_RANGE",
        )
    if call.body:
        blobs = upload.blobs
        if first < upload.received:
            blobs = [call.act.put_blob(_held(call, upload)[:first])]
        blobs = [*blobs, call.act.put_blob(call.body)]
        upload = upload.model_copy(update={"blobs": blobs, "received": first + len(call.body)})
    if total.isdecimal() and upload.received == int(total):
        data = _held(call, upload)
        call.act.delete(upload)
        return run(Media(upload.metadata.encode(), data))
    call.act.put(upload)
    return Reply(INCOMPLETE, None, {"range": f"bytes=0-{upload.received - 1}"} if upload.received else {})


def _held(call: Call, upload: Upload) -> bytes:
    return b"".join(call.act.blob(name) for name in upload.blobs)
