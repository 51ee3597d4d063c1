from pathlib import Path

import pytest

from support.grow import CANARY, product
from tenure.grading.grow import behaviours_of, complete_at, features_of, lint, without_canary
from tenure.schema import BadInput
from tenure.schema.folder import find_folder, find_grow, open_folder

STAGE_1, STAGE_2 = "stages/01-booking/stage.toml", "stages/02-fees/stage.toml"
PRD_2 = "stages/02-fees/prd.md"


def test_a_sound_product_has_no_fault(tmp_path: Path) -> None:
    folder = find_grow(str(product(tmp_path)))
    assert lint(folder) == []
    assert [(s.number, s.name) for s in folder.stages] == [(1, "booking"), (2, "fees")]
    assert [plan.id for plan in folder.plans] == ["late", "plain"]
    assert features_of(folder) == {"booking": 1, "fees": 2}
    assert {plan.id: complete_at(plan, folder) for plan in folder.plans} == {"plain": 1, "late": 2}
    assert list(behaviours_of(folder)) == ["ride-shows", "one-ride", "fee-due"]
    assert folder.stages[0].prd.startswith("<!--")


def test_the_folder_is_known_as_what_it_is(tmp_path: Path) -> None:
    path = product(tmp_path)
    assert open_folder(path).task.id == find_folder(str(path)).task.id == "grow/rides"
    with pytest.raises(BadInput, match="of the build suite, which this does not take"):
        find_grow("build/helpdesk")


FAULTS = [
    (STAGE_2, 'depends_on = ["booking"]', "", "02-fees: depends on no stage"),
    (STAGE_2, '"booking"]', '"nowhere"]', "02-fees: depends on nowhere, which is no stage"),
    (STAGE_2, '"booking"]', '"fees"]', "02-fees: depends on fees, which comes at the same time"),
    (
        STAGE_1,
        'title = "Book a ride"',
        'title = "B"\ndepends_on = ["fees"]',
        "01-booking: depends on fees, which comes later",
    ),
    (STAGE_1, 'title = "Book a ride"', 'title = "B"\ndepends_on = ["fees"]', "the first stage depends on"),
    (STAGE_2, "features = { fees =", "features = { booking =", "stages: two add the feature booking"),
    (STAGE_2, "behaviours.fee-due", "behaviours.one-ride", "stages: two declare the behaviour one-ride"),
    (STAGE_2, "cancelling costs the fee", "cancelling is free", "behaviour fee-due: quotes"),
    (STAGE_2, "once a driver has the ride, cancelling costs the fee", "the fee", "quote 3 words or more"),
    (STAGE_1, 'basic = "one_click"', "", "behaviour one-ride: traces to nothing"),
    (STAGE_1, 'basic = "one_click"', 'implied = "it must"', "behaviour one-ride: is implied by nothing"),
    (STAGE_1, 'fare"\n\n', 'fare"\nbasic = "one_click"\n\n', "to a basic or to the PRD, not to both"),
    (STAGE_1, CANARY, "", "stages/01-booking/stage.toml: the canary is missing"),
    (PRD_2, CANARY, "", "stages/02-fees/prd.md: the canary is missing"),
    ("plans/late.toml", CANARY, "", "plans/late.toml: the canary is missing"),
    (STAGE_1, '"seeder"]', '"grader"]', "late: names the asset postcodes.csv, which is not for the seeder"),
    (STAGE_2, '["grader"]', '["builder"]', "late: names the asset map.png, which is not for the grader"),
    (STAGE_2, "map.png", "plan.png", "assets/plan.png: there is no such file"),
    (STAGE_2, "map.png", "plan.png", "assets/map.png: no stage declares it"),
    ("plans/late.toml", 'files = ["map.png"]', 'files = ["a.png"]', "a.png, which no stage declares"),
    ("plans/late.toml", "FEE =", "TAX =", "late: sets TAX, which is no constant"),
    ("plans/late.toml", '"booking", "fees"]', '"fees"]', "late: is combined and uses 1 features"),
    ("plans/late.toml", '"booking", "fees"]', '"booking", "x"]', "uses the feature x, which no stage adds"),
    ("plans/late.toml", '"booking", "fees"]', '"fees", "fees"]', "late: names the feature fees twice"),
    ("plans/plain.toml", '["booking"]', "[]", "plain: uses no feature"),
    ("plans/plain.toml", '"ride-shows", "one-ride"]', '"ride-shows"]', "behaviour one-ride: no plan grades"),
    ("plans/plain.toml", '"ride-shows", "one-ride"]', '"ride-shows"]', "check one: one-ride is not among"),
    ("plans/plain.toml", ', behaviour = "one-ride"', "", "plain: check one: grades no behaviour"),
    ("plans/plain.toml", ', behaviour = "one-ride"', "", "plain: grades one-ride with no check"),
    ("plans/late.toml", '["fee-due"]', '["fee-due", "one-ride"]', "one-ride: graded by late and plain"),
    ("plans/late.toml", '["fee-due"]', '["ghost"]', "late: grades ghost, which no stage declares"),
    ("plans/late.toml", '["fee-due"]', "[]", "late: grades no behaviour"),
    ("plans/late.toml", '["ride-shows"]', '["fee-due"]', "late: both grades and notes fee-due"),
    ("plans/late.toml", 'catches = ["the fee is charged twice"]', "", "late: names no mistake"),
    ("plans/late.toml", ', user = "ben"', ', user = "cyd"', "step cancel: cyd is no user of the plan"),
    ("plans/late.toml", ', user = "ben"', "", "step cancel: an action says no user, and the plan has 2"),
    ("plans/late.toml", 'reloads = ["ben"]', 'reloads = ["eve"]', "step cancel: eve is no user"),
    (
        "plans/plain.toml",
        'actions = [{ does = "Book a ride to the station." }]',
        "",
        "plain: step book: has no action",
    ),
    (
        "plans/plain.toml",
        'features = ["booking"]',
        'features = ["fees"]',
        "plain: grades ride-shows and does not name a feature of its stage",
    ),
]


@pytest.mark.parametrize(("file", "old", "new", "says"), FAULTS, ids=[says for *_, says in FAULTS])
def test_each_fault_is_a_line(tmp_path: Path, file: str, old: str, new: str, says: str) -> None:
    faults = lint(find_grow(str(product(tmp_path, {file: (old, new)}))))
    assert any(says in fault for fault in faults), faults
    assert all("\n" not in fault for fault in faults)


def test_a_behaviour_that_a_later_stage_replaces_is_graded_by_no_plan(tmp_path: Path) -> None:
    replacing = {STAGE_2: ('title = "Cancellation fees"', 'title = "C"\nreplaces = ["one-ride"]')}
    folder = find_grow(str(product(tmp_path, replacing)))
    assert "one-ride" not in behaviours_of(folder)
    assert "plain: grades one-ride, which a later stage replaced" in lint(folder)
    unknown = {STAGE_2: ('title = "Cancellation fees"', 'title = "C"\nreplaces = ["fee-due"]')}
    assert any("replaces fee-due" in f for f in lint(find_grow(str(product(tmp_path / "b", unknown)))))


def test_numbers_with_a_gap_and_files_that_nothing_reads_are_faults(tmp_path: Path) -> None:
    path = product(tmp_path, **{"plans/notes.txt": "old"})
    (path / "stages/02-fees").rename(path / "stages/03-fees")
    faults = lint(find_grow(str(path)))
    assert "stages: numbered 1, 3; they count 1, 2, 3 …" in faults
    assert "plans/notes.txt: nothing reads this file" in faults


def test_products_under_the_rules_of_v1_declare_no_behaviour(tmp_path: Path) -> None:
    changes = {
        "task.toml": ('version = "1-0"', 'version = "1-0"\nrules = "v1"'),
        "plans/plain.toml": ('grades = ["ride-shows", "one-ride"]', ""),
    }
    assert lint(find_grow(str(product(tmp_path, changes)))) == []


def test_the_canary_is_checked_alone(tmp_path: Path) -> None:
    folder = find_grow(str(product(tmp_path, {PRD_2: (CANARY, "")})))
    assert without_canary(folder) == ["stages/02-fees/prd.md: the canary is missing"]


BROKEN = [
    ({"plans/plain.toml": ('kind = "single"', 'kind = "double"')}, {}, r"plain.toml: kind: "),
    ({"plans/plain.toml": ('id = "one"', 'id = "fare"')}, {}, "two have the check name 'fare'"),
    ({"plans/late.toml": ('"ana", "ben"]', '"ana", "ana"]')}, {}, "two have the user name 'ana'"),
    ({"plans/late.toml": ('kind = "records"', 'kind = "configuration"')}, {}, "holds an environment, and no"),
    ({"plans/late.toml": ('kind = "records"', 'kind = "none"')}, {}, "of kind none holds nothing"),
    ({"plans/late.toml": ('records = "A driver called ben."', "")}, {}, "says in records what must exist"),
    ({"task.toml": ('version = "1-0"', 'version = "one"')}, {}, "must look like 1-0"),
    ({}, {"stages/02-fees/prd.md": None}, "the stage has no prd.md"),
    ({}, {"stages/Two/prd.md": "x"}, "a stage's folder is called NN-name"),
]


@pytest.mark.parametrize(("changes", "more", "says"), BROKEN, ids=[says for *_, says in BROKEN])
def test_a_broken_file_is_named(tmp_path: Path, changes: dict, more: dict, says: str) -> None:
    path = product(tmp_path, changes, **more)
    with pytest.raises(BadInput, match=says):
        lint(find_grow(str(path)))
