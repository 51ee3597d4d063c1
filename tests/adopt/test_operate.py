import asyncio
import json
import os
from pathlib import Path

import pytest

from adopt.operated import DESCRIPTION, PICTURE, VERIFIER, pantry, shelves, task
from support.machines import isolated
from support.verifier import HEAD
from tenure.adopt.operate import adopt, site_of, sites, with_checks, write
from tenure.grading.operate import discovered, dry_runs, findings_of
from tenure.schema import BadInput
from tenure.schema.folder import find_operate
from tenure.schema.operate import Account, CheckKind, OperateCheck, OperateDomain, Track

RELEASE = os.environ.get("SAAS_BENCH", "")
"""A checkout of the release, where one is at hand."""
STOPS = """
def main():
    check("1. jar", 1, True)
    if not docker("exec", SHELF, "cat", "/token").stdout:
        sys.exit(1)
    print(f"SCORE: {1:.3f}  PASS: True  (1/1)", file=sys.stderr)
"""


def one(root: Path):
    (adopted,) = adopt(root).tasks
    return adopted


def codes(adopted):
    return [anomaly.code for anomaly in adopted.anomalies]


def refused(root: Path) -> list[str]:
    """Why no task of a release can be adopted, one each."""
    release = adopt(root)
    assert release.tasks == () and {why.code for why in release.refused} == {"not_adopted"}
    return [why.found for why in release.refused]


def test_a_task_is_read_whole(tmp_path):
    pantry(tmp_path)
    adopted = one(tmp_path)
    got = adopted.task
    assert (got.id, got.domain, got.track) == (
        "operate/agriculture-901",
        OperateDomain.AGRICULTURE,
        Track.MULTIMODAL,
    )
    assert got.apps == ("grocy", "hrms", "code-server", "siyuan")
    assert got.title == "Count the jars on the shelf and order what is missing."
    assert got.steps == ("Open Grocy.", "Compare the jars", "Order what is missing.")
    assert [given.model_dump() for given in got.inputs] == [
        {"file": "jar.jpg", "type": "image", "role": "photo"}
    ]
    assert set(adopted.hashes) == {"meta.json", "description.md", "verify.py", "tasks/multi-m/inputs/jar.jpg"}


def test_credentials_find_their_apps(tmp_path):
    pantry(tmp_path)
    adopted = one(tmp_path)
    assert adopted.task.credentials == {
        "grocy": Account(username="ada", password="plum-7"),
        "hrms": Account(username="hr", password="ladder-2"),
        "code-server": Account(username="", password="8f0c"),
        "siyuan": Account(username="", password="moon-9"),
    }
    aliases = [a.found for a in adopted.anomalies if a.code == "credentials_alias"]
    assert aliases == ["Grocy", "frappe-hrms"]


def test_checks_are_read_from_the_source(tmp_path):
    pantry(tmp_path)
    adopted = one(tmp_path)
    assert [(c.id, c.says, c.weight, c.kind) for c in adopted.task.checks] == [
        ("0", "input is there", 1, CheckKind.SCRIPT),
        ("1", "jar is there", 2, CheckKind.SCRIPT),
        ("2", "note is kind", 3, CheckKind.JUDGED),
    ]
    assert adopted.script.computed and adopted.script.judged and adopted.script.imports == ()
    assert {"label_varies", "labels_computed"} <= set(codes(adopted))


def test_apps_that_a_verifier_never_looks_into_are_named(tmp_path):
    pantry(tmp_path)
    unused = [a.found for a in one(tmp_path).anomalies if a.code == "app_unused"]
    assert unused == [f"the verifier never looks into {app}" for app in ("hrms", "code-server", "siyuan")]


def test_a_dry_run_completes_the_checks_and_finds_free_points(tmp_path):
    pantry(tmp_path)
    seen = [
        OperateCheck(id=id, says="…", weight=points, kind=CheckKind.SCRIPT)
        for id, points in (("0", 1), ("1", 4), ("3", 1))
    ]
    adopted = with_checks(one(tmp_path), seen, ["0"])
    assert [(c.id, c.says, c.weight, c.guard) for c in adopted.task.checks] == [
        ("0", "input is there", 1, True),
        ("1", "jar is there", 4, False),
        ("3", "…", 1, False),
        ("2", "note is kind", 3, False),
    ]
    assert {"passes_without_apps", "points_changed", "unseen_in_dry_run"} <= set(codes(adopted))


def test_what_is_written_is_a_task_folder_with_the_verifier_unmodified(tmp_path):
    pantry(tmp_path)
    adopted = one(tmp_path)
    out = write(adopted, tmp_path / "out")
    folder = find_operate(str(out))
    assert folder.task == adopted.task and folder.instruction == DESCRIPTION.strip()
    assert (out / "verify.py").read_text() == VERIFIER
    assert (out / "inputs" / "jar.jpg").read_bytes() == PICTURE
    first = folder.hash
    assert find_operate(str(write(one(tmp_path), out))).hash == first
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "note.txt").write_text("keep")
    with pytest.raises(BadInput, match="holds something else"):
        write(adopted, tmp_path / "mine")


def test_a_task_without_steps_and_with_pretix(tmp_path):
    shelves(tmp_path)
    adopted = one(tmp_path)
    assert adopted.task.steps == () and adopted.task.track is Track.TEXT
    assert {"steps_not_parsed", "database_container", "credentials_unmatched"} <= set(codes(adopted))


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"sites": ["grocy", "abacus"]}, "unknown_service"),
        ({"inputs": [{"file": "tasks/none.jpg", "type": "image"}]}, "input_missing"),
        ({"inputs": ["jar.jpg"]}, "input_missing"),
        ({}, "no_input"),
        ({"task_id": "agriculture_77"}, "id_differs"),
        ({"verifier": f'{HEAD}check("1. jar", 1, True)\ncheck("2. lid", 0, True)'}, "no_points"),
        ({"verifier": f'{HEAD}check("1. jar", 1, True)\ncheck("2. lid", 1e999, True)'}, "no_points"),
        ({"verifier": f'{HEAD}check("1. jar", 1, True)\ncheck("2. lid", 1{"0" * 400}, True)'}, "no_points"),
        ({"category_id": "Media"}, "domain_differs"),
        ({"category_id": ""}, "meta_missing"),
        ({"description": "Do it."}, "section_missing"),
        ({"description": DESCRIPTION.replace("- Grocy: ada / plum-7\n", "")}, "credentials_missing"),
        ({"sites": ["baserow", "siyuan"]}, "port_collision"),
        ({"verifier": f'{HEAD}check("jar is there", 1, True)'}, "label_without_number"),
        ({"verifier": f'{HEAD}check("jar \\ud800", 1, True)'}, "label_without_number"),
        ({"verifier": f'{HEAD}check("1. jar", 1, True)\ncheck("1. jar", 2, True)'}, "points_vary"),
        ({"verifier": f'{HEAD}import requests\ncheck("1. jar", 1, True)'}, "undeclared_import"),
        ({"verifier": f"{HEAD}{STOPS}"}, "may_stop_early"),
        (
            {"verifier": f'{HEAD}print(os.environ["GROCY_DB_CONTAINER"])\ncheck("1. jar", 1, True)'},
            "variable_not_given",
        ),
    ],
)
def test_oddities_are_named_and_the_task_is_kept(tmp_path, more, code):
    task(tmp_path, "agriculture_903", **more)
    adopted = one(tmp_path)
    assert code in codes(adopted)
    assert find_operate(str(write(adopted, tmp_path / "out"))).task == adopted.task


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"verifier": "check("}, "is no Python"),
        ({"sites": []}, "must be a list of apps"),
        ({"meta_data": None}, "must be a list of apps"),
        ({"category_id": "Astrology"}, "'Astrology' is none of"),
        ({"inputs": [{"file": "\ud800", "type": "image"}]}, "surrogates not allowed"),
    ],
)
def test_what_cannot_be_read_is_said(tmp_path, more, message):
    task(tmp_path, "agriculture_904", **more)
    assert message in refused(tmp_path)[0]


def test_an_inputs_type_is_its_files(tmp_path):
    (tmp_path / "jar.pdf").write_bytes(b"%PDF")
    task(tmp_path, "agriculture_909", inputs=[{"file": "jar.pdf", "type": "video"}])
    adopted = one(tmp_path)
    assert [given.type for given in adopted.task.inputs] == ["pdf"] and "input_type" in codes(adopted)


def test_broken_files_and_repeated_ids_are_said(tmp_path):
    folder = task(tmp_path, "agriculture_905")
    (folder / "meta.json").write_text("{")
    assert "is not JSON" in refused(tmp_path)[0]
    (folder / "meta.json").write_bytes(b"\xff")
    assert "is not UTF-8" in refused(tmp_path)[0]
    (folder / "meta.json").write_text("[]")
    assert "one JSON object" in refused(tmp_path)[0]
    (folder / "verify.py").unlink()
    (folder / "meta.json").write_text('{"meta_data": {"sites": ["grocy"]}}')
    assert "nothing could grade it" in refused(tmp_path)[0]


def test_one_id_is_one_task(tmp_path):
    task(tmp_path, "agriculture_906")
    task(tmp_path, "agriculture_907", task_id="agriculture_906")
    release = adopt(tmp_path)
    assert [one.place.folder.name for one in release.tasks] == ["agriculture_906"]
    (why,) = release.refused
    assert why.where == "tasks/multi-m/Agriculture/agriculture_907"
    assert "agriculture-906 is that of tasks/multi-m/Agriculture/agriculture_906" in why.found


def test_a_task_whose_every_check_is_free_is_refused(tmp_path):
    task(tmp_path, "agriculture_908", verifier=f'{HEAD}check("1. jar", 1, True)')
    adopted = one(tmp_path)
    free = with_checks(adopted, adopted.task.checks, ["1"])
    with pytest.raises(BadInput, match="at least one must need new work"):
        write(free, tmp_path / "out")


@pytest.mark.parametrize("id", ["../../escaped", "/escaped", "..", ".hidden", "a/b", "a\n", "jar\u00e9"])
def test_an_id_that_is_no_plain_name_is_refused_beside_others(tmp_path, id):
    task(tmp_path, "agriculture_910", task_id=id)
    task(tmp_path, "agriculture_911")
    release = adopt(tmp_path)
    assert [one.task.name for one in release.tasks] == ["agriculture-911"]
    assert [why.where for why in release.refused] == ["tasks/multi-m/Agriculture/agriculture_910"]
    assert "is no name" in release.refused[0].found


@pytest.mark.parametrize(
    "part",
    [
        "{secret}",
        "{bare}",
        "../secret.jpg",
        "tasks/../../secret.jpg",
        "link.jpg",
        # Of the release, and by a path that is not meant from its root.
        "{release}/jar.jpg",
        "tasks/../jar.jpg",
    ],
)
def test_an_input_outside_the_release_is_missing(tmp_path, part):
    secret = tmp_path / "secret.jpg"
    secret.write_bytes(PICTURE)
    release = tmp_path / "release"
    asked = part.format(secret=secret, bare=str(secret).removeprefix("/"), release=release)
    task(release, "agriculture_912", inputs=[{"file": asked, "type": "image"}])
    (release / "jar.jpg").write_bytes(PICTURE)
    (release / "link.jpg").symlink_to(secret)
    adopted = one(release)
    assert adopted.task.inputs == () and adopted.inputs == {}
    assert [a.found for a in adopted.anomalies if a.code == "input_missing"] == [asked]


@pytest.mark.parametrize("name", ["meta.json", "description.md", "verify.py"])
def test_a_file_that_leads_out_of_the_release_is_refused(tmp_path, name):
    folder = task(tmp_path / "release", "agriculture_913")
    outside = tmp_path / name
    (folder / name).rename(outside)
    (folder / name).symlink_to(outside)
    assert refused(tmp_path / "release") == [f"{name}: leads out of the release"]


@pytest.mark.parametrize("given", [".", "tasks", "tasks/multi-m/Agriculture/agriculture_901"])
def test_a_relative_path_is_read_like_an_absolute_one(tmp_path, monkeypatch, given):
    pantry(tmp_path)
    expected = one(tmp_path)
    monkeypatch.chdir(tmp_path / given)
    found = one(Path())
    assert found.task == expected.task and found.hashes == expected.hashes
    assert list(found.task.inputs) and found.task.track is Track.MULTIMODAL


def test_the_track_is_the_nearest_folder_that_is_called_like_one(tmp_path):
    shelves(tmp_path / "multi-m" / "release")
    assert one(tmp_path / "multi-m" / "release").task.track is Track.TEXT


def test_one_input_that_is_no_list_is_read_or_said(tmp_path):
    (tmp_path / "jar.jpg").write_bytes(PICTURE)
    folder = task(tmp_path, "agriculture_914", multimodal_input={"file": "jar.jpg", "type": "image"})
    adopted = one(tmp_path)
    assert [given.file for given in adopted.task.inputs] == ["jar.jpg"] and "input_form" in codes(adopted)
    meta = json.loads((folder / "meta.json").read_text())
    (folder / "meta.json").write_text(json.dumps({**meta, "multimodal_input": "jar.jpg"}))
    assert {"input_missing", "no_input"} <= set(codes(one(tmp_path)))


def test_two_inputs_of_one_name_are_one_and_said(tmp_path):
    for place in ("a", "b"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "jar.jpg").write_bytes(PICTURE + place.encode())
    inputs = [{"file": f"{place}/jar.jpg", "type": "image"} for place in ("a", "b")]
    task(tmp_path, "agriculture_915", inputs=inputs)
    adopted = one(tmp_path)
    assert [released for _, released in adopted.inputs.values()] == ["a/jar.jpg"]
    assert len(adopted.task.inputs) == 1 and "input_repeated" in codes(adopted)


def test_an_app_that_is_none_of_the_23_keeps_its_account(tmp_path):
    description = DESCRIPTION.replace("- Grocy: ada", "- Abacus: ada")
    task(tmp_path, "agriculture_916", sites=["abacus"], description=description)
    adopted = one(tmp_path)
    assert adopted.task.credentials == {"abacus": Account(username="ada", password="plum-7")}
    assert "credentials_missing" not in codes(adopted)


def test_a_second_account_of_an_app_is_said(tmp_path):
    twice = DESCRIPTION.replace("- Grocy: ada / plum-7\n", "- Grocy: ada / plum-7\n- grocy: bo / fig-8\n")
    task(tmp_path, "agriculture_917", description=twice)
    adopted = one(tmp_path)
    assert adopted.task.credentials["grocy"] == Account(username="ada", password="plum-7")
    (said,) = (a for a in adopted.anomalies if a.code == "credentials_repeated")
    assert "bo / fig-8" in said.found and said.repair == "the first"


JUDGES_IN_MAIN = """
def ask_model():
    return os.getenv("MINDRA_BASE_URL")


def main():
    check("1. shelf is there", 1, True)
    check("2. note is kind", 1, bool(ask_model()))
    finish()


main()
"""


def test_a_free_check_beside_a_question_to_the_judge_is_a_guard_and_not_judged(tmp_path):
    task(tmp_path, "agriculture_918", verifier=HEAD + JUDGES_IN_MAIN)
    adopted = one(tmp_path)
    assert {check.kind for check in adopted.task.checks} == {CheckKind.JUDGED}
    seen = with_checks(adopted, adopted.task.checks, ["1"])
    held = find_operate(str(write(seen, tmp_path / "out"))).task
    assert [(check.id, check.kind, check.guard) for check in held.checks] == [
        ("1", CheckKind.SCRIPT, True),
        ("2", CheckKind.JUDGED, False),
    ]


def test_the_23_apps():
    known = sites()
    assert len(known) == 23 and {site.index for site in known.values()} == set(range(23))
    assert all(site.compose or (site.image and site.port) for site in known.values())
    assert (site_of("ownCloud"), site_of("frappe-hrms"), site_of("abacus")) == ("owncloud", "hrms", None)


@pytest.mark.skipif(not RELEASE, reason="set SAAS_BENCH to a checkout of the release")
def test_the_release_is_read_whole():
    adopted, refusals = adopt(Path(RELEASE))
    assert refusals == () and sum(len(one.inputs) for one in adopted) == 22
    assert len(adopted) == 106 and sum(one.script.judged for one in adopted) == 23
    judged = [one for one in adopted if one.script.judged]
    assert sum(c.weight for one in judged for c in one.task.checks) == 472
    assert sum(c.weight for one in judged for c in one.task.checks if c.kind is CheckKind.JUDGED) == 132
    assert [codes(one).count("steps_not_parsed") for one in adopted].count(1) == 5
    assert not {"input_missing", "input_repeated", "credentials_repeated"} & {
        c for o in adopted for c in codes(o)
    }
    # Four tasks compute labels: their last 15 checks and 23 points come from a dry run.
    assert sum(len(one.task.checks) for one in adopted) == 1233
    assert sum(c.weight for one in adopted for c in one.task.checks) == 2213


@isolated
@pytest.mark.full
@pytest.mark.skipif(not RELEASE, reason="set SAAS_BENCH to a checkout of the release")
def test_a_dry_run_of_the_release_shows_every_check():
    async def seen():
        found = []
        async with dry_runs() as dry:
            for one in adopt(Path(RELEASE)).tasks:
                run = await dry(
                    one.place.folder / "verify.py", one.task.apps, [place for place, _ in one.inputs.values()]
                )
                assert run.returncode == 1 and run.faults == ()
                assert findings_of(with_checks(one, *discovered(run)).task, run)[1] == []
                found.append(with_checks(one, *discovered(run)))
        return found

    adopted = asyncio.run(seen())
    checks = [check for one in adopted for check in one.task.checks]
    assert (len(checks), sum(check.weight for check in checks)) == (1248, 2236)
    assert sum(any(check.guard for check in one.task.checks) for one in adopted) == 19
