"""What a release says of its apps: found, hashed, and taken to where they are opened."""

import os
import shutil
from pathlib import Path

import pytest

from support.engine import Engine
from tenure.apps.docker import DockerApp
from tenure.apps.recipe import recipes, released
from tenure.apps.release import read_release, release_for
from tenure.engine.operate.place import opening_apps
from tenure.engine.spec import RunSpec, TaskRef
from tenure.schema import BadInput, Suite
from tenure.schema.folder import OperateFolder, find_operate

COMPOSE = """{
  "services": {"app": {"container_name": "$prefix"}, "db": {"container_name": "$prefix-postgres"}},
  "volumes": {}
}"""


def task(folder: Path, app: str, name: str = "chat") -> OperateFolder:
    place = folder / name
    place.mkdir()
    (place / "task.toml").write_text(
        f'suite = "operate"\nname = "{name}"\ntitle = "It"\nversion = "1-0"\n'
        f'canary = "0123456789abcdef0123456789abcdef"\ndomain = "business"\napps = ["{app}"]\n'
        'verifier = "verify.py"\n[[checks]]\nid = "1"\nsays = "It answers"\nkind = "script"\n'
    )
    (place / "instruction.md").write_text("Do it.")
    (place / "verify.py").write_text("print()")
    return find_operate(str(place))


@pytest.fixture
def release(tmp_path: Path) -> Path:
    folder = tmp_path / "release"
    folder.mkdir()
    (folder / "mattermost.yml").write_text(COMPOSE)
    (folder / "images.toml").write_text('grocy = "pantry:1"\n')
    return folder


def test_its_hash_is_of_what_it_says_and_not_of_where_it_lies(release: Path, tmp_path: Path) -> None:
    first = read_release(release)
    (release / "notes.txt").write_text("of no matter")
    moved = release.rename(tmp_path / "elsewhere")
    assert read_release(moved).hash == first.hash
    hashes = {first.hash}
    for name, text in (("mattermost.yml", f"{COMPOSE} "), ("pretix.yml", COMPOSE), ("images.toml", "")):
        (moved / name).write_text(text)
        hashes.add(read_release(moved).hash)
    assert len(hashes) == 4


def test_what_it_lacks_is_one_line(release: Path, tmp_path: Path) -> None:
    named = {name: task(tmp_path, app, name) for name, app in (("chat", "mattermost"), ("shop", "pretix"))}
    chat, shop, ours = named["chat"], named["shop"], task(tmp_path, "tally", "own")
    composed = "--release: mattermost: a compose file of the release starts it; give the folder with"
    for tasks, folder, says in (
        ([chat], tmp_path / "nowhere", "nowhere: there is no such folder"),
        ([chat, shop], release, "release: there is no pretix.yml"),
        ([ours], release, "--release goes with released operate tasks only"),
        ([chat], None, composed),
    ):
        with pytest.raises(BadInput, match=says):
            release_for(tasks, folder)
    assert release_for([ours], None) is None
    assert release_for([task(tmp_path, "grocy", "larder")], None) is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("grocy = 1", "images.toml: grocy: write the image's name"),
        ('pantry = "x"', "images.toml: pantry is no app that a release starts by an image"),
        ('pretix = "x"', "images.toml: pretix is no app that a release starts by an image"),
        ("grocy", "images.toml is not TOML"),
    ],
)
def test_broken_names_of_images_are_one_line(release: Path, text: str, says: str) -> None:
    (release / "images.toml").write_text(text)
    with pytest.raises(BadInput, match=says):
        read_release(release)


def test_a_recipe_that_was_given_stands_for_a_released_app_and_one_that_ships_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop, larder = task(tmp_path, "pretix", "shop"), task(tmp_path, "grocy", "larder")
    assert "pretix" in recipes() and released(shop) and released(larder)
    given = tmp_path / "recipes"
    shutil.copytree(recipes()["tally"].path, given / "grocy")
    monkeypatch.setenv("TENURE_APPS", str(given))
    assert released(shop) and not released(larder)


def test_another_release_makes_another_run_and_another_row(release: Path, tmp_path: Path) -> None:
    chat = task(tmp_path, "mattermost")

    def spec() -> RunSpec:
        ref = TaskRef.of(str(chat.path), chat)
        made_of = release_for([chat], release)
        return RunSpec(suite=Suite.OPERATE, tasks=(ref,), model="tenure/idle", release=made_of, commit="test")

    one = spec()
    assert one.release is not None and one.settings["release"] == one.release.hash
    assert RunSpec.model_validate_json(one.model_dump_json()).key == one.key
    (release / "mattermost.yml").write_text(f"{COMPOSE} ")
    assert spec().key != one.key
    with pytest.raises(BadInput, match="has changed since the run began; start the command again"):
        opening_apps(chat, 0, print, one.release)


@pytest.mark.anyio
async def test_an_attempt_opens_its_apps_by_it(
    release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def healthy(*_: object) -> None:
        pass

    engine = Engine(tmp_path)
    monkeypatch.setenv("PATH", f"{engine.path}:{os.environ['PATH']}")
    monkeypatch.setattr(DockerApp, "_healthy", healthy)
    for app, count in (("mattermost", 2), ("grocy", 1)):
        folder = task(tmp_path, app, f"with-{app}")
        async with opening_apps(folder, 0, print, release_for([folder], release)) as apps:
            assert len(engine.there("container")) == count
            held = apps[app]
            assert isinstance(held, DockerApp) and (held.image == "pantry:1") == (app == "grocy")
    with pytest.raises(BadInput, match=r"give the folder that has mattermost.yml \(--release\)"):
        async with opening_apps(task(tmp_path, "mattermost"), 0, print):
            pass
    assert engine.there() == []
