"""The seeding agent, with scripted models in real machines: its script counts once it has worked afresh."""

import asyncio
import shutil
from pathlib import Path

import pytest

from support.crews import SHELF, code_of, crew_of, shelf
from support.endpoint import Endpoint, Said, scripted
from support.tasks import KEY
from tenure.engine.grow import seeder
from tenure.engine.grow.seed_cache import cache_seed, cached_seed, seed_key
from tenure.engine.grow.seeder import Seeding, make_seed
from tenure.engine.grow.seeding_prompt import seeding_request, seeding_rules
from tenure.oracle import Action
from tenure.oracle.grow import seeding_of
from tenure.schema import Fault
from tenure.schema.folder import GrowFolder
from tenure.schema.grow import Plan
from tenure.schema.verdict import Cause
from tenure.workspace.product import SEEDING

from .conftest import isolated

pytestmark = isolated
FOLDER = shelf()
BACK = next(plan for plan in FOLDER.plans if plan.id == "back")
GOOD = (seeding_of(FOLDER, BACK) or {})["seed.py"].decode()
MODEL = "openai/gpt-4o"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seeder, "ALIVE_SECONDS", 0.2)


def writes(script: str, path: str = f"{SEEDING}/seed.sh") -> Said:
    return Said(calls=(Action("write_file", {"path": path, "content": script}),))


def says(success: bool, report: str) -> Said:
    return Said(calls=(Action("finish", {"success": success, "report": report}),))


DONE, NEVER = says(True, "Done as asked."), Said("This is never asked.")
RIGHT = f"#!/bin/sh\nPYTHONPATH=/app:$PYTHONPATH exec python3 - <<'END'\n{GOOD}\nEND\n"


def seeded(
    tmp_path: Path,
    *answers: Said,
    plan: Plan = BACK,
    code: bytes | None = None,
    folder: GrowFolder = FOLDER,
) -> tuple[Seeding, str]:
    """What a scripted agent comes to, and all that it was told."""
    with Endpoint(scripted(*answers)) as endpoint:
        crew = crew_of(tmp_path, MODEL, endpoint.base_url(MODEL))
        made = asyncio.run(make_seed(crew, folder, plan, code or code_of(folder)))
        return made, str([body for _, _, body in endpoint.requests])


def test_the_stand_in_writes_the_products_own_seed(tmp_path: Path) -> None:
    record, files = asyncio.run(make_seed(crew_of(tmp_path), FOLDER, BACK, code_of(FOLDER)))
    assert (record.ok, record.cause, record.tries) == (True, None, 1)
    assert files == seeding_of(FOLDER, BACK)
    assert record.seeder == "tenure/oracle"


def test_what_does_not_work_afresh_is_told_and_may_be_corrected(tmp_path: Path) -> None:
    wrong = writes("#!/bin/sh\necho there is no such table\nexit 3\n")
    (record, files), heard = seeded(tmp_path, wrong, DONE, NEVER, writes(RIGHT), DONE)
    assert (record.ok, record.tries, record.report) == (True, 2, "Done as asked.")
    assert files == {"seed.sh": RIGHT.encode()}
    assert "seed.sh: ended with status 3" in heard and "there is no such table" in heard
    assert record.cost == pytest.approx(4 * 0.0003)
    assert len((tmp_path / "grading.txt").read_text().splitlines()) == 4


def test_a_script_that_never_works_fails_the_seeding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seeder, "TRIES", 2)
    (record, files), _ = seeded(tmp_path, writes("#!/bin/sh\nexit 3\n"), DONE, NEVER, DONE)
    assert (record.ok, record.cause, record.tries) == (False, Cause.SEED, 2)
    assert record.reason == "seed.sh: ended with status 3"
    assert not files


def test_an_agent_that_finds_no_way_says_what_is_missing(tmp_path: Path) -> None:
    (record, files), _ = seeded(tmp_path, says(False, "Nothing can be lent."))
    assert (record.ok, record.cause, record.tries, files) == (False, Cause.SEED, 0, {})
    assert record.reason == "the seeding agent found no way: Nothing can be lent."


def test_words_instead_of_finish_are_taken_for_it_and_nothing_to_try_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seeder, "TRIES", 2)
    (record, _), heard = seeded(tmp_path, Said("I am done."))
    assert (record.ok, record.reason) == (False, f"there is no {SEEDING}/seed.sh")
    assert f"there is no {SEEDING}/seed.sh" in heard


def test_a_seed_after_which_the_product_does_not_start_is_no_seed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seeder, "TRIES", 1)
    (record, _), _ = seeded(tmp_path, writes("#!/bin/sh\nrm /app/start.sh\n"), DONE)
    assert (record.ok, record.reason) == (False, "start.sh: there is none")


def test_a_product_that_is_gone_a_while_later_does_not_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seeder, "TRIES", 1)
    monkeypatch.setattr(seeder, "ALIVE_SECONDS", 4.0)
    dies = code_of(FOLDER, start_dot_sh='#!/bin/sh\ntimeout 3 python3 -m http.server "$APPLICATION_PORT"\n')
    (record, _), _ = seeded(tmp_path, writes(RIGHT), DONE, code=dies)
    assert (record.ok, record.reason) == (False, "the product no longer answers 4 s after it was started")


def test_changes_of_the_code_are_thrown_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seeder, "TRIES", 1)
    changes = writes("#!/bin/sh\ntest -e /app/helper.py\n"), writes("pass", "/app/helper.py")
    (record, _), _ = seeded(tmp_path, *changes, DONE)
    assert (record.ok, record.reason) == (False, "seed.sh: ended with status 1")


def test_a_product_that_cannot_be_set_up_blocks_by_its_own_fault(tmp_path: Path) -> None:
    broken = code_of(FOLDER, setup_dot_sh="#!/bin/sh\necho no database >&2\nexit 9\n")
    (record, _), heard = seeded(tmp_path, NEVER, code=broken)
    assert (record.ok, record.cause) == (False, Cause.START)
    assert record.reason == "setup.sh: ended with status 9:\nno database"
    assert heard == "[]"


def test_a_seed_file_reaches_the_agent_and_every_machine(tmp_path: Path) -> None:
    folder = shelf(Path(shutil.copytree(SHELF, tmp_path / "shelf")))
    (folder.assets / "lists").mkdir(parents=True)
    (folder.assets / "lists" / "tools.csv").write_text("Saw,Ann\n")
    seed = BACK.seed.model_copy(update={"files": ("lists/tools.csv",)})
    needs = writes(f"#!/bin/sh\ngrep -q Saw {SEEDING}/given/lists/tools.csv\n")
    plan = BACK.model_copy(update={"seed": seed})
    (record, files), heard = seeded(tmp_path, needs, DONE, plan=plan, folder=folder)
    assert record.ok, record.reason
    assert files["given/lists/tools.csv"] == b"Saw,Ann\n"
    assert f"- {SEEDING}/given/lists/tools.csv" in heard


def test_a_model_that_cannot_be_had_says_nothing_about_the_code(tmp_path: Path) -> None:
    said = Said(status=401, error={"message": f"bad key {KEY}", "type": "authentication_error"})
    with pytest.raises(Fault, match="the seeding agent's model cannot be had"):
        seeded(tmp_path, said)


def test_an_hour_is_the_agents_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seeder, "SECONDS", 1.0)
    sleeps = Said(calls=(Action("bash", {"command": "sleep 60"}),))
    (record, _), _ = seeded(tmp_path, sleeps)
    assert (record.ok, record.cause) == (False, Cause.SEED)
    assert record.reason == "the seeding agent did not finish: the time limit passed"


def test_a_plan_is_asked_for_by_its_data_and_nothing_else() -> None:
    said = seeding_request(BACK, ["/app/.seeding/given/a.csv"])
    assert BACK.seed.records in said and "given/a.csv" in said
    assert all(check.says not in said for check in BACK.checks) and BACK.title not in said
    configured = BACK.seed.model_copy(update={"environment": {"DEPOSIT": "3.15"}})
    assert "- DEPOSIT=3.15" in seeding_request(BACK.model_copy(update={"seed": configured}), [])


def test_the_rules_name_what_is_there() -> None:
    said = seeding_rules(FOLDER.task, "PostgreSQL 17.2")
    for word in ("/app/setup.sh", "/app/start.sh", f"{SEEDING}/seed.sh", "PostgreSQL 17.2 is at the address"):
        assert word in said
    assert "POSTGRES_DATABASE_URL" in said


def test_a_script_that_worked_is_kept_by_all_that_decides_it(tmp_path: Path) -> None:
    files = {"seed.sh": b"#!/bin/sh\n", "given/a.csv": b"a,b\n"}
    key = seed_key(FOLDER, BACK, "code", {"model": "m"}, None)
    lent = next(plan for plan in FOLDER.plans if plan.id == "lent")
    others = {
        seed_key(FOLDER, BACK, "other", {"model": "m"}, None),
        seed_key(FOLDER, BACK, "code", {"model": "other"}, None),
        seed_key(FOLDER, BACK, "code", {"model": "m"}, files),
        seed_key(FOLDER, lent, "code", {"model": "m"}, None),
    }
    assert len(others | {key}) == 5
    assert cached_seed(key) is None
    record = asyncio.run(make_seed(crew_of(tmp_path), FOLDER, BACK, code_of(FOLDER))).record
    cache_seed(key, record, files)
    cache_seed(key, record, {"seed.sh": b"another"})
    assert cached_seed(key) == (record.model_copy(update={"cached": True}), files)
