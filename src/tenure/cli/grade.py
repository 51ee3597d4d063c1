"""``tenure grade``: grade stored end states again."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.table import Table

    from tenure.schema import BuildScorecard
    from tenure.schema.operate import OperateScorecard
    from tenure.schema.verdict import GrowScorecard


@click.command("grade", short_help="Grade a stored end state again.")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--task", "task_name", help="The task, when the file does not say it.")
@click.option("--judge", "judges", multiple=True, help="Ask judges anew instead of using stored verdicts.")
@click.option("--json", "as_json", is_flag=True, help="Print the scorecards as JSON.")
def command(path: Path, task_name: str | None, judges: tuple[str, ...], as_json: bool) -> None:
    """Grade the end state at PATH, or every one below a folder.

    Stored verdicts of judged checks are used again; --judge asks anew. A build is scored again from
    what its nodes found, a grow product from what its graders claimed and their browsers showed, an
    attempt at real apps from what these answered: the machines are gone. Where the attempt has a record,
    says whether the grade is the same as then.

    \b
    Examples:
      tenure grade runs/carry-tenure-oracle-api-…/attempts/carry-renewal-1/end.tenure
      tenure grade runs --json
    """
    from tenure.cli.console import console, findings, plain, print_json
    from tenure.cli.regrade import regrade, rescore
    from tenure.cli.states import states_at
    from tenure.engine.plan import GRADED, LEFT

    out = console()
    cards = []
    for state in states_at(path):
        if state.name in (GRADED, LEFT):
            scored = rescore(state, task_name, judges)
            document = scored.card.model_dump(mode="json")
            cards.append({"end_state": str(state), "same": scored.same, "scorecard": document})
            if not as_json:
                table, score = _scored(scored.card)
                out.print(table)
                line = f"{state}: {scored.card.outcome}, {score} {scored.card.reason}"
                out.print(plain(line, None), soft_wrap=True)
                out.print(_sameness(scored.same))
            continue
        again = regrade(state, task_name, judges)
        cards.append(
            {"end_state": str(state), "same": again.same, "scorecard": again.card.model_dump(mode="json")}
        )
        if as_json:
            continue
        out.print(findings(again.card))
        for stray in again.card.strays:
            out.print(f"  outside the footprint: {plain(str(stray), None)}", soft_wrap=True)
        clean = "" if again.card.clean_pass == again.card.passed else " (not clean: see above)"
        line = f"{state}: {again.card.outcome}{clean} {again.card.reason}"
        out.print(plain(line, None), soft_wrap=True)
        if again.same is not None:
            out.print(_sameness(again.same))
        elif again.recorded:
            out.print(f"recorded in {again.recorded}", markup=False, soft_wrap=True)
    if as_json:
        print_json(cards)


def _scored(card: "BuildScorecard | GrowScorecard | OperateScorecard") -> tuple["Table", str]:
    """What was found as a table, and the score in words."""
    from tenure.cli.console import findings, nodes, percent, plans, points
    from tenure.schema import BuildScorecard
    from tenure.schema.operate import OperateScorecard

    if isinstance(card, OperateScorecard):
        return findings(card), f"checkpoint score {percent(card.checkpoint)}"
    if isinstance(card, BuildScorecard):
        return nodes(card), f"score {points(card.score)}"
    score = f"{percent(card.plan_pass_rate)} % of plans passed"
    if card.v1 is not None:
        score += f"; by ViBench 1.0's rules pass@1 {percent(card.v1.pass_1)}, score {percent(card.v1.score)}"
    return plans(card), score


def _sameness(same: bool | None) -> str:
    if same is None:
        return "there is no stored grade to compare with"
    return "the same as the stored grade" if same else "[red]differs from the stored grade[/]"
