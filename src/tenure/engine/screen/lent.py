"""Keys for characters that a display's keyboard does not have.

xdotool lends one key for one character and takes it back at once; a browser that is busy reads the
key after that and types nothing. Keys that are lent here stay lent until there are no more.
"""

import ctypes
from collections import OrderedDict
from typing import Any

from tenure.schema import BadInput, Fault

_LATIN_1, _UNICODE = 0x100, 0x01000000
"""Keysyms are code points below the first, and code points plus the second above it (X11 protocol)."""


class LentKeys:
    """The unused keys of one X display. Use from one thread."""

    def __init__(self, display: str) -> None:
        """Connect.

        Args:
            display: ``:7``.

        Raises:
            BadInput: libX11 is not installed.
            Fault: The display does not answer.
        """
        try:
            self._x: Any = ctypes.CDLL("libX11.so.6")
        except OSError as error:
            raise BadInput("the desktop backend needs libX11: apt-get install libx11-6") from error
        self._x.XOpenDisplay.restype = ctypes.c_void_p
        self._x.XGetKeyboardMapping.restype = ctypes.POINTER(ctypes.c_ulong)
        self._display = ctypes.c_void_p(self._x.XOpenDisplay(display.encode()))
        if not self._display:
            raise Fault(f"the X display {display} does not answer")
        self._free = self._unused()
        self._lent: OrderedDict[str, int] = OrderedDict()

    def _unused(self) -> list[int]:
        low, high, each = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
        self._x.XDisplayKeycodes(self._display, ctypes.byref(low), ctypes.byref(high))
        count = high.value - low.value + 1
        table = self._x.XGetKeyboardMapping(
            self._display, ctypes.c_ubyte(low.value), count, ctypes.byref(each)
        )
        rows = [table[n * each.value : (n + 1) * each.value] for n in range(count)]
        self._x.XFree(table)
        return [low.value + n for n, row in enumerate(rows) if not any(row)]

    def codes(self, text: str) -> tuple[list[int], bool]:
        """Keys for characters.

        Args:
            text: The characters.

        Returns:
            A key's number for each, and whether any was lent anew: clients have to be told first.
        """
        codes, fresh = [], False
        for character in text:
            if character not in self._lent:
                self._lend(character)
                fresh = True
            self._lent.move_to_end(character)
            codes.append(self._lent[character])
        self._x.XSync(self._display, 0)
        return codes, fresh

    def _lend(self, character: str) -> None:
        code = self._free.pop() if self._free else self._lent.popitem(last=False)[1]
        point = ord(character)
        symbol = ctypes.c_ulong(point if point < _LATIN_1 else point + _UNICODE)
        # Twice: with and without Shift it is the same.
        both = (ctypes.c_ulong * 2)(symbol, symbol)
        self._x.XChangeKeyboardMapping(self._display, code, 2, both, 1)
        self._lent[character] = code

    def close(self) -> None:
        """Disconnect."""
        self._x.XCloseDisplay(self._display)
