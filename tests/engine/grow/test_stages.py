"""Stages: what leads on, what ends a build, what a stage sees, and what is on disk after each."""

import json
import shutil
import tarfile
from collections import Counter
from pathlib import Path

import pytest

from support.endpoint import Endpoint, Heard, Said
from support.grown import SHELF, Ear, build, grower, records, run_of, stage_of
from support.machines import isolated
from support.tasks import KEY
from tenure.engine.grow.builder.script import check_builder
from tenure.oracle import Action
from tenure.oracle.grow import load_bugs, packed, reference_at
from tenure.schema import BadInput, Ending
from tenure.schema.folder import find_grow

pytestmark = isolated
FOLDER = find_grow(str(SHELF))
STAGES = [placed.path.name for placed in FOLDER.stages]
OPENAI, CLAUDE = "openai/gpt-4o", "anthropic/claude-sonnet-4-5"


def files(archive: Path) -> dict[str, bytes]:
    with tarfile.open(archive) as held:
        return {one.name: held.extractfile(one).read() for one in held if one.isfile()}  # type: ignore[union-attr]


def test_the_oracle_builds_the_reference_stage_by_stage(tmp_path: Path) -> None:
    run, ear = run_of(tmp_path), Ear()
    ended, folder = build(run, ear)
    assert (ended.ending, ended.error) == (Ending.DONE, "")
    assert ear.where == ["stage 1 of 3", "stage 2 of 3", "stage 3 of 3"]
    assert ear.steps == list(range(1, ended.usage.steps + 1)), "turns are counted over all stages"
    made = records(folder)
    assert [(r.stage, r.ending) for r in made] == [(stage, Ending.DONE) for stage in STAGES]
    assert sum(r.steps for r in made) == ended.usage.steps
    assert ended.usage.seconds == pytest.approx(sum(r.seconds for r in made))
    assert ended.usage.cost == 0
    for number, stage in enumerate(STAGES, 1):
        held = (folder / "stages" / f"{stage}.tar.gz").read_bytes()
        assert held == packed(reference_at(FOLDER, number))
        requests = {name.split("/")[1] for name in files(folder / "stages" / f"{stage}.home.tar.gz")}
        assert requests == set(STAGES[:number]), "a request is there from its stage on"
    assert (folder / "code.tar.gz").read_bytes() == held
    assert [m["stage"] for m in ended.transcript if "stage" in m] == STAGES
    assert (
        ended.instruction.startswith("You are a senior") and ended.transcript[0]["text"] == ended.instruction
    )
    assert ended.also["image"] == run.spec.image and ended.also["Python"] and ended.also["postgres version"]
    assert ended.also["editor"] == "file_editor" and "resumed" not in ended.also

    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    assert build(run, ear)[0] == ended
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before, "built is built"
    (folder / "ended.json").unlink()
    assert build(run, ear)[0].model_copy(update={"ended": ended.ended}) == ended, "a function of the stages"
    assert len(ear.where) == 3


def test_a_product_grows_on_a_host_that_does_not_isolate(tmp_path: Path) -> None:
    ended, folder = build(run_of(tmp_path, sandbox="process"))
    assert (ended.ending, ended.also["kind"]) == (Ending.DONE, "process")
    assert (folder / "code.tar.gz").read_bytes() == packed(reference_at(FOLDER, 3))
    assert len(files(folder / "stages" / f"{STAGES[2]}.home.tar.gz")) == 3


def test_a_model_of_openai_builds_with_patches(tmp_path: Path) -> None:
    with Endpoint(grower("bash", "apply_patch", "task_list")) as endpoint:
        ended, folder = build(run_of(tmp_path, OPENAI, base_url=endpoint.base_url(OPENAI)))
        offered = {tool["function"]["name"] for _, _, body in endpoint.requests for tool in body["tools"]}
        (asked,) = {(body["temperature"], body.get("reasoning_effort")) for _, _, body in endpoint.requests}
    assert ended.ending is Ending.DONE
    assert offered == {"bash", "apply_patch", "task_list"}
    assert asked[0] == 1.0
    assert (folder / "code.tar.gz").read_bytes() == packed(reference_at(FOLDER, 3))


def test_a_stage_sees_nothing_of_later_ones_and_no_canary(tmp_path: Path) -> None:
    looks: dict[str, str] = {}

    def model(heard: Heard) -> Said:
        stage, results = stage_of(heard)
        if results:
            looks[stage] = results[0] + str(heard.said)
            return Said("Done.")
        look = 'env; find / -xdev -newer /proc/1 -type f 2> /dev/null; cat "$HOME"/requests/*/*; ls -A /app'
        return Said(calls=(Action("bash", {"command": look}),))

    with Endpoint(model) as endpoint:
        build(run_of(tmp_path, CLAUDE, base_url=endpoint.base_url(CLAUDE)))
    assert list(looks) == STAGES
    for number, (stage, seen) in enumerate(looks.items(), 1):
        assert FOLDER.task.canary not in seen
        assert f"requests/{stage}/prd.md" in seen
        for later in FOLDER.stages[number:]:
            title = next(line for line in later.prd.splitlines() if line.startswith("# "))
            assert later.path.name not in seen and title not in seen
        assert ("DEPOSIT=" in seen) == (number == 3), "a constant comes with the request that names it"
    assert "POSTGRES_DATABASE_URL=" in looks[STAGES[0]] and "APPLICATION_PORT=" in looks[STAGES[0]]
    assert KEY not in str(looks)


def test_out_of_steps_leads_on_in_the_same_conversation(tmp_path: Path) -> None:
    with Endpoint(grower("bash", "file_editor")) as endpoint:
        ended, folder = build(run_of(tmp_path, CLAUDE, base_url=endpoint.base_url(CLAUDE), max_steps=4))
        assert len(endpoint.requests) == 12
        last = json.dumps(endpoint.requests[-1][2])
    assert [(r.ending, r.steps) for r in records(folder)] == [(Ending.OUT_OF_STEPS, 4)] * 3
    assert (ended.ending, ended.usage.steps) == (Ending.OUT_OF_STEPS, 12)
    assert all(f"requests/{stage}/prd.md" in last for stage in STAGES)
    first, now = files(folder / "stages" / f"{STAGES[0]}.tar.gz"), files(folder / "code.tar.gz")
    assert len(first) == 3 and set(first) < set(now) and "lending.py" in now


def test_out_of_time_ends_the_build_and_what_stands_is_kept(tmp_path: Path) -> None:
    def model(heard: Heard) -> Said:
        stage, results = stage_of(heard)
        command = "sleep 60" if stage == STAGES[1] and results else f"echo {stage} > begun"
        return (
            Said("Done.")
            if results and stage == STAGES[0]
            else Said(calls=(Action("bash", {"command": command}),))
        )

    with Endpoint(model) as endpoint:
        ended, folder = build(run_of(tmp_path, CLAUDE, base_url=endpoint.base_url(CLAUDE), time_limit=4))
    made = records(folder)
    assert [r.ending for r in made] == [Ending.DONE, Ending.OUT_OF_TIME]
    assert 4 <= made[1].seconds < 8
    assert ended.ending is Ending.OUT_OF_TIME
    assert files(folder / "code.tar.gz") == {"begun": f"{STAGES[1]}\n".encode()}


@pytest.mark.parametrize(
    ("said", "ending"),
    [
        (Said(stop="max_tokens"), Ending.NO_VALID_ANSWER),
        (Said("I will not.", stop="refusal"), Ending.REFUSED),
        (Said(status=400, error={"message": "prompt is too long", "type": "x"}), Ending.CONTEXT_EXHAUSTED),
    ],
)
def test_any_other_end_of_a_stage_ends_the_build(said: Said, ending: Ending, tmp_path: Path) -> None:
    with Endpoint(lambda heard: said if stage_of(heard)[0] == STAGES[1] else Said("Done.")) as endpoint:
        ended, folder = build(run_of(tmp_path, CLAUDE, base_url=endpoint.base_url(CLAUDE)))
    assert [r.ending for r in records(folder)] == [Ending.DONE, ending]
    assert (ended.ending, ended.error) == (ending, "")
    assert (folder / "code.tar.gz").exists()


def test_money_and_tokens_are_the_whole_builds(tmp_path: Path) -> None:
    price = {"price": {"input": 1_000, "output": 0}}
    with Endpoint(lambda heard: Said("Done.", tokens=(1_000, 0))) as endpoint:
        url = {"base_url": endpoint.base_url(CLAUDE)}
        poor, folder = build(run_of(tmp_path, CLAUDE, max_attempt_cost=1.5, **price, **url))
        assert [(r.ending, r.cost) for r in records(folder)] == [
            (Ending.DONE, 1.0),
            (Ending.DONE, 1.0),
            (Ending.OVER_ATTEMPT_BUDGET, None),
        ]
        assert (poor.ending, poor.usage.cost) == (Ending.OVER_ATTEMPT_BUDGET, 2.0)
        _, folder = build(run_of(tmp_path, CLAUDE, max_tokens=1_500, **url))
        assert [r.ending for r in records(folder)] == [Ending.DONE, Ending.DONE, Ending.OUT_OF_TOKENS]


def test_time_that_the_network_takes_is_not_the_builders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tenure.engine.build.patience.SHORTEST", 2)
    tries: Counter[str] = Counter()

    def model(heard: Heard) -> Said:
        stage = stage_of(heard)[0]
        tries[stage] += 1
        busy = stage == STAGES[1] and tries[stage] <= 2
        return (
            Said(status=529, error={"type": "overloaded_error", "message": "no"}) if busy else Said("Done.")
        )

    with Endpoint(model) as endpoint:
        ended, folder = build(run_of(tmp_path, CLAUDE, base_url=endpoint.base_url(CLAUDE), time_limit=4))
    assert ended.ending is Ending.DONE
    assert tries[STAGES[1]] == 3
    assert records(folder)[1].steps == 1 and records(folder)[1].seconds < 3


def test_a_fault_leaves_no_stage_and_the_same_command_makes_it(tmp_path: Path) -> None:
    down = True

    def model(heard: Heard) -> Said:
        if down and stage_of(heard)[0] == STAGES[1]:
            return Said(status=401, error={"type": "authentication_error", "message": f"bad key {KEY}"})
        return grower("bash", "file_editor")(heard)

    with Endpoint(model) as endpoint:
        run = run_of(tmp_path, CLAUDE, base_url=endpoint.base_url(CLAUDE))
        broken, folder = build(run)
        assert broken.ending is Ending.FAULT and "bad key" in broken.error and KEY not in broken.error
        assert [m["stage"] for m in broken.transcript if "stage" in m] == STAGES[:1]
        assert [r.stage for r in records(folder)] == STAGES[:1]
        assert not (folder / "code.tar.gz").exists()
        down = False
        ended, _ = build(run)
    assert (ended.ending, ended.error) == (Ending.DONE, "")
    assert ended.also["resumed"] == STAGES[1]
    assert ended.usage.steps == sum(r.steps for r in records(folder)) == 19
    assert (folder / "code.tar.gz").read_bytes() == packed(reference_at(FOLDER, 3))


def test_a_product_without_its_canary_is_not_built(tmp_path: Path) -> None:
    copy = shutil.copytree(SHELF, tmp_path / "shelf")
    plan = copy / "plans" / "first.toml"
    plan.write_text(plan.read_text().replace(FOLDER.task.canary, "nothing"))
    ended, folder = build(run_of(tmp_path, task=copy))
    assert ended.ending is Ending.FAULT
    assert "plans/first.toml: the canary is missing" in ended.error
    assert records(folder) == []


def test_the_stand_ins_of_wrong_and_of_no_products(tmp_path: Path) -> None:
    bug = load_bugs(FOLDER)[0]
    _, folder = build(run_of(tmp_path, f"tenure/oracle:bug={bug.name}"))
    assert (folder / "code.tar.gz").read_bytes() == packed(reference_at(FOLDER, 3, bug.edits))
    _, folder = build(run_of(tmp_path, "tenure/oracle:skip=lending"))
    assert "lending.py" not in files(folder / "code.tar.gz") and "deposit.py" in files(folder / "code.tar.gz")
    assert [r.steps for r in records(folder)][1] == 1
    ended, folder = build(run_of(tmp_path, "tenure/idle"))
    assert (ended.ending, ended.usage.steps) == (Ending.DONE, 3)
    assert files(folder / "code.tar.gz") == {}


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("vandal", "stand-ins: oracle"),
        ("oracle:mutant=x", "stand-ins: oracle"),
        ("oracle:bug=x", "no bug 'x'"),
        ("oracle:skip=x", "no stage 'x'; stages: things, lending, deposit"),
        ("idle:x", "stand-ins: oracle"),
    ],
)
def test_names_of_stand_ins_are_checked(name: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        check_builder(FOLDER, name)
