"""Keys by the names that computer tools use (X's keysyms and what models make of them)."""

from tenure.engine.screen.backend import Refused

_ALIASES = {
    "return": "Enter",
    "enter": "Enter",
    "kp_enter": "Enter",
    "esc": "Escape",
    "escape": "Escape",
    "backspace": "Backspace",
    "tab": "Tab",
    "space": "Space",
    "delete": "Delete",
    "del": "Delete",
    "insert": "Insert",
    "home": "Home",
    "end": "End",
    "prior": "PageUp",
    "page_up": "PageUp",
    "pageup": "PageUp",
    "next": "PageDown",
    "page_down": "PageDown",
    "pagedown": "PageDown",
    "up": "ArrowUp",
    "down": "ArrowDown",
    "left": "ArrowLeft",
    "right": "ArrowRight",
    "arrowup": "ArrowUp",
    "arrowdown": "ArrowDown",
    "arrowleft": "ArrowLeft",
    "arrowright": "ArrowRight",
    "ctrl": "Control",
    "control": "Control",
    "control_l": "Control",
    "control_r": "Control",
    "alt": "Alt",
    "alt_l": "Alt",
    "alt_r": "Alt",
    "option": "Alt",
    "shift": "Shift",
    "shift_l": "Shift",
    "shift_r": "Shift",
    "super": "Meta",
    "super_l": "Meta",
    "meta": "Meta",
    "cmd": "Meta",
    "command": "Meta",
    "win": "Meta",
    "menu": "ContextMenu",
    "caps_lock": "CapsLock",
    "num_lock": "NumLock",
    "scroll_lock": "ScrollLock",
    "pause": "Pause",
    "minus": "-",
    "plus": "+",
    "equal": "=",
    "comma": ",",
    "period": ".",
    "slash": "/",
    "question": "?",
    "numbersign": "#",
    "exclam": "!",
    "colon": ":",
    "semicolon": ";",
    "apostrophe": "'",
    "quotedbl": '"',
    "bracketleft": "[",
    "bracketright": "]",
    "backslash": "\\",
    "at": "@",
    "asterisk": "*",
    "underscore": "_",
    "kp_add": "+",
    "kp_subtract": "-",
    "kp_multiply": "*",
    "kp_divide": "/",
    "kp_decimal": ".",
    "kp_equal": "=",
    "kp_home": "Home",
    "kp_end": "End",
    "kp_prior": "PageUp",
    "kp_next": "PageDown",
    "kp_up": "ArrowUp",
    "kp_down": "ArrowDown",
    "kp_left": "ArrowLeft",
    "kp_right": "ArrowRight",
    **{f"kp_{digit}": str(digit) for digit in range(10)},
    **{f"f{number}": f"F{number}" for number in range(1, 13)},
}
_X = {
    "Enter": "Return",
    "Backspace": "BackSpace",
    "Space": "space",
    "PageUp": "Prior",
    "PageDown": "Next",
    "ArrowUp": "Up",
    "ArrowDown": "Down",
    "ArrowLeft": "Left",
    "ArrowRight": "Right",
    "Control": "ctrl",
    "Alt": "alt",
    "Shift": "shift",
    "Meta": "super",
    "ContextMenu": "Menu",
    "CapsLock": "Caps_Lock",
    "NumLock": "Num_Lock",
    "ScrollLock": "Scroll_Lock",
}
_SIGNS = {
    "-": "minus",
    "+": "plus",
    "=": "equal",
    ",": "comma",
    ".": "period",
    "/": "slash",
    "?": "question",
    "#": "numbersign",
    "!": "exclam",
    ":": "colon",
    ";": "semicolon",
    "'": "apostrophe",
    '"': "quotedbl",
    "[": "bracketleft",
    "]": "bracketright",
    "\\": "backslash",
    "@": "at",
    "*": "asterisk",
    "_": "underscore",
}


def combination(text: str) -> tuple[str, ...]:
    """The keys of ``ctrl+shift+t``, by the names that the web's key events use.

    Raises:
        Refused: There is no such key.
    """
    if text == "+":
        return ("+",)
    parts = text.strip().split("+")
    if text.endswith("++"):
        parts = [*text[:-2].split("+"), "+"]
    return tuple(_named(part.strip(), text) for part in parts)


def keysym(key: str) -> str:
    """A key's name in X."""
    return _X.get(key) or _SIGNS.get(key, key)


def _named(name: str, whole: str) -> str:
    known = _ALIASES.get(name.lower())
    if known:
        return known
    if len(name) == 1:
        return name
    raise Refused(f"{whole!r}: there is no key {name!r}. Names are as in xdotool: ctrl+s, Return, Prior, F5.")
