"""Lists to choose from: the browser's own, and those that a page makes of other elements."""

from typing import Any

from playwright.async_api import ElementHandle, Page

from tenure.engine.screen.backend import Refused

MOST = 200
"""Options that are told."""
_OWN = """(e) => e.tagName !== "SELECT" ? null : [...e.options].map((o) => ({
  text: o.text.trim(), value: o.value, chosen: o.selected,
  disabled: o.disabled || !!o.closest("optgroup:disabled"),
}))"""
# The options of a list that is made of other elements: in it, in what it says it controls, or in the one
# list that is open.
_MADE = """(e) => {
  const roles = ["option", "menuitem", "menuitemradio", "menuitemcheckbox", "treeitem"];
  const wanted = roles.map((role) => `[role=${role}]`).join();
  const says = "[aria-controls], [aria-owns]";
  const saying = [...(e.matches(says) ? [e] : []), ...e.querySelectorAll(says)];
  const ids = saying.flatMap((one) =>
    ["aria-controls", "aria-owns"].flatMap((name) => (one.getAttribute(name) ?? "").split(/\\s+/)));
  const named = ids.map((id) => document.getElementById(id)).filter(Boolean);
  const lists = [...document.querySelectorAll("[role=listbox], [role=menu]")];
  for (const place of [e, ...named, ...lists.filter((one) => one.checkVisibility())]) {
    const found = [...place.querySelectorAll(wanted)].filter((one) => one.checkVisibility());
    if (found.length) return found;
  }
  return [];
}"""
_TOLD = """(all) => all.map((o) => ({
  text: o.innerText.replace(/\\s+/g, " ").trim(), value: o.getAttribute("data-value") ?? "",
  chosen: o.getAttribute("aria-selected") === "true" || o.getAttribute("aria-checked") === "true",
  disabled: o.getAttribute("aria-disabled") === "true",
}))"""


async def options(element: ElementHandle) -> list[dict[str, Any]]:
    """A list's options: ``text``, ``value``, ``chosen``, ``disabled``; none while it is closed."""
    own: list[dict[str, Any]] | None = await element.evaluate(_OWN)
    if own is not None:
        return own
    made = await element.evaluate_handle(_MADE)
    found: list[dict[str, Any]] = await made.evaluate(_TOLD)
    return found


def told(listed: list[dict[str, Any]]) -> str:
    """Options in words, a line each.

    Raises:
        Refused: There is none.
    """
    if not listed:
        raise Refused("It has no options that show; it may have to be clicked first.")
    lines = []
    for option in listed[:MOST]:
        marks = [name for name in ("chosen", "disabled") if option[name]]
        value = f" (value {option['value']})" if option["value"] not in ("", option["text"]) else ""
        lines.append(f"- {option['text']}{value}{''.join(f', {mark}' for mark in marks)}")
    more = [f"and {len(listed) - MOST} more"] if len(listed) > MOST else []
    return "\n".join([*lines, *more])


async def choose(page: Page, element: ElementHandle, text: str) -> str:
    """Choose an option; its text.

    Raises:
        Refused: There is none of this text or value, or it cannot be chosen.
    """
    own = await element.evaluate("(e) => e.tagName === 'SELECT'")
    listed = await options(element)
    if not own and not listed:
        await element.click(timeout=3_000)
        await page.wait_for_timeout(300)
        listed = await options(element)
    place = _place(listed, text)
    if listed[place]["disabled"]:
        raise Refused(f"{listed[place]['text']!r} cannot be chosen.")
    if own:
        await element.select_option(index=place)
    else:
        made = await element.evaluate_handle(_MADE)
        option = (await made.evaluate_handle("(all, n) => all[n]", place)).as_element()
        if option is None:
            raise Refused("The list has closed; open it again.")
        await option.click(timeout=3_000)
    return str(listed[place]["text"])


def _place(listed: list[dict[str, Any]], text: str) -> int:
    for key in (lambda given: given.strip(), lambda given: " ".join(given.split()).casefold()):
        for n, option in enumerate(listed):
            if key(text) in (key(option["text"]), key(option["value"])):
                return n
    raise Refused(f"There is no option {text!r}. The options are:\n{told(listed)}")
