import io
from collections.abc import Sequence

from rich.console import Console

from support import grow, operated
from tenure.cli.boards import boards
from tenure.schema import AttemptRecord, Usage
from tenure.scoring.suites import score_suites


def printed(records: Sequence[AttemptRecord]) -> str:
    out = Console(width=110, file=io.StringIO())
    out.print(boards(score_suites(records)))
    text = out.file.getvalue()
    assert max(len(line) for line in text.splitlines()) <= 110
    return "\n".join(" ".join(line.split()) for line in text.splitlines())


def test_grow_shows_both_scores_with_their_intervals_and_what_a_build_takes() -> None:
    row, none = grow.row(), grow.row(model="tenure/oracle", ranks=False)
    cards = [grow.card(grow.all_found(outcomes)) for outcomes in (["passed"] * 4, ["passed", "failed"])]
    made = [
        grow.attempt(row, n, cards[n > 2], usage=Usage(steps=100 + n, seconds=60.0 * n, cost=2.0 * n))
        for n in range(1, 5)
    ]
    text = printed([*made, grow.attempt(none, 1, cards[0])])
    assert "# model agent pass@1 interval plans interval steps minutes cost" in text
    assert "1 m loop 50.0 6.8–93.2 75.0 19.4–99.4 102.5 2.50 $5.00" in text
    assert "m 2/4: 2 passed, 2 failed, 0 blocked, 0 error, 0 unjudged, 0 not run" in text
    assert "– tenure/oracle † loop 25.0" in text and "† does not rank" in text


def test_operate_shows_a_dash_for_what_a_text_only_model_has_no_score_of() -> None:
    found = [operated.found("a"), operated.found("b", "failed", 3.0)]
    whole = printed([operated.attempt(operated.row(), operated.card(found))])
    assert "# model agent checkpoint resolved text multimodal union steps minutes cost" in whole
    assert "1 m loop 25.0 0.0 25.0 — 25.0" in whole
    blind = operated.row(settings='{"vision": false}')
    assert "m loop — 0.0 25.0 — " in printed([operated.attempt(blind, operated.card(found))])


def test_suites_stand_one_below_the_other() -> None:
    text = printed(
        [
            grow.attempt(grow.row(), 1, grow.card(grow.all_found(["passed"]))),
            operated.attempt(operated.row(), operated.card([operated.found("a")])),
        ]
    )
    assert text.index("Operate") < text.index("Grow")
