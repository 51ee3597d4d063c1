"""What an export holds, and that Harbor's own loader takes it."""

import json
import os
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tenure.engine.export.harbor import export_harbor
from tenure.schema import BadInput
from tenure.schema.folder import BuildFolder, GrowFolder, find_build, find_grow, find_task

HARBOR = "harbor==0.25.0"
_LOAD = """
import json, sys
from pathlib import Path
from harbor.models.task.task import Task
from harbor.models.task.verifier_mode import resolve_effective_verifier_env_config as separate
folder = Path(sys.argv[1])
task = Task(folder)
steps = task.config.steps or []
json.dump({
    "name": task.name,
    "valid": Task.is_valid_dir(folder),
    "config": task.config.model_dump(mode="json", exclude_unset=True),
    "steps": {step.name: task.step_instruction(step.name) for step in steps},
    "instruction": task.instruction,
    "separate": [step.name for step in steps if separate(task.config, step)],
}, sys.stdout)
"""


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> tuple[BuildFolder, Path]:
    folder = find_build("build/helpdesk")
    return folder, export_harbor(folder, tmp_path_factory.mktemp("harbor") / "build")


@pytest.fixture(scope="module")
def grow(tmp_path_factory: pytest.TempPathFactory) -> tuple[GrowFolder, Path]:
    folder = find_grow("grow/loomhouse")
    return folder, export_harbor(folder, tmp_path_factory.mktemp("harbor") / "grow")


def texts(folder: Path) -> Iterator[tuple[Path, str]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path, path.read_text("utf-8", "replace")


def seen(out: Path) -> str:
    """All that an agent sees: its image's files, instructions, what comes with a step."""
    shown = [*out.glob("environment/*"), *out.glob("instruction.md"), *out.glob("steps/*/instruction.md")]
    return "\n".join(path.read_text("utf-8") for path in [*shown, *out.glob("steps/*/workdir/*")])


def test_a_build_is_one_step_with_its_documents_and_its_graph_out_of_sight(
    build: tuple[BuildFolder, Path],
) -> None:
    folder, out = build
    environment = out / "environment"
    assert (environment / "task.md").read_text() == (folder.path / "prd.md").read_text()
    assert (environment / "knowledge_base.json").exists()
    image = (environment / "Dockerfile").read_text()
    assert "python:3.12" in image and "node:22" in image and "postgresql-17" in image
    assert all(f" {package}==" in image for package in folder.task.packages)
    held = tomllib.loads((out / "task.toml").read_text())
    assert held["verifier"]["environment_mode"] == "shared", "the machine that the agent left is graded"
    assert held["agent"]["network_mode"] == "no-network"
    text = seen(out)
    assert "docker exec" not in text and "PostgreSQL 17 is running" in text
    assert not any(node.id in text for node in folder.dag.nodes if "_" in node.id)
    assert (out / "tests" / "task" / "dag").is_dir()


def test_a_product_is_a_step_per_request_and_only_the_last_is_graded(
    grow: tuple[GrowFolder, Path],
) -> None:
    folder, out = grow
    names = [stage.path.name for stage in folder.stages]
    held = tomllib.loads((out / "task.toml").read_text())
    assert [step["name"] for step in held["steps"]] == names
    assert held["multi_step_reward_strategy"] == "final"
    assert [s["name"] for s in held["steps"] if s["verifier"]["environment_mode"] == "separate"] == names[-1:]
    assert not (out / "tests").exists(), "what is there reaches the agent's container at every step"
    for number, name in enumerate(names):
        told = (out / "steps" / name / "instruction.md").read_text()
        assert ("Five things go without saying" in told) is (number == 0)
        assert ("LATE_FEE_PERCENT=20" in told) is (number >= names.index("07-late-fee"))
        assert all(later.stage.title not in told for later in folder.stages[number + 1 :])
    assert {path.name for path in (out / "steps" / names[-1] / "tests" / "task").iterdir()} >= {"plans"}


def test_no_agent_sees_a_plan_and_nothing_holds_a_reference(grow: tuple[GrowFolder, Path]) -> None:
    folder, out = grow
    shown = seen(out)
    for plan in folder.plans:
        assert all(check.says not in shown for check in plan.checks)
        assert all(action.does not in shown for step in plan.steps for action in step.actions)
    where = {path.relative_to(out).parts[:2] for path, text in texts(out) if "[[steps.checks]]" in text}
    assert where <= {("steps", folder.stages[-1].path.name)}
    for private in ("reference", "walks", "walkthroughs.py", "seeds.py", "bugs.py", "solution"):
        assert not list(out.rglob(private)), private


@pytest.mark.parametrize("which", ["build", "grow"])
def test_the_canary_is_in_every_text_of_ours(which: str, request: pytest.FixtureRequest) -> None:
    folder, out = request.getfixturevalue(which)
    ours = ("instruction.md", "task.toml", "test.sh", "setup.sh")
    for path, text in texts(out):
        if path.name in ours:
            assert folder.task.canary in text, path


@pytest.mark.parametrize("which", ["build", "grow"])
def test_scripts_are_well_formed_and_may_be_run(which: str, request: pytest.FixtureRequest) -> None:
    _, out = request.getfixturevalue(which)
    scripts = [path for path, text in texts(out) if text.startswith("#!")]
    assert len(scripts) >= 2
    for path in scripts:
        assert os.access(path, os.X_OK), path
        subprocess.run([path.read_text().split()[0].removeprefix("#!"), "-n", path], check=True)


def test_what_comes_with_a_request_is_unpacked_beside_the_product(
    grow: tuple[GrowFolder, Path], tmp_path: Path
) -> None:
    folder, out = grow
    name = folder.stages[0].path.name
    script = (out / "steps" / name / "workdir" / "setup.sh").read_text()
    home, app = tmp_path / "home", tmp_path / "app"
    app.mkdir()
    (app / "setup.sh").write_text(script.replace("/home/agent", str(home)).replace("/app", str(app)))
    subprocess.run(["bash", app / "setup.sh"], check=True)
    (prd,) = home.rglob("prd.md")
    assert prd.parent.name == name and folder.task.canary not in prd.read_text()
    assert folder.stages[0].prd.endswith(prd.read_text()) and list(app.iterdir()) == []


def test_a_wheel_goes_beside_the_tests(tmp_path: Path) -> None:
    wheel = tmp_path / "tenure-9.9-py3-none-any.whl"
    wheel.write_bytes(b"PK")
    for folder, tests in (
        (find_build("build/helpdesk"), "tests"),
        (find_grow("grow/loomhouse"), "steps/12-report/tests"),
    ):
        out = export_harbor(folder, tmp_path / str(folder.task.suite), str(wheel))
        assert (out / tests / wheel.name).read_bytes() == b"PK"
        installs = [text for _, text in texts(out) if f"/tests/{wheel.name}" in text]
        assert len(installs) == 1


def test_what_cannot_be_exported_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="takes build and grow tasks"):
        export_harbor(find_task("carry/renewal"), tmp_path / "a")
    with pytest.raises(BadInput, match="no such wheel"):
        export_harbor(find_build("build/helpdesk"), tmp_path / "a", "gone.whl")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("")
    with pytest.raises(BadInput, match="holds something already"):
        export_harbor(find_build("build/helpdesk"), tmp_path / "full")
    other = tmp_path / "other"
    shutil.copytree(find_build("build/helpdesk").path, other)
    text = (other / "task.toml").read_text()
    (other / "task.toml").write_text(text.replace('service = "postgres"', 'service = "mariadb"'))
    with pytest.raises(BadInput, match="its database is mariadb"):
        export_harbor(BuildFolder(other), tmp_path / "b")


@pytest.fixture(scope="module")
def harbor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python that has Harbor, in an environment of its own."""
    found = next(filter(None, map(_newer_python, ("python3.13", "python3.12"))), None)
    if found is None:
        pytest.skip("Harbor needs Python 3.12 or newer, and there is none")
    place = tmp_path_factory.mktemp("harbor") / "venv"
    subprocess.run([found, "-m", "venv", place], check=True)
    python = place / "bin" / "python"
    got = subprocess.run([python, "-m", "pip", "install", "-q", HARBOR], capture_output=True, text=True)
    if got.returncode:
        pytest.skip(f"{HARBOR} cannot be installed: {got.stderr.strip().splitlines()[-1]}")
    return python


def _newer_python(name: str) -> str | None:
    """A Python by name that really runs: a version manager's stand-in may not."""
    places = [shutil.which(name), *sorted(Path.home().glob(f".pyenv/versions/*/bin/{name}"))]
    for path in filter(None, places):
        tried = subprocess.run([path, "-c", "import venv"], capture_output=True)
        if tried.returncode == 0:
            return str(path)
    return None


@pytest.mark.full
def test_harbors_own_loader_takes_both_and_knows_every_field(
    harbor: Path, build: tuple[BuildFolder, Path], grow: tuple[GrowFolder, Path]
) -> None:
    for folder, out in (build, grow):
        done = subprocess.run([harbor, "-c", _LOAD, out], capture_output=True, text=True, check=True)
        loaded = json.loads(done.stdout)
        assert loaded["name"] == f"tenure/{folder.task.suite}-{folder.task.name}" and loaded["valid"]
        held = tomllib.loads((out / "task.toml").read_text())
        assert _lost(held, loaded["config"]) == []
        instructions = [loaded["instruction"], *loaded["steps"].values()]
        assert not any(folder.task.canary in text for text in instructions)
        if isinstance(folder, GrowFolder):
            assert list(loaded["steps"]) == [stage.path.name for stage in folder.stages]
            assert loaded["separate"] == [folder.stages[-1].path.name]
            assert loaded["steps"]["01-workshops"].startswith("You are a senior full-stack engineer.")


def _lost(held: object, loaded: object, at: str = "") -> list[str]:
    """What a declaration says and the loader has not taken: Harbor ignores keys that it does not know."""
    if isinstance(held, dict) and isinstance(loaded, dict):
        return [line for key in held for line in _lost(held[key], loaded.get(key, "nothing"), f"{at}.{key}")]
    if isinstance(held, list) and isinstance(loaded, list) and len(held) == len(loaded):
        return [
            line
            for n, pair in enumerate(zip(held, loaded, strict=True))
            for line in _lost(*pair, f"{at}.{n}")
        ]
    return [] if held == loaded else [f"{at}: {held!r} became {loaded!r}"]
