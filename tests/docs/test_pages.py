"""The pages: links lead somewhere, excerpts are the files' own words, what is generated is current."""

import ast
import csv
import os
import re
import shlex
import subprocess
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import generate
import pytest

from tenure.cli.main import cli
from tenure.engine.plan import LEDGER
from tenure.schema import AttemptRecord, Ending, Outcome
from tenure.schema.folder import shipped_tasks
from tenure.twins import NAMES
from tenure.world.door import MAX_CHARS
from tenure.world.namespace import CALLER_VARIABLES
from tenure.world.world import TICK_MS

from .conftest import ROOT

PAGES = generate.pages()
BLOCKS = [block for page in PAGES for block in generate.blocks(page)]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
MACHINE = re.compile(r"(?<![\w.])/(?:work|root|tmp|Users|home/\w)[/\w]*|file://|localhost:\d")


def name(value: object) -> str:
    if isinstance(value, generate.Block):
        return f"{value.page.name}: {value.source}"
    return str(value.relative_to(ROOT)) if isinstance(value, Path) else str(value)


def prose(page: Path) -> str:
    """A page without its code blocks."""
    return FENCE.sub("", page.read_text("utf-8"))


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    found: dict[str, int] = {}
    anchors = set()
    for heading in re.findall(r"^#+ +(.+?) *#*$", prose(page), re.MULTILINE):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        anchor = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
        anchors.add(f"{anchor}-{found[anchor]}" if anchor in found else anchor)
        found[anchor] = found.get(anchor, 0) + 1
    return anchors


def test_there_are_pages_and_blocks_to_check() -> None:
    names = {name(page) for page in PAGES}
    assert {"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/cli.md"} <= names
    assert {block.kind for block in BLOCKS} == {"printed", "from"}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(re.sub(r"`[^`\n]*`", "", prose(page))):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists() and there.is_relative_to(ROOT), f"{target} leads nowhere"
        if anchor:
            assert anchor in anchors(there), f"{target}: no such heading"


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_pages_name_no_machine(page: Path) -> None:
    assert not MACHINE.findall(page.read_text("utf-8"))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_code_comes_from_files(page: Path) -> None:
    """Python and TOML on a page is part of a file that runs; nothing is written for the page alone."""
    text = page.read_text("utf-8")
    known = {block.text for block in BLOCKS if block.page == page}
    for match in FENCE.finditer(text):
        assert match[1] not in ("python", "toml") or match[2] in known, f"unmarked: {match[2]}"


@pytest.mark.parametrize("block", BLOCKS, ids=name)
def test_blocks_are_current(block: generate.Block) -> None:
    assert block.text == generate.content(block.kind, block.source), "run scripts/docs"


def test_the_reference_is_current() -> None:
    assert generate.REFERENCE.read_text("utf-8") == generate.reference(), "run scripts/docs"


def commands() -> Iterator[tuple[str, str]]:
    for page in PAGES:
        for match in FENCE.finditer(page.read_text("utf-8")):
            if match[1] == "bash":
                for line in match[2].replace("\\\n", " ").splitlines():
                    words = line.strip().removeprefix(".venv/bin/")
                    if words.startswith("tenure "):
                        yield name(page), words


@pytest.mark.parametrize(("page", "line"), sorted(set(commands())))
def test_commands_exist_with_their_options(page: str, line: str) -> None:
    words = shlex.split(line, comments=True)[1:]
    verb = cli.get_command(click.Context(cli), words[0])
    assert verb is not None, f"no verb {words[0]}"
    own = words[: words.index("--")] if "--" in words else words
    known = {option for param in verb.params for option in param.opts}
    given = {word.partition("=")[0] for word in own if word.startswith("-")}
    assert given <= known | {"--help"}


def shown(marker: str) -> list[str]:
    """The lines of the README's block below a marker."""
    return (
        (ROOT / "README.md")
        .read_text("utf-8")
        .split(f"<!-- {marker} -->")[1]
        .split("```")[1]
        .splitlines()[1:]
    )


def test_the_readme_shows_the_demo_as_it_is_printed(example_run: tuple[Path, Sequence[str]]) -> None:
    """The demo itself takes longer than a test should; its table and its count lines are these."""
    _, printed = example_run
    block = shown("demo")
    head = next(line for line in printed if "Pass@1" in line)
    assert head.split() in [line.split() for line in block]
    counts = next(line for line in printed if line.startswith("oracle 3/3"))
    assert counts in block
    assert any(line.startswith("idle 0/3: 0 passed, 3 failed") for line in block)
    assert any("screen (page)" in line for line in block)
    assert any(line.startswith("oracle 1/1: 1 passed, 0 failed") for line in block)
    assert any(re.fullmatch(r"report: runs/demo-\w+/report/index\.html", line) for line in block)
    script = (ROOT / "scripts" / "demo").read_text("utf-8")
    last = re.findall(r'^echo "(.+)"$', script, re.MULTILINE)[-1]
    assert block[-1] == last


@pytest.mark.full
def test_the_demo_without_a_browser_says_what_to_install(tmp_path: Path) -> None:
    for folder in map(Path, os.environ["PATH"].split(":")):
        for program in folder.iterdir() if folder.is_dir() else ():
            link = tmp_path / program.name
            if "chromium" not in program.name and not link.is_symlink():
                link.symlink_to(program)
    env = {**os.environ, "PATH": str(tmp_path)}
    done = subprocess.run(
        [ROOT / "scripts/demo"], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    told = [line for line in done.stdout.splitlines() if "browser" in line]
    assert len(told) == 1 and "apt-get install chromium-headless-shell" in told[0]


def test_the_readme_shows_how_the_tests_end() -> None:
    last = shipped_tasks()[-1].task.id
    assert shown("test") == generate.printed(f"tenure prove {last}").splitlines()[-1:]


def columns(table: str) -> set[str]:
    """The columns that ``docs/files.md`` describes for one download."""
    page = (ROOT / "docs" / "files.md").read_text("utf-8")
    section = page.partition(f"### `{table}.csv`\n")[2].partition("\n#")[0]
    cells = re.findall(r"^\| (`.+?) \|", section, re.MULTILINE)
    return {column for cell in cells for column in re.findall(r"`(\w+)`", cell)}


@pytest.mark.parametrize("table", ["rows", "attempts", "checks"])
def test_the_downloads_columns_are_described(table: str, example_run: tuple[Path, Sequence[str]]) -> None:
    folder, _ = example_run
    with (folder / "report" / "data" / f"{table}.csv").open(encoding="utf-8-sig") as file:
        head = next(csv.reader(file))
    assert columns(table) == {
        re.sub(r"_\d$", "_k", column) if "unbiased" in column else column for column in head
    }


def test_an_attempts_files_are_described(example_run: tuple[Path, Sequence[str]]) -> None:
    page = (ROOT / "docs" / "files.md").read_text("utf-8")
    folder, _ = example_run
    written = [path.name for path in (folder / "attempts" / "carry-reply-1").iterdir()]
    names = [*written, *(path.name for path in folder.iterdir()), LEDGER, *AttemptRecord.model_fields]
    assert [one for one in names if f"`{one}`" not in page and f" {one}" not in page] == []


def test_outcomes_and_endings_are_described() -> None:
    page = (ROOT / "docs" / "protocols.md").read_text("utf-8")
    assert [str(one) for one in (*Outcome, *Ending) if f"`{one}`" not in page] == []


def test_every_room_is_on_the_map() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    rooms = [path.parent.name for path in (ROOT / "src" / "tenure").glob("*/__init__.py")]
    assert [room for room in rooms if f"`{room}`" not in page] == []


def test_the_map_shows_the_import_rule_that_is_enforced() -> None:
    rules = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    layers = next(rule["layers"] for rule in rules["contracts"] if rule["type"] == "layers")
    chain = " → ".join(layer.removeprefix("tenure.") for layer in reversed(layers))
    assert chain in (ROOT / "docs" / "architecture.md").read_text("utf-8")


def test_figures_on_pages_are_the_codes() -> None:
    architecture = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    security = (ROOT / "docs" / "security.md").read_text("utf-8")
    assert TICK_MS == 2_000 and "one tick of two seconds" in " ".join(architecture.split())
    assert f"cut at {MAX_CHARS:,} characters" in security
    inherited = security.partition("| inherits |")[2].partition("|")[0]
    assert set(re.findall(r"`(\w+)`", inherited)) == CALLER_VARIABLES


def test_vendored_descriptions_are_in_the_notice() -> None:
    listed = ["git", "ls-files", "src/tenure/twins/*.json"]
    vendored = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    notice = (ROOT / "NOTICE").read_text("utf-8")
    assert vendored and [path for path in vendored if path not in notice] == []


def test_every_module_says_what_it_is_for() -> None:
    silent = [
        name(path)
        for path in (ROOT / "src").rglob("*.py")
        if not ast.get_docstring(ast.parse(path.read_text("utf-8")))
    ]
    assert silent == []


def test_every_twin_is_listed_and_says_what_it_implements() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    for twin in NAMES:
        own = (ROOT / "src" / "tenure" / "twins" / twin / "README.md").read_text("utf-8")
        assert re.search(r"^## Operations: \d+ implemented", own, re.MULTILINE)
        assert f"(src/tenure/twins/{twin}/README.md)" in readme
