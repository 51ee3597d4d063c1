"""The 22 actions, carried out on one attempt's browser and files."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from playwright.async_api import ElementHandle, Error, FileChooser, Page
from playwright.async_api import TimeoutError as Late
from pydantic import ValidationError

from tenure.engine.operate import dropdown, params, reading
from tenure.engine.operate.chromium import HEIGHT, WIDTH, Chromium
from tenure.engine.operate.files import Files, free
from tenure.engine.operate.params import ACTIONS
from tenure.engine.operate.view import Eye
from tenure.engine.screen.backend import Refused
from tenure.engine.screen.keys import combination

READ_AT_ONCE = 60_000
"""Characters of a page that one ``extract`` reads."""
_PATIENCE_MS, _MOVING_MS = 3_000, 12_000
_UNSTEADY = "it does not hold still"
"""Also what a page does that a busy machine draws late: it gets more time than one that covers an element."""
_LONGEST_WAIT = 30
_ALL_PAGES, _WHOLE_WAY = 10, 1e7
"""From so many screens on, scrolling goes to the end, which no page has this many pixels away."""
_CLICKED = "click action done"
"""What Playwright's account of a click says once it has been made."""
_TYPED = 400
"""Characters up to which text is typed key by key; more is put in at once."""
_BARE = {
    "date": "2026-03-31",
    "time": "14:05",
    "datetime-local": "2026-03-31T14:05",
    "month": "2026-03",
    "week": "2026-W14",
    "color": "#1d70b8",
    "range": "40",
}
"""Fields that take their value in one piece → how it is written."""
_KIND = """(e) => {
  if (e.tagName === "SELECT") return "select";
  if (e.tagName === "INPUT") return e.type;
  if (e.tagName === "TEXTAREA") return "textarea";
  return e.isContentEditable ? "editable" : "";
}"""
_FIELD = "(e) => e.querySelector('input:not([type=hidden]), textarea, [contenteditable=true]')"
_WRITING = """() => {
  let e = document.activeElement;
  while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
  return !!e && (e.isContentEditable || (/^(INPUT|TEXTAREA|IFRAME)$/.test(e.tagName) && !e.readOnly));
}"""
_PART = """(e) => {
  for (let up = e; up && up !== document.scrollingElement; up = up.parentElement)
    if (/auto|scroll/.test(getComputedStyle(up).overflowY) && up.scrollHeight > up.clientHeight + 4)
      return up.clientHeight;
  return innerHeight;
}"""

Answer = Callable[[str, str], Awaitable[str]]
"""Answers a question about a text, by a model."""


class Said(NamedTuple):
    """What an action gave.

    Attributes:
        text: In words.
        pictures: PNG files, where a file with pictures was read.
    """

    text: str
    pictures: tuple[bytes, ...] = ()


class Acts:
    """One attempt's hands.

    Attributes:
        ended: Whether ``done`` was called.
        claimed: Whether the agent said that it succeeded.
        report: Its last words.
        count: Actions that were asked for.
    """

    def __init__(self, browser: Chromium, eye: Eye, files: Files, answer: Answer) -> None:
        """Act on a browser.

        Args:
            browser: The browser.
            eye: Knows elements by their numbers.
            files: The agent's files.
            answer: Answers what ``extract`` asks.
        """
        self._browser, self._eye, self._files, self._answer = browser, eye, files, answer
        self.ended, self.report, self.count = False, "", 0
        self.claimed: bool | None = None

    async def do(self, name: str, arguments: Mapping[str, Any]) -> Said:
        """Do one action, and let what it began show.

        Raises:
            Refused: It was not done; the text says why.
            Fault: The browser has gone.
        """
        self.count += 1
        given = _given(name, arguments)
        if self.ended:
            raise Refused("The job has been ended by done.")
        try:
            said = await getattr(self, f"_{name}")(given)
            if name in _MOVING:
                await self._browser.settle()
        except Error as error:
            await self._browser.page()
            raise Refused(f"The browser did not do that: {error.message.splitlines()[0]}") from error
        told = [said] if isinstance(said, str) else [said.text]
        pictures = () if isinstance(said, str) else said.pictures
        return Said("\n".join([*told, *self._browser.told()]), pictures)

    # -- where to be --------------------------------------------------------------------------

    async def _navigate(self, given: params.Navigate) -> str:
        await self._browser.visit(given.url, new_tab=given.new_tab)
        return "Opened." if not given.new_tab else "Opened in a new tab."

    async def _search(self, given: params.Search) -> str:
        raise Refused("There is no web to search here, only the apps of the job.")

    async def _go_back(self, given: params.GoBack) -> str:
        page = await self._browser.page()
        try:
            gone = await page.go_back(timeout=_PATIENCE_MS * 3)
        except Late:
            return "Went back; the page is still loading."
        if gone is None and page.url == "about:blank":
            return "Went back to the first, empty page."
        return "Went back."

    async def _wait(self, given: params.Wait) -> str:
        seconds = min(max(given.seconds, 1), _LONGEST_WAIT)
        await asyncio.sleep(seconds)
        return f"Waited {seconds} s."

    async def _switch(self, given: params.Switch) -> str:
        await self._browser.switch(given.tab_id)
        return f"Tab {given.tab_id} is shown."

    async def _close(self, given: params.Close) -> str:
        await self._browser.close_tab(given.tab_id)
        return f"Tab {given.tab_id} is closed."

    # -- what to do on a page -----------------------------------------------------------------

    async def _click(self, given: params.Click) -> str:
        element = await self._eye.element(given.index)
        kind = await element.evaluate(_KIND)
        if kind == "select":
            raise Refused(f"Element {given.index} is a list: use dropdown_options and select_dropdown.")
        if kind == "file":
            raise Refused(f"Element {given.index} takes a file: use upload_file.")
        await self._press(element, given.index)
        return f"Clicked {given.index}."

    async def _press(self, element: ElementHandle, index: int) -> None:
        """Click an element, or else its label."""
        try:
            try:
                await _click(element)
            except Late:
                label = (await element.evaluate_handle("(e) => e.labels?.[0] ?? null")).as_element()
                if label is None:
                    raise
                await _click(label)
        except Late as error:
            raise Refused(f"Element {index} cannot be clicked: {_why(error.message)}.") from error

    async def _input(self, given: params.Input) -> str:
        page, element = await self._browser.page(), await self._eye.element(given.index)
        kind = await element.evaluate(_KIND)
        if not kind and (inner := (await element.evaluate_handle(_FIELD)).as_element()) is not None:
            element, kind = inner, await inner.evaluate(_KIND)
        if kind in ("select", "file", "checkbox", "radio", "submit", "button"):
            raise Refused(f"Element {given.index} takes no text.")
        if kind in _BARE:
            return await self._put(element, kind, given)
        try:
            await self._press(element, given.index)
        except Refused:
            await element.focus()
        frame = await element.owner_frame()
        if not kind and not await (frame or page).evaluate(_WRITING):
            raise Refused(f"Element {given.index} takes no text.")
        if given.clear:
            await page.keyboard.press("Control+a")
            await page.keyboard.press("Delete")
        elif kind:
            await page.keyboard.press("Control+End")
        if len(given.text) <= _TYPED:
            await page.keyboard.type(given.text)
        else:
            await page.keyboard.insert_text(given.text)
        return f"Typed into {given.index}.{await _differs(element, kind, given)}"

    async def _put(self, element: ElementHandle, kind: str, given: params.Input) -> str:
        await element.fill(given.text, timeout=_PATIENCE_MS)
        if given.text and not await element.input_value():
            raise Refused(f"{given.text!r} is no value for a field of type {kind}, such as {_BARE[kind]}.")
        return f"Filled {given.index}.{await _differs(element, kind, given)}"

    async def _scroll(self, given: params.Scroll) -> str:
        page = await self._browser.page()
        x, y, height = WIDTH / 2, HEIGHT / 2, float(HEIGHT)
        if given.index:
            element = await self._eye.element(given.index)
            await element.scroll_into_view_if_needed(timeout=_PATIENCE_MS)
            height = float(await element.evaluate(_PART))
            if (box := await element.bounding_box()) is not None:
                x = min(max(box["x"] + box["width"] / 2, 0), WIDTH - 1)
                y = min(max(box["y"] + min(box["height"], HEIGHT) / 2, 0), HEIGHT - 1)
        await page.mouse.move(x, y)
        far = abs(given.pages) * height if abs(given.pages) < _ALL_PAGES else _WHOLE_WAY
        await page.mouse.wheel(0, far if given.down else -far)
        return f"Scrolled {'down' if given.down else 'up'} {given.pages:g} pages."

    async def _send_keys(self, given: params.SendKeys) -> str:
        page = await self._browser.page()
        pressed = _combinations(given.keys)
        for keys in pressed:
            await page.keyboard.press("+".join(keys))
        if not pressed:
            await page.keyboard.type(given.keys)
        return f"Pressed {given.keys}." if pressed else "Typed."

    async def _find_text(self, given: params.FindText) -> str:
        if not await reading.bring_to(await self._browser.page(), given.text):
            raise Refused(f"{given.text!r} does not show on the page.")
        return f"Scrolled to {given.text!r}."

    async def _upload_file(self, given: params.UploadFile) -> str:
        page, element = await self._browser.page(), await self._eye.element(given.index)
        path = self._files.path(Path(given.path).name)
        if await element.evaluate(_KIND) == "file":
            await element.set_input_files(path)
        else:
            chooser = await self._chooser(page, element, given.index)
            await chooser.set_files(path)
        return f"Chose {path.name}."

    async def _chooser(self, page: Page, element: ElementHandle, index: int) -> FileChooser:
        try:
            async with page.expect_file_chooser(timeout=_PATIENCE_MS) as asked:
                await self._press(element, index)
            return await asked.value
        except Late as error:
            raise Refused(f"Element {index} asks for no file.") from error

    async def _select_dropdown(self, given: params.SelectDropdown) -> str:
        element = await self._eye.element(given.index)
        return f"Chose {await dropdown.choose(await self._browser.page(), element, given.text)!r}."

    async def _dropdown_options(self, given: params.DropdownOptions) -> str:
        return dropdown.told(await dropdown.options(await self._eye.element(given.index)))

    # -- what to read -------------------------------------------------------------------------

    async def _extract(self, given: params.Extract) -> str:
        page = await self._browser.page()
        text = await reading.markdown(page, links=given.extract_links, images=given.extract_images)
        part = text[given.start_from_char : given.start_from_char + READ_AT_ONCE]
        if not part:
            raise Refused(f"The page has {len(text)} characters.")
        known = f"\nLeave out: {', '.join(given.already_collected)}" if given.already_collected else ""
        answer = await self._answer(given.query + known, part)
        end = given.start_from_char + len(part)
        rest = f"\n[read up to character {end} of {len(text)}]" if end < len(text) else ""
        return f"{answer}{rest}"

    async def _search_page(self, given: params.SearchPage) -> str:
        return await reading.search_page(await self._browser.page(), given)

    async def _find_elements(self, given: params.FindElements) -> str:
        return await reading.find_elements(await self._browser.page(), given)

    # -- files --------------------------------------------------------------------------------

    async def _save_as_pdf(self, given: params.SaveAsPdf) -> str:
        page = await self._browser.page()
        name = (given.file_name or await page.title() or "page").removesuffix(".pdf").replace("/", "-")
        path = free(self._files.folder, f"{name}.pdf")
        try:
            await page.pdf(
                path=path,
                print_background=given.print_background,
                landscape=given.landscape,
                scale=given.scale,
                format=given.paper_format,
                display_header_footer=given.display_header_footer,
                header_template=given.header_template,
                footer_template=given.footer_template,
            )
        except Error as error:
            raise Refused(f"The page cannot be saved: {error.message.splitlines()[0]}") from error
        return f"Saved as {path.name}."

    async def _read_file(self, given: params.ReadFile) -> Said:
        return Said(*await asyncio.to_thread(self._files.read, given.file_name))

    async def _write_file(self, given: params.WriteFile) -> str:
        text = "\n" * given.leading_newline + given.content + "\n" * given.trailing_newline
        self._files.write(given.file_name, text, append=given.append)
        return f"Wrote {given.file_name}."

    async def _replace_file(self, given: params.ReplaceFile) -> str:
        count = self._files.replace(given.file_name, given.old_str, given.new_str)
        return f"Replaced it {'once' if count == 1 else f'{count} times'} in {given.file_name}."

    async def _done(self, given: params.Done) -> str:
        self.ended, self.claimed, self.report = True, given.success, given.text
        return "The job is ended."


_MOVING = frozenset(ACTIONS) - {
    *("search", "dropdown_options", "extract", "search_page", "find_elements"),
    *("save_as_pdf", "read_file", "write_file", "replace_file", "done"),
}
"""Actions after which the page may be another."""


def _given(name: str, arguments: Mapping[str, Any]) -> params.Given:
    shape = ACTIONS.get(name)
    if shape is None:
        raise Refused(f"There is no action {name}; actions: {', '.join(ACTIONS)}.")
    try:
        return shape.model_validate(arguments)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or name
        raise Refused(f"{name}: {where}: {first['msg']}.") from error


def _combinations(typed: str) -> list[tuple[str, ...]]:
    """The combinations that a text names; none when it is text to type."""
    parts = typed.split()
    if not parts or any(len(part) == 1 for part in parts):
        return []
    try:
        return [combination(part) for part in parts]
    except Refused:
        return []


async def _click(element: ElementHandle) -> None:
    for patience in (_PATIENCE_MS, _MOVING_MS):
        try:
            await element.click(timeout=patience)
            return
        except Late as error:
            if _CLICKED in error.message:  # Only the page that it leads to is late.
                return
            if patience == _MOVING_MS or _why(error.message) != _UNSTEADY:
                raise


def _why(message: str) -> str:
    if "intercepts pointer events" in message:
        return "something else covers it"
    if "not enabled" in message:
        return "it is disabled"
    return "it does not show" if "not visible" in message else _UNSTEADY


async def _differs(element: ElementHandle, kind: str, given: params.Input) -> str:
    """What a field holds, where it made something else of what was typed."""
    if not given.clear or not kind or kind in ("editable", "password"):
        return ""
    try:
        held = await element.input_value(timeout=500)
    except Error:
        return ""
    return "" if held == given.text else f" The field now holds {held[:200]!r}."
