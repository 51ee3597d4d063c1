import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.grow import all_found, grade, verdict
from support.grow import step as answered
from tenure.adopt import Severity
from tenure.adopt.grow import (
    ReleasedPlan,
    V1Rules,
    adopt,
    cut,
    read_released,
    together,
    v1_score,
    v1_step_scores,
    write,
)
from tenure.adopt.grow.spans import TAGS
from tenure.adopt.grow.units import UnitKind
from tenure.grading.grow import lint
from tenure.schema import BadInput, Outcome
from tenure.schema.folder import find_grow
from tenure.schema.grow import Audience, Rules, SeedKind
from tenure.schema.verdict import StepVerdict

from .vibench import PLAIN, apart, in_order, plan, step


def one(tmp_path: Path, text: str) -> tuple[ReleasedPlan, dict[str, str]]:
    """A product whose only plan is the text: what it says, and its anomalies as code → where."""
    nothing = {
        "tests__feature1__test1.txt": None,
        "tests__feature1__regression.txt": None,
        "tests__feature2__test10.txt": None,
        "tests__feature2__test2.txt": None,
        "prd__mvp.txt": "Books.\n",
    }
    adopted = adopt(apart(tmp_path, **nothing, **{"tests__mvp__test1.txt": text}))
    assert len(adopted.plans) == 1
    return adopted.plans[0].released, {a.code: f"{a.severity} {a.found}" for a in adopted.anomalies}


def units(read: ReleasedPlan) -> list[tuple[str, str, bool]]:
    return [(unit.kind.value, unit.text, unit.fatal) for step in read.steps for unit in step.units]


def test_both_layouts_become_sound_folders_of_ours(tmp_path: Path) -> None:
    for layout, make in (("prds", apart), ("prds-multiagent", in_order)):
        released = make(tmp_path / layout)
        out = write(adopt(released), tmp_path / f"out-{layout}")
        folder = find_grow(str(out))
        assert folder.task.rules is Rules.V1
        assert lint(folder) == []
        assert json.loads((out / "adopted.json").read_text())["layout"] == layout


def test_a_relative_path_is_read_like_an_absolute_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    released = apart(tmp_path)
    expected = adopt(released)
    monkeypatch.chdir(released)
    assert adopt(Path()) == expected


def test_a_file_that_leads_out_of_the_release_is_refused(tmp_path: Path) -> None:
    released = apart(tmp_path / "release")
    (released / "assets" / "logo.svg").rename(tmp_path / "logo.svg")
    (released / "assets" / "logo.svg").symlink_to(tmp_path / "logo.svg")
    with pytest.raises(BadInput, match=r"assets/logo\.svg: leads out of the folder"):
        adopt(released)


def test_the_layout_of_parts(tmp_path: Path) -> None:
    adopted = adopt(apart(tmp_path))
    assert [name for name, _, _ in adopted.stages] == ["01-mvp", "02-feature1", "03-feature2"]
    assert [stage.depends_on for _, stage, _ in adopted.stages] == [(), ("mvp",), ("mvp",)]
    assert [(k.plan.id, k.released.part, k.plan.features) for k in adopted.plans] == [
        ("feature1.regression", "feature1", ("mvp", "feature1")),
        ("feature1.test1", "feature1", ("mvp", "feature1")),
        ("feature2.test2", "feature2", ("mvp", "feature2")),
        ("feature2.test10", "feature2", ("mvp", "feature2")),
        ("mvp.test1", "mvp", ("mvp",)),
    ]
    assert [k.released.regression for k in adopted.plans] == [True, False, False, False, False]
    by_file = {asset.file: asset.audience for _, stage, _ in adopted.stages for asset in stage.assets}
    assert by_file == {
        "builder/logo.svg": (Audience.BUILDER,),
        "tests/cover.png": (Audience.SEEDER, Audience.GRADER),
        "seeder/seeding_instructions.txt": (Audience.SEEDER,),
    }
    assert adopted.plans[0].plan.files == ("tests/cover.png",)


def test_the_layout_in_order(tmp_path: Path) -> None:
    adopted = adopt(in_order(tmp_path))
    assert [name for name, _, _ in adopted.stages] == ["01-mvp", "02-feature_loans", "03-feature_fines"]
    assert adopted.stages[2][1].depends_on == ("feature_loans",)
    assert [(k.plan.id, k.released.part) for k in adopted.plans] == [
        ("test1_borrow", "final"),
        ("test2_fines", "final"),
    ]
    assert adopted.plans[0].plan.features == ("mvp", "feature_loans", "feature_fines")
    assert not adopted.anomalies or {a.code for a in adopted.anomalies} == {"other_tag"}


def test_what_was_released_is_written_byte_for_byte(tmp_path: Path) -> None:
    released = apart(tmp_path)
    out = write(adopt(released), tmp_path / "out")
    assert (out / "stages/01-mvp/prd.md").read_bytes() == (released / "prd/mvp.txt").read_bytes()
    assert (out / "released/tests/mvp/test1.txt").read_bytes() == PLAIN.encode()
    assert (out / "assets/tests/cover.png").read_bytes() == b"\x89PNG\xff"


def test_an_earlier_adoption_is_replaced_whole(tmp_path: Path) -> None:
    out = write(adopt(apart(tmp_path)), tmp_path / "out")
    (tmp_path / "shelves/tests/mvp/test1.txt").unlink()
    (tmp_path / "shelves/assets/logo.svg").unlink()
    write(adopt(tmp_path / "shelves"), out)
    assert not (out / "plans/mvp.test1.toml").exists() and not (out / "assets/builder").exists()
    assert lint(find_grow(str(out))) == []


def test_modifiers_of_every_mechanical_form(tmp_path: Path) -> None:
    read, anomalies = one(tmp_path, PLAIN)
    assert units(read) == [
        ("action", 'Open the site as <username> and search for "Dune".', True),
        ("check", 'The heading says "Results"', False),
        ("check", '"Dune" is listed', True),
        ("check", "One result is shown", False),
        ("action", "Hover over the cover.", False),
        ("action", 'Click "Borrow".', True),
        ("check", "A message appears", False),
        ("check", 'The button reads "Borrowed"', False),
        ("check", "Reload the page. Verify that the loan is still there.", True),
    ]
    commentary = "[Commentary: a table or cards will do [both are fine],\nover two lines]"
    assert read.steps[0].commentary == (commentary,)
    assert (read.full_points, [s.points for s in read.steps]) == (12, [5, 7])
    assert set(anomalies) == {"other_tag"}
    assert [u.number for u in read.steps[1].units if u.kind is UnitKind.CHECK] == [1, 2, 3]


BODIES = [
    ("- Click it\n- Type 5", [("action", "Click it", True), ("action", "Type 5", True)]),
    ("1. Click it\n2. (non-fatal) Wait", [("action", "Click it", True), ("action", "Wait", False)]),
    ("Verify:\n- a\n\n- b", [("check", "a", True), ("check", "b", True)]),
    (
        "1. Open\nVerify:\n  - a\n2. Close",
        [("action", "Open", True), ("check", "a", True), ("action", "Close", True)],
    ),
    (
        "Verify (non-fatal):\n- a\n- b\nClick it",
        [("check", "a", False), ("check", "b", False), ("action", "Click it", True)],
    ),
    ("Verify:\n- a very\n  long one\n- b", [("check", "a very long one", True), ("check", "b", True)]),
    ("Verify (non-fatal) that it shows.", [("check", "Verify that it shows.", False)]),
    ("Verify the following:\n* (Non-Fatal): a", [("check", "a", False)]),
    ("- a\n(non-fatal) Verify b", [("action", "a", True), ("check", "Verify b", False)]),
    ("Record it as `TS_1`.", [("action", "Record it as `TS_1`.", True)]),
    ("Verify:\n- a [Commentary: or b]\n- c", [("check", "a", True), ("check", "c", True)]),
    ("Verify:\n- a\n  - Commentary: or b\n- c", [("check", "a", True), ("check", "c", True)]),
    (
        "Go.\nCommentary for slow pages:\n- wait\n- wait more\nStop.",
        [("action", "Go.", True), ("action", "Stop.", True)],
    ),
    ("**Verify**:\n- a", [("check", "a", True)]),
    (
        "Save and verify:\n- a\n- b (non-fatal)",
        [("action", "Save", True), ("check", "a", True), ("check", "b", False)],
    ),
    (
        "In the last step, verify (non-fatal):\n- a",
        [("action", "In the last step", True), ("check", "a", False)],
    ),
    ("Verify: (non-fatal) it reads **OK**.", [("check", "Verify it reads **OK**.", False)]),
    (
        "Verify that a.\nAlso verify that b. (non-fatal)",
        [("check", "Verify that a.", True), ("check", "Also verify that b.", False)],
    ),
    ("Verify:\n- a; (non-fatal) b", [("check", "a;", True), ("check", "b", False)]),
    (
        "- Save → (non-fatal) verify a; (non-fatal) b",
        [("action", "Save →", True), ("check", "verify a;", False), ("check", "b", False)],
    ),
    ("Verify:\n- a (non-fatal) (see b)", [("check", "a (see b)", False)]),
    (
        "Verify:\n- one of:\n  - a\n  - b\n  (non-fatal)\n- c",
        [("check", "one of: a b", False), ("check", "c", True)],
    ),
    ("Verify:\n- shows:\n  - a\n  - (non-fatal) b", [("check", "shows: a", True), ("check", "b", False)]),
    ("- Fill in:\n  - Name: Ann\n- (non-fatal)", [("action", "Fill in: Name: Ann", True)]),
]


@pytest.mark.parametrize(("body", "expected"), BODIES, ids=[body for body, _ in BODIES])
def test_lines_become_units(tmp_path: Path, body: str, expected: list[tuple[str, str, bool]]) -> None:
    assert units(one(tmp_path, plan(step(body)))[0]) == expected


ODD = [
    (plan(step("Go.\nIf it fails, treat later steps as non-fatal.")), "fatality_in_prose", "changed"),
    (plan(step("Go. [Commentary: non-fatal if slow]\nVerify:\n- a")), "fatality_in_prose", "changed"),
    (plan(step("Verify:\n- a\n[Commentary: never closed")), "open_commentary", "changed"),
    (plan(step("Go.\nVerify:1")), "points_in_text", "changed"),
    (plan("<name>test_one</name>\nVerify:\n- a"), "missing_points", "changed none"),
    (plan(step("Verify:\n- a", points="five")), "missing_points", "changed 'five'"),
    (plan(step("Verify:\n- a"), full=""), "missing_full_points", "changed none"),
    (plan(step("Verify:\n- a", points="4")), "points_sum", "changed the steps have 4"),
    (plan(step("Verify:\n- a", name="testCamelCase")), "step_name", "note testCamelCase"),
    (plan(step("Verify:\n- a", name="")), "missing_name", "note none"),
    (
        plan(step("- a", points="2"), step("- b", points="3")),
        "duplicate_name",
        "note test_one",
    ),
    (plan(step("Click it.")), "no_verification", "note none"),
    (plan(step("<notes>mind this</notes>\nVerify:\n- a")), "other_tag", "note <notes>"),
    (plan(step("<skippable>true</skippable>\nVerify:\n- a")), "skippable", "changed line"),
    (plan(step("Verify:\n- a")).replace("</step>\n", "", 1), "unbalanced_tag", "changed <step>"),
    (plan(step("Verify:\n- a; (non-fatal) b")), "modifier_in_middle", "note a; (non-fatal) b"),
    (plan(step("Verify:\n- a")).replace("<steps>", "<steps>\nloose words"), "text_outside", "note loose"),
    (plan(step("Verify:\n- a")).replace("\n", "\r\n"), "line_ends", "note CRLF"),
    ("\ufeff" + plan(step("Verify:\n- a")), "byte_order_mark", "note begins"),
    (plan(), "no_steps", "lost no step"),
]


@pytest.mark.parametrize(("text", "code", "says"), ODD, ids=[f"{code} {says}" for _, code, says in ODD])
def test_each_oddity_is_an_anomaly_and_the_text_stays_whole(
    tmp_path: Path, text: str, code: str, says: str
) -> None:
    _, anomalies = one(tmp_path, text)
    assert anomalies[code].startswith(says), anomalies
    assert together(cut(text)) == text


def test_words_beside_the_steps_are_kept_with_the_plan(tmp_path: Path) -> None:
    text = plan(step("Verify:\n- a")).replace("</steps>", "</steps>\n<notes>\nCards will do.\n</notes>")
    adopted = adopt(apart(tmp_path, **{"tests__mvp__test1.txt": text}))
    assert adopted.plans[-1].plan.accepts == ("<notes>\nCards will do.\n</notes>",)
    told = adopted.plans[0].plan.accepts
    assert [text[:28] for text in told] == ["test_find_book: [Commentary:"]


def test_the_only_step_without_points_gets_what_the_others_leave(tmp_path: Path) -> None:
    full = "<full_points>55</full_points>\n"
    bare = "<name>test_bare</name>\nVerify:1"
    read, _ = one(tmp_path, plan(bare, step("- a", points="43"), full=full))
    assert [s.points for s in read.steps] == [12, 43]
    two, anomalies = one(tmp_path, plan(bare, bare, step("- a", points="43"), full=full))
    assert [s.points for s in two.steps] == [0, 0, 43]
    assert {"missing_points", "points_sum"} <= set(anomalies)


SEEDS = [
    ("", SeedKind.NONE, {}),
    ("N/A - nothing is needed", SeedKind.NONE, {}),
    ("Two readers, Ann and Bo.", SeedKind.RECORDS, {}),
    (
        'DICE_MOVES="1,2"\n- `BOARD={"a": 1}`',
        SeedKind.CONFIGURATION,
        {"DICE_MOVES": "1,2", "BOARD": '{"a": 1}'},
    ),
    ("Set these:\nexport MAX_LOANS=3", SeedKind.RECORDS, {"MAX_LOANS": "3"}),
    ('BOARD="[{\\"a\\":1}]"', SeedKind.CONFIGURATION, {"BOARD": '[{"a":1}]'}),
    ("- T0 = today's date (UTC)", SeedKind.RECORDS, {}),
]


@pytest.mark.parametrize(("prose", "kind", "environment"), SEEDS)
def test_seeds_are_prose_and_settings(
    tmp_path: Path, prose: str, kind: SeedKind, environment: dict[str, str]
) -> None:
    adopted = adopt(apart(tmp_path, **{"tests__mvp__test1.txt": plan(step("Verify:\n- a"), seed=prose)}))
    seed = adopted.plans[-1].plan.seed
    assert (seed.kind, seed.environment) == (kind, environment)
    given = ("tests/cover.png", "seeder/seeding_instructions.txt")
    assert sorted(seed.files) == ([] if kind is SeedKind.NONE else sorted(given))


def test_browser_sessions_are_users(tmp_path: Path) -> None:
    body = "In context_A, open it.\nIn context_B and context_A, wait.\nVerify:\n- context_B shows it"
    adopted = adopt(apart(tmp_path, **{"tests__mvp__test1.txt": plan(step(body))}))
    read = adopted.plans[-1].plan
    assert read.users == ("context_a", "context_b")
    assert [a.user for a in read.steps[0].actions] == ["context_a", ""]
    assert read.steps[0].checks[0].user == "context_b"


FILES = [
    ({"prd__base-prd.md": "old"}, "stray_file", "prd/base-prd.md"),
    ({"tests__feature9__test1.txt": PLAIN}, "unknown_part", "tests/feature9/test1.txt"),
    ({"test-assets__x.png": "x"}, "asset_folder", "test-assets/x.png"),
    ({"prd__mvp.txt": None, "tests__mvp__test1.txt": None}, "no_mvp", "prd"),
]


@pytest.mark.parametrize(("files", "code", "where"), FILES)
def test_files_that_are_odd_are_anomalies(
    tmp_path: Path, files: dict[str, str | None], code: str, where: str
) -> None:
    found = adopt(apart(tmp_path, **files)).anomalies
    assert [(a.where) for a in found if a.code == code] == [where]


def test_the_order_of_building_is_as_released_or_an_anomaly(tmp_path: Path) -> None:
    without = adopt(in_order(tmp_path / "a", **{"order.json": None}))
    assert [name for name, _, _ in without.stages] == ["01-mvp", "02-feature_fines", "03-feature_loans"]
    assert "no_order" in {a.code for a in without.anomalies}
    other = {"order": [{"prd_file": n, "phase_index": i} for i, n in enumerate(("mvp.txt", "gone.txt"))]}
    partly = adopt(in_order(tmp_path / "b", **{"order.json": json.dumps(other)}))
    assert [(a.code, a.severity) for a in partly.anomalies if "order" in a.where] == [
        ("unknown_prd", Severity.LOST),
        ("not_in_order", Severity.CHANGED),
        ("not_in_order", Severity.CHANGED),
    ]


REFUSED = [
    ({"prd__mvp.txt": b"\xff\xfe"}, "prd/mvp.txt: is not UTF-8 text"),
    ({"tests__mvp__test1.txt": b"\xff"}, "tests/mvp/test1.txt: is not UTF-8 text"),
    ({"tests__mvp__Test1.txt": PLAIN}, "two test plans are called mvp.test1"),
]


@pytest.mark.parametrize(("files", "says"), REFUSED)
def test_what_cannot_be_read_is_refused(tmp_path: Path, files: dict[str, str | bytes], says: str) -> None:
    with pytest.raises(BadInput, match=says):
        adopt(apart(tmp_path, **files))


def test_what_is_no_product_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such folder"):
        adopt(tmp_path / "nowhere")
    with pytest.raises(BadInput, match="holds no prd"):
        adopt(tmp_path)
    with pytest.raises(BadInput, match=r"order.json: must hold order"):
        adopt(in_order(tmp_path, **{"order.json": "[]"}))
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("mine")
    with pytest.raises(BadInput, match="holds something else"):
        write(adopt(apart(tmp_path / "b")), tmp_path / "full")
    with pytest.raises(BadInput, match="holds no adopted plans"):
        read_released(tmp_path)


TEXTS = st.lists(
    st.one_of(st.text(max_size=8), st.sampled_from([f"<{s}{t}>" for t in TAGS for s in ("", "/")])),
    max_size=30,
).map("".join)


@given(TEXTS)
def test_spans_give_any_text_again(text: str) -> None:
    assert together(cut(text)) == text


def verdicts(read: ReleasedPlan, *missed: str, undone: tuple[int, ...] = ()) -> list[StepVerdict]:
    """All passed, less the checks named by step and number, and the undone actions of the first step."""
    found = []
    for n, one_step in enumerate(read.steps):
        ids = [f"{one_step.name}.{u.number}" for u in one_step.units if u.kind is UnitKind.CHECK]
        checks = [verdict(i, i not in missed, "seen") for i in ids or [f"{one_step.name}.done"]]
        found.append(answered(one_step.name, *checks).model_copy(update={"undone": () if n else undone}))
    return found


SCORED = [
    ((), (), [5, 7], True),
    (("test_find_book.1",), (), [0, 7], True),
    (("test_find_book.2",), (), [0, 0], False),
    (("test_borrow_book.3",), (), [5, 0], True),
    ((), (1,), [0, 0], False),
]


@pytest.mark.parametrize(("missed", "undone", "earned", "reached"), SCORED)
def test_points_under_the_rules_of_v1(
    tmp_path: Path, missed: tuple[str, ...], undone: tuple[int, ...], earned: list[int], reached: bool
) -> None:
    read, _ = one(tmp_path, PLAIN)
    scores = v1_step_scores(read, verdicts(read, *missed, undone=undone))
    assert ([s.earned for s in scores], scores[1].reached) == (earned, reached)


def test_what_failed_is_named_and_unanswered_steps_are_refused(tmp_path: Path) -> None:
    read, _ = one(tmp_path, PLAIN)
    scores = v1_step_scores(read, verdicts(read, "test_find_book.1", undone=(1,)))
    assert scores[0].failed == ("action 1", "check 1")
    with pytest.raises(ValueError, match="step test_borrow_book has no verdict"):
        v1_step_scores(read, verdicts(read)[:1])
    with pytest.raises(ValueError, match=r"check test_find_book\.1 has no verdict"):
        v1_step_scores(read, [answered("test_find_book"), *verdicts(read)[1:]])


def test_a_step_without_verifications_fails_when_its_actions_could_not_be_done(tmp_path: Path) -> None:
    read, _ = one(tmp_path, plan(step("Click it.", points="2"), step("- b", name="test_two", points="3")))
    assert [s.earned for s in v1_step_scores(read, verdicts(read))] == [2, 3]
    failed = answered("test_one", verdict("test_one.done", False, "seen"))
    assert [s.earned for s in v1_step_scores(read, [failed, *verdicts(read)[1:]])] == [0, 0]


def test_parts_are_scored_apart_and_failed_seeding_fails(tmp_path: Path) -> None:
    out = write(adopt(apart(tmp_path)), tmp_path / "out")
    plans = read_released(out)
    good, part, blocked, lost, missing = plans
    held = {
        good.plan: ("passed", verdicts(good)),
        part.plan: ("failed", verdicts(part, "test_borrow_book.1")),
        blocked.plan: ("blocked", None),
        lost.plan: ("unjudged", None),
    }
    findings = [
        all_found([outcome])[0].model_copy(
            update={
                "plan": name,
                "grades": (grade(True).model_copy(update={"steps": tuple(told)}),) if told else (),
            }
        )
        for name, (outcome, told) in held.items()
    ]
    score = v1_score(plans, findings)
    assert [(p.plan, p.earned, p.points) for p in score.plans] == [
        (good.plan, 12, 12),
        (part.plan, 5, 12),
        (blocked.plan, 0, 12),
    ]
    assert [(p.part, p.plans, p.passed, p.score) for p in score.parts] == [
        ("feature1", 2, False, pytest.approx((1 + 5 / 12) / 2)),
        ("feature2", 1, False, 0.0),
    ]
    assert score.unjudged == (lost.plan, missing.plan)
    assert (score.pass_1, score.score) == (0.0, pytest.approx((1 + 5 / 12) / 4))
    assert v1_score(plans, []).score is None
    assert findings[3].outcome is Outcome.UNJUDGED


def test_the_profile_is_declared_in_the_folder(tmp_path: Path) -> None:
    out = write(adopt(apart(tmp_path)), tmp_path / "out")
    held = json.loads((out / "adopted.json").read_text())
    assert V1Rules.model_validate(held["rules"]) == V1Rules()
    assert set(held["files"]) >= {"prd/mvp.txt", "tests/mvp/test1.txt", "assets/logo.svg"}
    assert all(len(digest) == 64 for digest in held["files"].values())
