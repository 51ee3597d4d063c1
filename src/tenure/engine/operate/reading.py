"""What can be read from a page beyond what is shown of it: its whole text, elements, all as Markdown."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import regex
from markdownify import markdownify
from playwright.async_api import Error, Page

from tenure.engine.operate.params import FindElements, SearchPage
from tenure.engine.screen.backend import Refused

TEXT = 300
"""Characters of an element's text that are told."""
_SECONDS = 2.0
"""What a regular expression may take."""
_PARTS = "(css) => [...document.querySelectorAll(css)].map((e) => e.innerText ?? e.textContent)"
_FOUND = """([css, names, most]) => {
  const all = [...document.querySelectorAll(css)];
  const told = (e) => ({
    tag: e.tagName.toLowerCase(),
    text: (e.innerText ?? e.textContent).replace(/\\s+/g, " ").trim(),
    attributes: (names ?? []).flatMap((n) => (e.hasAttribute(n) ? [[n, e.getAttribute(n)]] : [])),
  });
  return { count: all.length, shown: all.slice(0, most).map(told) };
}"""
_HTML = """() => {
  const copy = document.body?.cloneNode(true);
  if (!copy) return "";
  const live = document.body.querySelectorAll("*"), same = [...copy.querySelectorAll("*")];
  const silent = /^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE|SVG|IFRAME)$/i;
  live.forEach((e, n) => {
    if (silent.test(e.tagName) || !e.checkVisibility()) same[n].remove();
    else if (e.tagName === "SELECT")
      same[n].replaceWith([...e.selectedOptions].map((o) => o.text).join(", "));
    else if (e.type === "checkbox" || e.type === "radio") same[n].replaceWith(e.checked ? "[x]" : "[ ]");
    else if (e.tagName === "INPUT" && e.type !== "password") same[n].replaceWith(e.value);
    else if (e.tagName === "TEXTAREA") same[n].replaceWith(e.value);
  });
  return copy.innerHTML;
}"""


async def search_page(page: Page, given: SearchPage) -> str:
    """Places at which a text or pattern stands, each with what is around it.

    Raises:
        Refused: The pattern or the selector is none, or the search takes too long.
    """
    pattern = given.pattern if given.regex else regex.escape(given.pattern)
    texts = await _everywhere(page, _PARTS, given.css_scope or "body", given.css_scope)
    found = []
    try:
        wanted = regex.compile(pattern, 0 if given.case_sensitive else regex.IGNORECASE)
        for text in (text for part in texts for text in part):
            for match in wanted.finditer(text, timeout=_SECONDS):
                begin, end = max(match.start() - given.context_chars, 0), match.end() + given.context_chars
                found.append(" ".join(text[begin:end].split()))
    except (regex.error, OverflowError) as error:
        raise Refused(f"{given.pattern[:200]!r} is no regular expression: {error}.") from error
    except (TimeoutError, RecursionError, MemoryError) as error:
        raise Refused(f"{given.pattern[:200]!r} takes too long; use a simpler one.") from error
    shown = [f"{n}. … {place} …" for n, place in enumerate(found[: given.max_results], 1)]
    return "\n".join([_counted(len(found), len(shown), "place"), *shown])


async def find_elements(page: Page, given: FindElements) -> str:
    """Elements of a selector, a line each.

    Raises:
        Refused: The selector is none.
    """
    asked = [given.selector, given.attributes, given.max_results]
    parts = await _everywhere(page, _FOUND, asked, given.selector)
    found = [one for part in parts for one in part["shown"]][: given.max_results]
    lines = []
    for n, one in enumerate(found, 1):
        told = "".join(f' {name}="{value}"' for name, value in one["attributes"])
        lines.append(f"{n}. <{one['tag']}{told}> {one['text'][:TEXT] if given.include_text else ''}".rstrip())
    return "\n".join([_counted(sum(part["count"] for part in parts), len(lines), "element"), *lines])


async def markdown(page: Page, *, links: bool, images: bool) -> str:
    """All that a page shows, its frames too, as Markdown.

    Args:
        page: The page.
        links: Whether addresses of links are kept.
        images: Whether addresses of pictures are kept.

    Raises:
        Refused: The page's elements lie too deep in each other.
    """
    without: list[str] = [*([] if links else ["a"]), *([] if images else ["img"])]
    parts = await _everywhere(page, _HTML, None, None)
    try:
        told = [markdownify(part, strip=without, heading_style="ATX") for part in parts]
    except RecursionError as error:
        raise Refused("The page is nested too deeply to be read; look at it yourself.") from error
    return "\n\n".join(regex.sub(r"\n{3,}", "\n\n", one).strip() for one in told)


async def _everywhere(page: Page, script: str, argument: Any, selector: str | None) -> Sequence[Any]:
    """What a script gives in each frame of a page."""
    found = []
    for frame in page.frames:
        try:
            found.append(await frame.evaluate(script, argument))
        except Error as error:
            if "is not a valid selector" in error.message:
                raise Refused(f"{selector!r} is no CSS selector.") from error
            if frame is page.main_frame:
                raise
    return found


def _counted(count: int, shown: int, what: str) -> str:
    some = "" if shown == count else f", the first {shown}"
    return f"{count or 'No'} {what}{'' if count == 1 else 's'}{some}{':' if count else '.'}"


async def bring_to(page: Page, text: str) -> bool:
    """Scroll to the first place where a text shows; whether there is one."""
    for frame in page.frames:
        with suppress(Error):
            places = frame.get_by_text(text).filter(visible=True)
            if await places.count():
                await places.first.scroll_into_view_if_needed(timeout=2_000)
                return True
    return False
