"""The file editor, as a family of models knows it: by replaced strings, or by patches (seed 001 §3.1)."""

import re
from typing import Literal

from inspect_ai.tool import Tool, ToolDef, ToolError

from tenure.engine.build.tools import SHOWN_CHARS
from tenure.engine.grow.builder.patch import PatchError, apply, parse
from tenure.oracle.build import APP
from tenure.workspace import Machine, TooMuch

EDITOR, PATCH = "file_editor", "apply_patch"
Command = Literal["view", "create", "str_replace", "insert"]
_OPENAI = re.compile(r"^openai/|(^|[/.])(gpt-|chatgpt|codex|o[1-9]\b)", re.IGNORECASE)
_READ = 2 << 20
_LIST = 'find "$1" -maxdepth 2 -not -path "*/.*" -not -path "*/node_modules/*" | sort | head -n 400'


def patches(model: str) -> bool:
    """Whether a model by ``provider/name`` edits by patches: OpenAI's do, all others replace strings."""
    return bool(_OPENAI.search(model))


def editor_for(model: str, machine: Machine) -> Tool:
    """The editor of a model.

    Args:
        model: ``provider/name``.
        machine: Where the files are.
    """
    return patch_editor(machine) if patches(model) else string_editor(machine)


def string_editor(machine: Machine) -> Tool:
    """An editor that shows, writes and changes one file at a time."""

    async def file_editor(
        command: Command,
        path: str,
        file_text: str | None = None,
        old_str: str | None = None,
        new_str: str | None = None,
        insert_line: int | None = None,
        view_range: list[int] | None = None,
    ) -> str:
        """View, create and edit text files.

        Args:
            command: `view` shows a file with line numbers, or what a folder holds. `create` writes a file,
                and the folders above it; what was there is replaced. `str_replace` puts `new_str` in the
                place of `old_str`. `insert` puts `new_str` after line `insert_line`.
            path: Of the file, absolute or below /app.
            file_text: The whole text, for `create`.
            old_str: Text that the file holds exactly once, for `str_replace`; blanks count.
            new_str: The new text, for `str_replace` and `insert`.
            insert_line: A line's number, for `insert`; 0 puts the text first.
            view_range: First and last line that `view` shows, such as [11, 40]; -1 stands for the last.
        """
        where = str(APP / path)
        if command == "view":
            return await _view(machine, where, view_range)
        if command == "create":
            await _write(machine, where, _given(file_text, "file_text", command))
            return f"{where} is written."
        text, new = await _read(machine, where), _given(new_str, "new_str", command)
        if command == "insert":
            if insert_line is None:
                raise ToolError("insert needs insert_line")
            text, line = _inserted(text, new, insert_line), insert_line
        else:
            old = _given(old_str, "old_str", command)
            line = text[: text.find(old)].count("\n")
            text = _replaced(text, old, new, where)
        await _write(machine, where, text)
        around = [max(line - 3, 1), min(line + new.count("\n") + 5, len(_lines(text)))]
        return f"{where} is changed. It now reads:\n{_numbered(text, around)}"

    return ToolDef(file_editor, name=EDITOR, parallel=False).as_tool()


def patch_editor(machine: Machine) -> Tool:
    """An editor that applies patches."""

    async def apply_patch(patch: str) -> str:
        """Add, change, move and delete text files with a patch, all of it or nothing.

        The patch lies between the lines `*** Begin Patch` and `*** End Patch`. Parts begin with
        `*** Add File: path` (each line of the file follows with `+` before it), `*** Delete File: path` or
        `*** Update File: path` (perhaps with `*** Move to: path` on the next line). A change of a file begins
        with `@@`, perhaps followed by a line that stands above the place, such as `@@ class Price`. Then come
        about three lines before the change, the change, and three lines after it: ` ` before lines that
        stay, `-` before lines that go, `+` before lines that come.

        Args:
            patch: The whole patch. Paths are absolute or below /app.
        """
        try:
            parts = parse(patch)
            texts = {p.path: await _read(machine, str(APP / p.path)) for p in parts if p.added is None}
            written = apply(parts, texts)
        except PatchError as error:
            raise ToolError(f"nothing is changed: {error}") from error
        for path, text in written:
            where = str(APP / path)
            if text is not None:
                await _write(machine, where, text)
            else:
                await machine.run(["rm", "--", where], timeout=60)
        return "\n".join(f"{path} is {'deleted' if text is None else 'written'}." for path, text in written)

    return ToolDef(apply_patch, name=PATCH, parallel=False).as_tool()


async def _view(machine: Machine, where: str, lines: list[int] | None) -> str:
    try:
        return _numbered(await _read(machine, where), lines)
    except IsADirectoryError:
        done = await machine.run(["sh", "-c", _LIST, "list", where], timeout=60)
        return done.stdout.decode("utf-8", "replace")


def _numbered(text: str, lines: list[int] | None) -> str:
    """Lines with their numbers, at most ``SHOWN_CHARS`` of them."""
    held = _lines(text)
    first, last = lines if lines and len(lines) == 2 else (1, -1)
    last = len(held) if last == -1 else min(last, len(held))
    if first < 1 or first > max(last, 1):
        raise ToolError(f"view_range: the file has {len(held)} lines")
    shown = "\n".join(f"{n:6}\t{line}" for n, line in enumerate(held[first - 1 : last], first))
    if len(shown) > SHOWN_CHARS:
        shown = f"{shown[:SHOWN_CHARS]}\n[… cut here; see the rest with view_range …]"
    return shown


def _given(value: str | None, name: str, command: str) -> str:
    if value is None:
        raise ToolError(f"{command} needs {name}")
    return value


def _replaced(text: str, old: str, new: str, where: str) -> str:
    count = text.count(old) if old else 0
    if count != 1:
        raise ToolError(f"{where} holds old_str {count} times, not once; nothing is changed")
    return text.replace(old, new)


def _inserted(text: str, new: str, line: int) -> str:
    lines = _lines(text)
    if not 0 <= line <= len(lines):
        raise ToolError(f"insert_line: the file has {len(lines)} lines")
    return "\n".join([*lines[:line], *_lines(new), *lines[line:]]) + "\n"


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []


async def _read(machine: Machine, where: str) -> str:
    try:
        return (await machine.read(where, limit=_READ)).decode("utf-8")
    except IsADirectoryError:
        raise
    except UnicodeDecodeError as error:
        raise ToolError(f"{where} is no text file") from error
    except TooMuch as error:
        raise ToolError(f"{where} has more than {_READ >> 20} MiB") from error
    except OSError as error:
        raise ToolError(f"{where}: {error.strerror or error}") from error


async def _write(machine: Machine, where: str, text: str) -> None:
    try:
        await machine.write(where, text.encode("utf-8", "surrogateescape"))
    except OSError as error:
        raise ToolError(f"{where}: {error.strerror or error}") from error
