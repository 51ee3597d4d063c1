"""``tenure grade``: grade stored end states again."""

from pathlib import Path

import click


@click.command("grade", short_help="Grade a stored end state again.")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--task", "task_name", help="The task, when the file does not say it.")
@click.option("--judge", "judges", multiple=True, help="Ask judges anew instead of using stored verdicts.")
@click.option("--json", "as_json", is_flag=True, help="Print the scorecards as JSON.")
def command(path: Path, task_name: str | None, judges: tuple[str, ...], as_json: bool) -> None:
    """Grade the end state at PATH, or every one below a folder.

    Stored verdicts of judged checks are used again; --judge asks anew. Where the attempt has a
    record, says whether the grade is the same as then.

    \b
    Examples:
      tenure grade runs/carry-tenure-oracle-api-…/attempts/carry-renewal-1/end.tenure
      tenure grade runs --json
    """
    from tenure.cli.console import console, findings, print_json
    from tenure.cli.regrade import regrade
    from tenure.cli.states import states_at

    out = console()
    cards = []
    for state in states_at(path):
        again = regrade(state, task_name, judges)
        cards.append(
            {"end_state": str(state), "same": again.same, "scorecard": again.card.model_dump(mode="json")}
        )
        if as_json:
            continue
        out.print(findings(again.card))
        for stray in again.card.strays:
            out.print(f"  outside the footprint: {stray}", markup=False, soft_wrap=True)
        clean = "" if again.card.clean_pass == again.card.passed else " (not clean: see above)"
        out.print(f"{state}: {again.card.outcome}{clean} {again.card.reason}", markup=False, soft_wrap=True)
        if again.same is not None:
            out.print(
                "the same as the stored grade" if again.same else "[red]differs from the stored grade[/]"
            )
        elif again.recorded:
            out.print(f"recorded in {again.recorded}", markup=False, soft_wrap=True)
    if as_json:
        print_json(cards)
