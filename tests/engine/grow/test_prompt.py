"""What the builder is told: the system prompt as rendered, and requests that hold nothing of later ones."""

import shutil
from pathlib import Path

import pytest

from support.grown import SHELF
from tenure.engine.grow.builder.prompt import system_prompt
from tenure.engine.grow.builder.requests import request_of
from tenure.schema.folder import GrowFolder, find_grow
from tenure.schema.grow import BASICS, Product

GOLDEN = Path(__file__).with_name("prompt.txt")
LOOMHOUSE = find_grow("grow/loomhouse")


def prompt(task: Product = LOOMHOUSE.task, kind: str = "bubblewrap", **more: bool) -> str:
    programs = "Python 3.12.3 and Node.js 22.4.0"
    return system_prompt(task, kind, database="PostgreSQL 17.2", programs=programs, **more)


def test_the_prompt_is_the_golden_one() -> None:
    assert prompt() == GOLDEN.read_text()


def test_the_prompt_says_what_the_protocol_wants_it_to_say() -> None:
    said = prompt()
    assert len(BASICS) == 5
    for sentence in BASICS.values():
        assert said.count(sentence) == 1
    for words in (
        "a username and a password that the product itself keeps",
        "Do not use a sign-in service of others",
        "Its time zone is UTC",
        "More features will follow",
        "POSTGRES_DATABASE_URL",
        "APPLICATION_PORT",
        "`setup-environment.sh`",
        "`start-server.sh`",
    ):
        assert words in said


def test_the_prompt_tells_nothing_of_what_is_to_come() -> None:
    said = prompt().lower()
    assert LOOMHOUSE.task.canary not in prompt()
    for told in (*LOOMHOUSE.task.environment, "Loomhouse", "weaving", "workshop", "twelve", "plan", "grade"):
        assert told.lower() not in said, told
    for stage in LOOMHOUSE.stages:
        assert not any(f" {name} " in said for name in stage.stage.features)


def test_nobody_is_told_to_use_what_is_not_there() -> None:
    assert "registries cannot be reached" in prompt()
    assert "lock file" not in prompt()
    with_registries = prompt(registries=True)
    assert "reach their registries" in with_registries and "lock file" in with_registries
    assert "cannot be reached" not in prompt(kind="process")
    assert "container" not in prompt() and "container" in prompt(kind="docker")
    bare = LOOMHOUSE.task.model_copy(update={"packages": ()})
    assert "with the Python packages" in prompt() and "with the Python packages" not in prompt(bare)


@pytest.fixture
def shelf(tmp_path: Path) -> GrowFolder:
    """The example with assets at its second stage: two for the builder, one for the grader."""
    copy = shutil.copytree(SHELF, tmp_path / "shelf")
    canary = find_grow(str(copy)).task.canary
    (copy / "assets").mkdir()
    (copy / "assets" / "old.csv").write_text(f"# {canary}\nthing,who\nladder,Ann\n")
    (copy / "assets" / "logo.png").write_bytes(b"\x89PNG\xff\x00")
    (copy / "assets" / "secret.csv").write_text("x")
    declared = copy / "stages" / "02-lending" / "stage.toml"
    assets = [
        '{ file = "old.csv", audience = ["builder", "grader"] }',
        '{ file = "logo.png", audience = ["builder"] }',
        '{ file = "secret.csv", audience = ["grader"] }',
    ]
    title, _, rest = declared.read_text().partition("\n[")
    declared.write_text(f"{title}\nassets = [{', '.join(assets)}]\n[{rest}")
    return find_grow(str(copy))


def test_a_request_holds_its_prd_and_the_builders_assets_without_the_canary(shelf: GrowFolder) -> None:
    request = request_of(shelf, shelf.stages[1], "/home/agent")
    place = "/home/agent/requests/02-lending"
    assert list(request.files) == [f"{place}/prd.md", f"{place}/old.csv", f"{place}/logo.png"]
    assert request.files[f"{place}/old.csv"] == b"thing,who\nladder,Ann\n"
    assert request.files[f"{place}/logo.png"] == b"\x89PNG\xff\x00"
    prd = request.files[f"{place}/prd.md"].decode()
    assert prd.startswith("# Lending\n") and prd in request.text
    assert "and beside it old.csv, logo.png" in request.text
    canary = shelf.task.canary
    assert canary in shelf.stages[1].prd
    assert canary not in request.text and not any(canary.encode() in data for data in request.files.values())


def test_every_request_of_a_shipped_product_is_its_prd_less_one_line() -> None:
    for placed in LOOMHOUSE.stages:
        request = request_of(LOOMHOUSE, placed, "/home/agent")
        (prd,) = request.files.values()
        comment, _, rest = placed.prd.partition("\n")
        assert LOOMHOUSE.task.canary in comment
        assert prd.decode() == rest.lstrip("\n")


def test_constants_come_with_the_request_that_names_them() -> None:
    named = [request_of(LOOMHOUSE, placed, "/h").variables for placed in LOOMHOUSE.stages]
    late = next(n for n, placed in enumerate(LOOMHOUSE.stages) if placed.name == "late-fee")
    assert named[:late] == [{}] * late
    assert named[late:] == [LOOMHOUSE.task.environment] * (len(named) - late)
    assert LOOMHOUSE.task.environment
