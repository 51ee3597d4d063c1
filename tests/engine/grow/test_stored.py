"""What a grow attempt's files mean, without a machine."""

import json
import shutil
from pathlib import Path

import pytest

from support.crews import SHELF, shelf
from tenure.adopt.grow import ReleasedPlan
from tenure.engine.grow.findings import findings_of, score_stored
from tenure.engine.grow.stored import (
    CODE,
    SEED,
    SEEDS,
    STAGES,
    START,
    Graded,
    StartRecord,
    codes_of,
    keep,
    keep_files,
    kept,
    kept_files,
    rules_of,
    start_file,
)
from tenure.engine.plan import GRADED
from tenure.grading.grow import PROTOCOL, SINGLE
from tenure.schema import BadInput, Ending, Outcome
from tenure.schema.grow import Rules
from tenure.schema.verdict import Cause, SeedRecord, StageRecord


def test_every_plan_is_graded_on_the_finished_code(tmp_path: Path) -> None:
    folder = shelf()
    assert set(codes_of(folder, tmp_path).values()) == {tmp_path / CODE}
    assert start_file(tmp_path / CODE) == tmp_path / START
    assert rules_of(folder) == PROTOCOL


def test_under_the_released_rules_a_plan_is_graded_once_on_its_parts_code(tmp_path: Path) -> None:
    copy = Path(shutil.copytree(SHELF, tmp_path / "shelf"))
    parts = {"first": "things", "lent": "lending", "back": "final", "cents": "final"}
    plans = [ReleasedPlan(plan=plan, part=part, full_points=1, steps=()) for plan, part in parts.items()]
    (copy / "adopted.json").write_text(json.dumps({"plans": [plan.model_dump() for plan in plans]}))
    folder = shelf(copy)
    folder.task = folder.task.model_copy(update={"rules": Rules.V1})
    codes = codes_of(folder, tmp_path)
    assert codes == {
        "first": tmp_path / "stages" / "01-things.tar.gz",
        "lent": tmp_path / "stages" / "02-lending.tar.gz",
        "back": tmp_path / CODE,
        "cents": tmp_path / CODE,
    }
    assert len({start_file(code) for code in codes.values()}) == 3
    assert start_file(codes["first"]).name == "01-things.start.json"
    assert rules_of(folder) == SINGLE
    for stage in folder.stages:
        record = StageRecord(stage=stage.name, ending=Ending.DONE)
        keep(tmp_path / STAGES / f"{stage.path.name}.json", record)
    for plan, code in codes.items():
        keep(start_file(code), StartRecord(ok=plan in ("first", "lent"), reason="no"))
    keep(tmp_path / GRADED, Graded())
    keep(tmp_path / SEEDS / "first" / SEED, SeedRecord(ok=False, cause=Cause.SEED, reason="no rows"))
    card = score_stored(folder, tmp_path)
    assert card.outcome is Outcome.ERROR and card.v1 is None  # No grade of "lent" was ever made.
    assert "lent" in card.reason
    keep(tmp_path / SEEDS / "lent" / SEED, SeedRecord(ok=False, cause=Cause.SEED, reason="no rows"))
    v1 = score_stored(folder, tmp_path).v1
    assert v1 is not None and (v1.pass_1, v1.score, v1.unjudged) == (0.0, 0.0, ())
    assert {score.plan: (score.part, score.earned, score.points) for score in v1.plans} == {
        plan: (part, 0, 1) for plan, part in parts.items()
    }


def test_a_plan_that_was_not_adopted_is_refused(tmp_path: Path) -> None:
    copy = Path(shutil.copytree(SHELF, tmp_path / "shelf"))
    (copy / "adopted.json").write_text('{"plans": []}')
    folder = shelf(copy)
    folder.task = folder.task.model_copy(update={"rules": Rules.V1})
    with pytest.raises(BadInput, match="was not adopted"):
        codes_of(folder, tmp_path)


def test_a_product_of_ours_has_no_points(tmp_path: Path) -> None:
    keep(tmp_path / START, StartRecord(ok=False, reason="no"))
    keep(tmp_path / GRADED, Graded())
    card = score_stored(shelf(), tmp_path)
    assert card.v1 is None


def test_what_was_never_reached_is_said(tmp_path: Path) -> None:
    found = findings_of(shelf(), tmp_path)
    assert {finding.outcome for finding in found} == {Outcome.NOT_RUN}
    assert {finding.reason for finding in found} == {"the finished code was never started"}
    keep(tmp_path / START, StartRecord(ok=True))
    assert {finding.reason for finding in findings_of(shelf(), tmp_path)} == {
        "its starting data was never made"
    }


def test_records_and_files_come_back_as_they_were_kept(tmp_path: Path) -> None:
    assert kept(tmp_path / START, StartRecord) is None
    record = StartRecord(ok=False, reason="no", versions={"Python": "3.12"})
    keep(tmp_path / "deep" / START, record)
    assert kept(tmp_path / "deep" / START, StartRecord) == record
    files = {"seed.sh": b"#!/bin/sh\n", "given/lists/a.csv": b"\xff\x00"}
    keep_files(tmp_path / "seed", files)
    assert kept_files(tmp_path / "seed") == files
    (tmp_path / START).write_text("{")
    with pytest.raises(BadInput, match="is damaged; remove it"):
        kept(tmp_path / START, StartRecord)
