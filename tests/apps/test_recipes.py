"""Recipes: what is wrong with one is said in a line; those that ship are whole."""

import re
from pathlib import Path

import pytest

from tenure.apps import find_recipe, read_recipe, recipes
from tenure.apps.program import locked_version
from tenure.apps.recipe import filled
from tenure.apps.running import hook
from tenure.schema import BadInput

DOCS = Path(__file__).parents[2] / "docs"
WHOLE = (Path(__file__).parent / "recipes/tally/recipe.toml").read_text()


@pytest.mark.parametrize(
    ("wrong", "right", "says"),
    [
        ("port = 80", "port = 8080", r"recipe\.toml: run\.port: Input should be greater than 1023"),
        ('domains = ["shipping"]', 'domains = ["business"]', r"recipe\.toml: domains\.0: "),
        ('colour = "red"', 'licence = "Apache-2.0"', r"recipe\.toml: "),
        ('path = "/etc/tally.db"', 'path = "/app/tally.db"', "/etc/tally.db must be below /app or /tmp"),
        ('path = "/etc/tally.json"', 'path = "/app/tally.json"', r"recipe\.toml: config\.0\.path: "),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, wrong: str, right: str, says: str) -> None:
    place = tmp_path / "tally"
    place.mkdir()
    assert right in WHOLE
    (place / "recipe.toml").write_text(WHOLE.replace(right, wrong, 1))
    with pytest.raises(BadInput, match=says):
        read_recipe(place)
    (place / "recipe.toml").write_text(WHOLE)
    assert read_recipe(place).title == "Tally"


def test_two_of_one_name_and_unknown_ones_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "roundup"
    place.mkdir()
    (place / "recipe.toml").write_text(WHOLE)
    monkeypatch.setenv("TENURE_APPS", str(tmp_path))
    with pytest.raises(BadInput, match=r"an app called roundup is at .*recipes/roundup, too"):
        recipes()
    monkeypatch.delenv("TENURE_APPS")
    with pytest.raises(BadInput, match="app tally: unknown; choose one of "):
        find_recipe("tally")


def test_a_lock_file_of_pypi_needs_a_python(tmp_path: Path) -> None:
    place = tmp_path / "tally"
    place.mkdir()
    (place / "recipe.toml").write_text(WHOLE)
    (place / "requirements.lock").write_text("")
    with pytest.raises(BadInput, match="install: python must say which versions"):
        read_recipe(place)


def test_placeholders_are_filled_and_dollars_kept() -> None:
    assert filled("${host} for $$5", {"host": "it.localhost"}, "here") == "it.localhost for $5"
    with pytest.raises(BadInput, match=r"here: .*; write \$\$ for a dollar"):
        filled("$ 5", {}, "here")


def test_every_recipe_that_ships_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TENURE_APPS")
    shipped = recipes()
    assert {"actual", "roundup", "tryton"} <= set(shipped)
    for name, recipe in shipped.items():
        assert locked_version(recipe) or recipe.extra, f"{name} is pinned nowhere"
        assert hook(recipe, "seed") and hook(recipe, "sign_in"), f"{name} has no data or nobody to ask as"
        assert recipe.accounts.agent.password, name
        lock = recipe.path / "package-lock.json"
        assert not lock.is_file() or '"resolved": "http' not in lock.read_text(), f"{name} names a registry"


def test_every_recipe_that_ships_is_on_the_page_of_apps_with_a_picture(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("TENURE_APPS", raising=False)
    page = DOCS / "apps.md"
    text = page.read_text("utf-8")
    rows = re.findall(r"^\| \[(.+?)\]\(#.*?\) \| (.+?) \| (.+?) \|", text, re.MULTILINE)
    shipped = recipes().values()
    assert sorted(rows) == sorted((r.title, ", ".join(r.domains), r.licence) for r in shipped)
    for recipe in shipped:
        picture = f"pictures/apps/{recipe.name}.png"
        assert f"## {recipe.title}\n" in text and f"![{recipe.title}]({picture})" in text
        assert (DOCS / picture).is_file()
