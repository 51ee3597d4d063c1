"""What a grader still sees of its older steps (seed 001, Appendix C; protocols, Grow 10).

The two newest scripts' pages are shown in full: accessibility trees and pictures. Older ones are taken out
eight at a time; each script and its result, which names the pictures' files, stay.
"""

from collections.abc import Sequence

from inspect_ai.model import ChatMessage, ChatMessageTool, ContentText

NEWEST, AT_A_TIME = 2, 8
_GONE = ContentText(text="[These pages are no longer shown. Their pictures are the files named above.]")


def trim(messages: Sequence[ChatMessage]) -> None:
    """Take old pages out of a history, in place.

    Args:
        messages: The history, newest last. An answer with pages has more parts than one: first what stays,
            then the pages.
    """
    old = [m for m in messages if isinstance(m, ChatMessageTool) and _holds_pages(m)][:-NEWEST]
    for message in old[: len(old) - len(old) % AT_A_TIME]:
        message.content = [*message.content[:1], _GONE]


def _holds_pages(message: ChatMessageTool) -> bool:
    content = message.content
    return isinstance(content, list) and len(content) > 1 and content[1] != _GONE
