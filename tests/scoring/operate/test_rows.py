import json

import pytest

from support.operated import attempt, card, found, row, task
from tenure.schema import BadInput, Outcome, Suite, Usage
from tenure.schema.operate import OperateDomain, Track
from tenure.scoring.operate import VISION, expected_resolved, score_rows, stages

TASKS = ("operate/invoice", "operate/poster", "operate/ticket")


def checks(*outcomes):
    """Checks of weight 1, 2, 3, …"""
    return [found(f"c{n}", outcome, n) for n, outcome in enumerate(outcomes, 1)]


def invoice(*outcomes, **more):
    """Two apps, business, text."""
    findings = checks(*outcomes)
    return card(findings, task(findings), **more)


def poster(*outcomes, **more):
    """One app, media, multimodal."""
    findings = checks(*outcomes)
    return card(findings, task(findings, "poster", "media", ("wiki",), track="multimodal"), **more)


def ticket(*outcomes, **more):
    """Four apps, software, text."""
    findings = checks(*outcomes)
    return card(findings, task(findings, "ticket", "software", ("a", "b", "c", "d")), **more)


def three_tasks(**of):
    mine = row(TASKS, seeds=(1, 2), **of)
    return mine, [
        attempt(mine, invoice("passed", "passed", "failed"), 1),  # 3/6
        attempt(mine, invoice("failed", "passed", "passed"), 2),  # 5/6
        attempt(mine, poster("failed", "failed"), 1),  # 0
        attempt(mine, poster("passed", "passed"), 2),  # 1, resolved
        attempt(mine, ticket("passed", "unjudged"), 1),  # 1/3
        attempt(mine, None, 2, "operate/ticket"),  # our fault: 0
    ]


def test_global_scores_are_means_over_all_planned_tasks():
    _, records = three_tasks()
    (score,) = score_rows(records)
    # invoice (1/2 + 5/6)/2 = 2/3; poster 1/2; ticket (1/3 + 0)/2 = 1/6
    assert score.checkpoint == pytest.approx(100 * (2 / 3 + 1 / 2 + 1 / 6) / 3)
    assert score.resolved == pytest.approx((0 + 1 / 2 + 0) / 3)
    assert (score.planned, score.rank, score.text_only) == (6, 1, False)
    assert score.counts == {
        **dict.fromkeys(Outcome, 0),
        Outcome.FAILED: 3,
        Outcome.PASSED: 1,
        Outcome.UNJUDGED: 1,
        Outcome.ERROR: 1,
    }


def test_the_variants_at_k_are_apart():
    _, records = three_tasks()
    (score,) = score_rows(records)
    assert score.checkpoint_at == {
        1: pytest.approx(100 * (1 / 2 + 0 + 1 / 3) / 3),
        2: pytest.approx(100 * (5 / 6 + 1 + 1 / 3) / 3),
    }
    assert score.resolved_at_first == {1: 0, 2: pytest.approx(1 / 3)}
    assert score.resolved_at_unbiased == {1: pytest.approx(1 / 6), 2: pytest.approx(1 / 3)}


def test_the_union_counts_what_any_attempt_earned():
    _, records = three_tasks()
    (score,) = score_rows(records)
    assert score.union == pytest.approx(100 * (1 + 1 + 1 / 3) / 3)


def test_tables_by_track_domain_and_number_of_apps():
    _, records = three_tasks()
    (score,) = score_rows(records)
    text = score.tracks[Track.TEXT]
    assert (text.tasks, text.checkpoint, text.resolved) == (2, pytest.approx(100 * (2 / 3 + 1 / 6) / 2), 0)
    assert (score.tracks[Track.MULTIMODAL].checkpoint, score.tracks[Track.MULTIMODAL].resolved) == (50, 0.5)
    assert list(score.domains) == [OperateDomain.BUSINESS, OperateDomain.MEDIA, OperateDomain.SOFTWARE]
    assert score.domains[OperateDomain.SOFTWARE].checkpoint == pytest.approx(100 / 6)
    assert {n: (g.tasks, g.checkpoint) for n, g in score.apps.items()} == {
        "1": (1, 50),
        "2": (1, pytest.approx(200 / 3)),
        "≥3": (1, pytest.approx(100 / 6)),
    }


def test_early_and_late_are_halves_and_the_middle_is_neither():
    cards = [
        invoice("passed", "failed", "passed", "failed", "failed"),
        ticket("passed", "failed"),
        poster("passed"),
    ]
    early, late = stages(cards)
    assert (early.checks, early.passed, early.rate) == (3, 2, pytest.approx(2 / 3))
    assert (late.checks, late.passed, late.rate) == (3, 0, 0)
    assert stages([poster("passed")])[0].rate is None


def test_the_expected_resolve_rate_is_p_to_the_n():
    assert expected_resolved(0.95, [12]) == pytest.approx(0.5404, abs=1e-4)  # seed 002 says 0.54
    _, records = three_tasks()
    (score,) = score_rows(records)
    p = 7 / 12  # 2 + 2 + 0 + 2 + 1 of 3 + 3 + 2 + 2 + 2 checks
    assert score.check_rate == pytest.approx(p)
    assert score.expected_resolved == pytest.approx((p**3 + p**2 + p**2) / 3)


def test_the_expected_resolve_rate_is_over_the_tasks_that_this_row_graded():
    names = ("operate/invoice", "operate/ticket")
    mine, other = row(names), row(names, model="other")
    ungraded = [attempt(mine, None, task="operate/ticket"), attempt(other, ticket("passed"))]
    ungraded.append(attempt(other, invoice("passed", "passed", "passed")))
    scores = score_rows([attempt(mine, invoice("passed", "failed")), *ungraded])
    score = next(s for s in scores if s.row == mine)
    assert (score.check_rate, score.expected_resolved) == (1 / 2, 1 / 4)


def test_unjudged_and_error_checks_are_shown_apart():
    mine = row(("operate/invoice",), seeds=(1, 2))
    records = [
        attempt(mine, invoice("passed", "error", "failed"), 1),
        attempt(mine, invoice("passed", "passed", "unjudged"), 2),
    ]
    (score,) = score_rows(records)
    assert score.checkpoint == pytest.approx(100 * (1 / 6 + 3 / 6) / 2)
    assert (score.unjudged_weight, score.error_weight) == (pytest.approx(3 / 12), pytest.approx(2 / 12))
    assert score.check_counts[Outcome.ERROR] == 1 and sum(score.check_counts.values()) == 6


def test_calibration_sets_claims_against_the_truth():
    mine = row(("operate/invoice",), seeds=(1, 2, 3, 4))
    records = [
        attempt(mine, invoice("passed", claimed=True), 1),
        attempt(mine, invoice("failed", "passed", claimed=True), 2),
        attempt(mine, invoice("failed", "failed", claimed=False), 3),
        attempt(mine, invoice("failed"), 4),
    ]
    (score,) = score_rows(records)
    table = {(c.claimed, c.resolved): (c.attempts, c.checkpoint) for c in score.calibration}
    assert table == {
        (True, True): (1, 100),
        (True, False): (1, pytest.approx(200 / 3)),
        (False, True): (0, None),
        (False, False): (1, 0),
        (None, True): (0, None),
        (None, False): (1, 0),
    }


def test_a_text_only_model_has_no_global_score_and_text_tasks_alone():
    mine, records = three_tasks(settings=json.dumps({VISION: False}))
    (score,) = score_rows([r for r in records if r.task != "operate/poster"])
    assert score.text_only and score.checkpoint is None and score.rank is None
    assert score.resolved == 0 and set(score.tracks) == {Track.TEXT}
    assert score.tracks[Track.TEXT].checkpoint == pytest.approx(100 * (2 / 3 + 1 / 6) / 2)
    _, seeing = three_tasks(model="other")
    blind = next(s for s in score_rows([*records, *seeing]) if s.row == mine)
    assert Track.MULTIMODAL not in blind.tracks and OperateDomain.MEDIA not in blind.domains
    assert blind.resolved == 0


def test_what_is_over_all_tasks_is_no_score_of_a_text_only_model():
    mine = row(("operate/invoice", "operate/ticket"), seeds=(1, 2), settings=json.dumps({VISION: False}))
    records = [
        attempt(mine, invoice("failed", "passed"), 1),
        attempt(mine, invoice("passed", "passed"), 2),
        attempt(mine, ticket("passed"), 1),
        attempt(mine, ticket("passed"), 2),
    ]
    (score,) = score_rows(records)
    assert (score.checkpoint, score.union, score.checkpoint_at) == (None, None, {})
    assert score.resolved == 3 / 4
    assert score.resolved_at_first == {1: 1 / 2, 2: 1}
    assert score.resolved_at_unbiased == {1: 3 / 4, 2: 1}


def test_a_task_that_was_never_graded_counts_0_and_is_named():
    mine, records = three_tasks()
    (score,) = score_rows(records[:4])
    assert score.unknown == ("operate/ticket",)
    assert score.checkpoint == pytest.approx(100 * (2 / 3 + 1 / 2) / 3)
    assert score.counts[Outcome.NOT_RUN] == 2
    _, all_of = three_tasks(model="other")
    known = next(s for s in score_rows([*records[:4], *all_of]) if s.row == mine)
    assert known.unknown == () and known.domains[OperateDomain.SOFTWARE].checkpoint == 0


def test_a_row_of_errors_alone_measured_nothing():
    (score,) = score_rows([attempt(row(), None)])
    assert (score.checkpoint, score.resolved, score.union, score.check_rate) == (None,) * 4
    assert score.checkpoint_at == {} and score.tracks == {} and score.rank is None
    (planned,) = score_rows([], planned={row(): {"operate/invoice": 3}})
    assert planned.counts[Outcome.NOT_RUN] == 3


def test_rows_are_ranked_by_the_global_score():
    one, other = row(model="a"), row(model="b")
    scores = score_rows(
        [attempt(one, invoice("failed", "passed")), attempt(other, invoice("passed", "passed"))]
    )
    assert [(s.row.model, s.rank) for s in scores] == [("b", 1), ("a", 2)]


def test_medians_and_strangers():
    mine = row()
    usage = Usage(steps=175, input_tokens=10, output_tokens=5, seconds=120, cost=1.5)
    record = attempt(mine, invoice("passed"), usage=usage)
    (score,) = score_rows([record])
    assert (score.median_steps, score.median_minutes, score.median_cost) == (175, 2, 1.5)
    with pytest.raises(BadInput, match="operate scores operate attempts only"):
        score_rows([record.model_copy(update={"suite": Suite.CARRY})])


@pytest.mark.parametrize("settings", ["not JSON", "[]", "null"])
def test_settings_that_are_no_record_say_nothing_about_pictures(settings: str) -> None:
    (score,) = score_rows([attempt(row(settings=settings), card([found("a")]))])
    assert not score.text_only and score.checkpoint == 100
