"""Asking running apps: rows, answers, files and messages, as evidence that outlives them."""

import asyncio
import io
import re
import tarfile
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx

from tenure.apps.reached import Reached
from tenure.apps.running import RunningApp, hook
from tenure.schema.errors import Fault
from tenure.schema.evidence import (
    Evidence,
    FilesProbe,
    Got,
    HttpProbe,
    KeptFile,
    MailProbe,
    Probe,
    Response,
    SentMessage,
    SqlProbe,
)
from tenure.workspace.services.base import QueryFailed

PAGES = 1000
"""Pages of one answer that are read; more are an error, never cut off."""
_FILES = 256 << 20
"""Bytes of the files that one probe may ask for."""
_TEXT = 4 << 20
"""Bytes of a file whose text is kept."""


async def collect(apps: Mapping[str, Reached], probes: Mapping[str, Probe]) -> Evidence:
    """What apps answer to probes, each app's in turn and the apps side by side.

    A probe that cannot be answered says so in its answer, and stops nobody else.
    """
    names: dict[str, list[str]] = {}
    for name, probe in probes.items():
        names.setdefault(probe.app, []).append(name)
    answers: dict[str, Got] = {}

    async def ask(app: str) -> None:
        held = apps.get(app)
        asking = _Asking(held) if isinstance(held, RunningApp) else None
        why = f"{app} is a container: released verifiers alone ask it" if held else f"{app} is not open"
        for name in names[app]:
            answers[name] = await asking.answer(probes[name]) if asking else Got(error=why)

    await asyncio.gather(*(ask(app) for app in names))
    return Evidence(got={name: answers[name] for name in probes})


class _Asking:
    """The questions to one app at one moment."""

    def __init__(self, app: RunningApp) -> None:
        self._app = app
        self._headers: Mapping[str, str] | None = None
        self._fresh = False

    async def answer(self, probe: Probe) -> Got:
        try:
            match probe:
                case SqlProbe():
                    return Got(rows=tuple(await self._rows(probe.query)))
                case HttpProbe():
                    return Got(response=await self._response(probe.path))
                case FilesProbe():
                    return Got(files=await files(self._app, probe.pattern))
                case MailProbe():
                    return Got(messages=tuple(m for m in self._messages() if _concerns(m, probe.mailbox)))
        except Exception as error:  # A recipe's hook may raise anything: what it says is the answer.
            return Got(error=_told(error))

    async def _rows(self, query: str) -> list[dict[str, Any]]:
        if not self._fresh:
            await self._app.refresh()
            self._fresh = True
        return await self._app.rows(query)

    async def _response(self, path: str) -> Response:
        if self._headers is None:
            self._headers = await signed_in(self._app)
        own, known = hook(self._app.recipe, "page"), bool(self._headers)
        async with self._app.client(self._headers) as client:
            if own is None:
                return await every_page(client, path, known=known)
            response: Response = await own(self._app, client, path)
            _is_an_answer(response.status, path, known)
            return response

    def _messages(self) -> Sequence[SentMessage]:
        if self._app.unread:
            raise Fault(f"a message cannot be read: {self._app.unread[0]}")
        return self._app.messages


async def signed_in(app: RunningApp, agent: bool = False) -> Mapping[str, str]:
    """Headers that sign an account in; none where the recipe does not say how.

    Args:
        app: The app.
        agent: The agent's account, and not the administrator's.

    Raises:
        Fault: It is not let in.
    """
    own = hook(app.recipe, "sign_in")
    accounts = app.recipe.accounts
    headers: Mapping[str, str] = await own(app, accounts.agent if agent else accounts.admin) if own else {}
    return headers


async def every_page(client: httpx.AsyncClient, path: str, *, known: bool = False) -> Response:
    """A path's answer, with the items of all further pages.

    Where the next page is, is read from the header ``Link`` or the document's ``next``. Its items go to the
    end of the list that the first page is, or of the only list in it.

    Args:
        client: Asks.
        path: Where the first page is.
        known: Whether the client is signed in, so that it must be let in.

    Raises:
        Fault: The app does not do what it is asked, there are more than ``PAGES``, or a page is no document
            with one list.
    """
    first, body = None, None
    for _ in range(PAGES):
        answer = await client.get(path)
        _is_an_answer(answer.status_code, path, known)
        held = _document(answer)
        if first is None:
            first, body = answer, held
        elif answer.status_code != first.status_code:
            raise Fault(f"{path} answers {answer.status_code}, and the first page {first.status_code}")
        else:
            _items(body).extend(_items(held))
        following = _next(answer, held)
        if following is None:
            return Response(status=first.status_code, body=body)
        path = urlsplit(urljoin(str(answer.url), following))._replace(scheme="", netloc="").geturl()
    raise Fault(f"more than {PAGES} pages at {path}")


def _is_an_answer(status: int, path: str, known: bool) -> None:
    """See that a status tells of the app's state, and not that it or the way to it is unwell.

    Raises:
        Fault: It does not.
    """
    if status >= 500 or status == 429 or (known and status in (401, 403)):
        raise Fault(f"{path} answers {status}{' to whoever is signed in' if status in (401, 403) else ''}")


def _told(error: Exception) -> str:
    """What an error says; an unforeseen one is called by its name, too."""
    said, name = " ".join(str(error).split()), type(error).__name__
    if isinstance(error, Fault | QueryFailed | OSError | httpx.HTTPError | ValueError):
        return said or name
    return f"{name}: {said}" if said else name


def _document(answer: httpx.Response) -> Any:
    try:
        return answer.json()
    except ValueError:
        return answer.text


def _next(answer: httpx.Response, held: Any) -> str | None:
    told = answer.links.get("next", {}).get("url")
    if told is None and isinstance(held, dict) and isinstance(held.get("next"), str):
        told = held["next"]
    return told


def _items(body: Any) -> list[Any]:
    if isinstance(body, list):
        return body
    lists = [value for value in body.values() if isinstance(value, list)] if isinstance(body, dict) else []
    if len(lists) != 1:
        raise Fault("a page must hold one list")
    return lists[0]


async def files(app: RunningApp, pattern: str) -> tuple[KeptFile, ...]:
    """An app's files whose path below ``/app`` a pattern matches; ``**`` stands for any folders.

    Raises:
        Fault: They cannot be read, or are too large.
    """
    wanted = _matcher(pattern)
    listed = (await app.run(["find", ".", "-type", "f", "-printf", "%P\\0"])).split("\0")
    names = sorted(name for name in listed if name and wanted.fullmatch(name))
    if not names:
        return ()
    command = ["tar", "-C", "/app", "-cf", "-", "--null", "--verbatim-files-from", "-T", "-"]
    done = await app.machine.run(command, input="\0".join(names), limit=_FILES)
    if done.cut:
        raise Fault(f"{pattern} matches more than {_FILES >> 20} MiB of files")
    if done.returncode:
        raise Fault(f"files cannot be read: {done.stderr.decode('utf-8', 'replace').strip()}")
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        held = ((entry.name, archive.extractfile(entry)) for entry in archive if entry.isreg())
        return tuple(_kept(name, file.read()) for name, file in held if file is not None)


def _kept(path: str, content: bytes) -> KeptFile:
    text = None
    if len(content) <= _TEXT and b"\0" not in content:
        try:
            text = content.decode()
        except UnicodeDecodeError:
            text = None
    return KeptFile(path=path, size=len(content), sha256=sha256(content).hexdigest(), text=text)


def _matcher(pattern: str) -> re.Pattern[str]:
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", pattern)
    meaning = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(meaning.get(part, re.escape(part)) for part in parts), re.DOTALL)


def _concerns(message: Any, mailbox: str) -> bool:
    everybody = (message.sender, *message.to, *message.cc, *message.bcc)
    return not mailbox or mailbox.lower() in {address.lower() for address in everybody}
