"""What a model is shown before each turn, and what becomes of it: the newest in full, old ones short."""

import base64
from collections.abc import Sequence
from pathlib import Path

from inspect_ai.model import ChatMessage, ChatMessageUser, ContentImage, ContentText

from tenure.engine.operate.place import Place
from tenure.engine.operate.view import tabs_of, told
from tenure.engine.pictures import keep_picture
from tenure.schema.operate import TODO
from tenure.schema.text import readable

KEPT, MOST = 2, 5
"""Looks that stay in full, and how many there are when the older ones are cut short: not at every turn, so
that the part of the history that providers cache stays the same for a while."""
_TODO_CHARS = 4_000


def earlier(url: str, title: str) -> str:
    """What becomes of a look that is old."""
    return f"[an earlier look: {url} - {title}]"


class Looks:
    """The looks of one attempt.

    Attributes:
        shown: Message id → its picture's file, relative to the attempt's folder.
    """

    def __init__(self, place: Place, record: Path, *, vision: bool, marks: bool) -> None:
        """Look at a place.

        Args:
            place: The place.
            record: The attempt's folder; each picture becomes a small file in it.
            vision: Whether the model is shown pictures; they are kept all the same.
            marks: Whether numbers are drawn in.
        """
        self._place, self._record, self._vision, self._marks = place, record, vision, marks
        self.shown: dict[str, str] = {}
        self._brief: dict[str, str] = {}

    async def show(self, messages: list[ChatMessage]) -> None:
        """Add a look at the page as it is now to a history, and cut old ones short, in place."""
        browser, eye = self._place.browser, self._place.eye
        await browser.settle()
        view = await eye.look()
        news = "".join(f"{line}\n" for line in browser.told())
        words = readable(f"{news}{told(view, browser, await tabs_of(browser))}\n\n{self._files()}")
        png = await eye.picture(marks=self._marks)
        content: list[ContentText | ContentImage] = [ContentText(text=words)]
        if self._vision:
            content.append(ContentImage(image=f"data:image/png;base64,{base64.b64encode(png).decode()}"))
        message = ChatMessageUser(content=list(content))
        assert message.id is not None
        self.shown[message.id] = await keep_picture(png, self._record)
        self._brief[message.id] = earlier(view.url, view.title)
        messages.append(message)
        self._trim(messages)

    def _files(self) -> str:
        files = self._place.files
        todo = files.todo[:_TODO_CHARS]
        return f"Your files: {', '.join(files.names())}\n{TODO}:\n{todo}"

    def _trim(self, messages: Sequence[ChatMessage]) -> None:
        full = [m for m in messages if m.id in self._brief and not isinstance(m.content, str)]
        if len(full) > MOST:
            for message in full[:-KEPT]:
                message.content = self._brief[message.id or ""]
