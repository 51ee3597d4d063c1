"""What is generated in the documentation: the command's reference and the blocks that commands print.

``scripts/docs`` brings all of it up to date; ``tests/docs`` fails while it is not.

A fenced block below ``<!-- printed: COMMAND -->`` holds what the command prints. A fenced block below
``<!-- from: PATH -->`` holds a file, word for word; ``<!-- from: PATH#NAME,NAME -->`` the named
definitions of a Python file, or the named tables of a TOML file.
"""

import ast
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click

from tenure.cli.main import cli

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "docs" / "cli.md"
HEAD = """\
# The command

Every verb takes `--help`. Errors meant for people are one line on standard error. Exit status: 0 when
all went well, 1 when something failed (a proof that does not hold, a fault of ours), 2 when the input
is wrong, 130 after Ctrl-C. Progress and notes go to standard error, so that standard output can be
piped; `--json` makes it one JSON document.

This page is generated from the command itself: `scripts/docs` writes it.
"""
WIDTH = 100
_BLOCK = re.compile(r"<!-- (printed|from): (.+?) -->\n+```\w*\n(.*?)^```", re.DOTALL | re.MULTILINE)
_SECONDS = re.compile(r"\d+\.\d+ s\b")


class Block(NamedTuple):
    """One marked block of a page.

    Attributes:
        page: The page.
        kind: ``printed`` or ``from``.
        source: The command or the file.
        text: What the page shows.
    """

    page: Path
    kind: str
    source: str
    text: str


def pages() -> list[Path]:
    """Every page of ours: the Markdown files that git knows, or would."""
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
        capture_output=True,
        text=True,
        check=True,
    )
    return [path for name in sorted(set(listed.stdout.splitlines())) if (path := ROOT / name).exists()]


def blocks(page: Path) -> Iterator[Block]:
    """The marked blocks of a page."""
    for match in _BLOCK.finditer(page.read_text("utf-8")):
        yield Block(page, match[1], match[2], match[3])


def printed(command: str) -> str:
    """What a command prints on standard output, run at the root; timings are left out."""
    words = shlex.split(command)
    if words[0] in ("tenure", "python"):
        words[0] = str(Path(sys.executable).parent / words[0])
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{command} ended with {done.returncode}: {done.stderr}")
    return tidy(done.stdout)


def excerpt(source: str) -> str:
    """A file, or the named parts of one, as a page shows it."""
    path, _, names = source.partition("#")
    text = (ROOT / path).read_text("utf-8")
    if not names:
        return text.rstrip("\n") + "\n"
    if path.endswith(".toml"):
        return "\n".join(_table(text, name) for name in names.split(","))
    return "\n\n".join(_definition(text, name) for name in names.split(","))


def _table(text: str, name: str) -> str:
    lines = text[text.index(f"[{name}]") :].splitlines()
    ends = [n for n, line in enumerate(lines) if n and line.startswith("[")]
    return "\n".join(lines[: ends[0] if ends else None]).rstrip() + "\n"


def _definition(text: str, name: str) -> str:
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names, first = [node.name], min([node.lineno, *(d.lineno for d in node.decorator_list)])
        elif isinstance(node, ast.Assign):
            names, first = [t.id for t in node.targets if isinstance(t, ast.Name)], node.lineno
        else:
            continue
        if name in names:
            return "\n".join(text.splitlines()[first - 1 : node.end_lineno]) + "\n"
    raise LookupError(f"there is no {name}")


def content(kind: str, source: str) -> str:
    """What a block must show."""
    return printed(source) if kind == "printed" else excerpt(source)


def tidy(text: str) -> str:
    """Printed text as a page shows it: no space at line ends, no empty line around, no timings."""
    lines = [line.rstrip() for line in text.splitlines()]
    return _SECONDS.sub("… s", "\n".join(lines).strip("\n")) + "\n"


def renew(page: Path) -> None:
    """Bring a page's blocks up to date."""

    def again(match: re.Match[str]) -> str:
        return match[0][: match.start(3) - match.start()] + content(match[1], match[2]) + "```"

    before = page.read_text("utf-8")
    after = _BLOCK.sub(again, before)
    if after != before:
        page.write_text(after, "utf-8")


def reference() -> str:
    """The command's reference."""
    names = cli.context_settings["help_option_names"]
    root = click.Context(cli, info_name="tenure", terminal_width=WIDTH, help_option_names=names)
    return "\n".join([HEAD, *_described("tenure", cli, root)])


def _described(title: str, command: click.Command, context: click.Context) -> Iterator[str]:
    """A command's help, and that of every command within it."""
    yield _help(title, command, context)
    for name in command.list_commands(context) if isinstance(command, click.Group) else ():
        within = command.get_command(context, name)
        assert within is not None
        below = click.Context(within, info_name=name, parent=context)
        yield from _described(f"{title} {name}", within, below)


def _help(title: str, command: click.Command, context: click.Context) -> str:
    text = "\n".join(line.rstrip() for line in command.get_help(context).splitlines())
    return f"## {title}\n\n```text\n{text}\n```\n"


if __name__ == "__main__":
    REFERENCE.write_text(reference(), "utf-8")
    for one in pages():
        renew(one)
