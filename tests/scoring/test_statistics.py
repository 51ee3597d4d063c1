import subprocess
import sys
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenure.scoring import clopper_pearson, interval, pass_at_k, pass_hat_k
from tenure.scoring.statistics import mean_of_means

# Builds passed of 4 per public product, and the public total: paper 001, Table 5.
SPREAD = [
    ("GPT-6.1 Sol", (2, 4, 2, 0, 0, 1, 4, 4), 53.1, 12.4),
    ("GPT-6 Astra", (4, 4, 1, 0, 1, 1, 3, 3), 53.1, 14.4),
    ("Opus 5.5", (0, 2, 2, 0, 2, 0, 4, 2), 37.5, 14.9),
]
EXACT = [
    ("Sonnet 5.5", (1, 0, 1, 0, 0, 0, 1, 1), 12.5, 3.5, 29.0),
    ("Grok 4.7", (0, 0, 0, 0, 0, 0, 1, 0), 3.1, 0.1, 16.2),
    ("DeepSeek V4.1 Flash", (0, 0, 0, 0, 0, 0, 0, 0), 0.0, 0.0, 10.9),
]


def builds(passes: tuple[int, ...], of: int = 4) -> list[list[float]]:
    return [[1.0] * p + [0.0] * (of - p) for p in passes]


def percent(share: float) -> float:
    """Rounded as the paper prints: halves up, where Python would round 53.125 to even by luck."""
    return int(share * 1000 + 0.5) / 10


@pytest.mark.parametrize(("model", "passes", "mean", "half"), SPREAD)
def test_interval_from_the_spread_within_products(model, passes, mean, half):
    found = interval(builds(passes))
    assert percent(mean_of_means(builds(passes))) == mean
    assert percent(found.half) == half
    assert not found.exact


@pytest.mark.parametrize(("model", "passes", "mean", "low", "high"), EXACT)
def test_exact_range_where_the_spread_would_reach_an_edge(model, passes, mean, low, high):
    found = interval(builds(passes))
    assert percent(mean_of_means(builds(passes))) == mean
    assert (percent(found.low), percent(found.high)) == (low, high)
    assert found.exact


def test_exact_range_near_one_hundred_mirrors_the_one_near_zero():
    low = interval(builds((0, 0, 1)))
    high = interval(builds((4, 4, 3)))
    assert high.exact
    assert (high.low, high.high) == pytest.approx((1 - low.high, 1 - low.low))


def test_one_attempt_per_task_has_no_spread_and_gets_the_exact_range():
    assert interval([[1.0], [0.0], [1.0], [0.0]]) == clopper_pearson(2, 4)


def test_one_lone_score_among_pairs_leaves_the_spread_unknown():
    assert interval([[1.0, 0.0], [1.0]]).exact


@pytest.mark.parametrize("groups", [[], [[]], [[1.0], []]])
def test_nothing_measured_has_no_interval(groups):
    with pytest.raises(ValueError, match="at least one score"):
        interval(groups)


@given(st.lists(st.lists(st.sampled_from([0.0, 1.0]), min_size=1, max_size=5), min_size=1, max_size=6))
def test_interval_holds_its_mean_and_stays_within_bounds(groups):
    found = interval(groups)
    assert 0 <= found.low <= found.high <= 1
    assert found.low - 1e-9 <= mean_of_means(groups) <= found.high + 1e-9


@pytest.mark.parametrize(("successes", "trials"), [(-1, 3), (4, 3), (0, 0)])
def test_clopper_pearson_refuses_what_is_no_share(successes, trials):
    with pytest.raises(ValueError, match="is no share"):
        clopper_pearson(successes, trials)


@given(st.integers(1, 6).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))))
def test_estimators_equal_the_average_over_all_subsets(sample):
    n, c, k = sample
    results = [True] * c + [False] * (n - c)
    subsets = list(combinations(results, k))
    assert pass_at_k(n, c, k) == pytest.approx(sum(map(any, subsets)) / len(subsets))
    assert pass_hat_k(n, c, k) == pytest.approx(sum(map(all, subsets)) / len(subsets))


@pytest.mark.parametrize("estimator", [pass_at_k, pass_hat_k])
@pytest.mark.parametrize("sample", [(3, 1, 4), (3, 1, 0), (3, 4, 1), (0, 0, 0)])
def test_estimators_refuse_more_than_was_tried(estimator, sample):
    with pytest.raises(ValueError, match="is no sample"):
        estimator(*sample)


def test_importing_the_room_does_not_load_scipy():
    code = "import sys, tenure.scoring; print('scipy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
