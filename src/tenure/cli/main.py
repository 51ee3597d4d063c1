"""The ``tenure`` command: verbs are loaded when they are asked for."""

import importlib
import sys
from typing import Any

import click

from tenure import __version__
from tenure.schema.errors import TenureError

_VERBS = {
    "run": "Run a suite's tasks with a model.",
    "prove": "Prove that tasks' checks are right.",
    "open": "Keep a task's world up for a person or an outside agent.",
    "grade": "Grade a stored end state again.",
    "report": "Write the report of one or more run folders.",
    "list": "List the tasks that ship.",
}
INTERRUPTED = 130


class _Verbs(click.Group):
    """A group whose commands live in ``tenure.cli.<verb>`` and are imported on use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_VERBS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in _VERBS:
            return None
        command: click.Command = importlib.import_module(f"tenure.cli.{name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Verbs"):
            formatter.write_dl(list(_VERBS.items()))


@click.group(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="tenure")
def cli() -> None:
    """Can this agent hold the job?

    \b
    Examples:
      tenure run carry --model tenure/oracle          no key, no network
      tenure run carry --model anthropic/claude-…     three attempts of every task
      tenure open carry/renewal -- python my_agent.py an outside agent in a closed network
      tenure report runs                              a site that opens from disk
    """


def main(argv: list[str] | None = None) -> Any:
    """Run the command; errors meant for people are one line on stderr."""
    try:
        return cli.main(args=argv, prog_name="tenure")
    except TenureError as error:
        print(f"tenure: {' '.join(str(error).split())}", file=sys.stderr)
        sys.exit(error.exit_status)
    except KeyboardInterrupt:
        print("tenure: stopped; the same command goes on from here", file=sys.stderr)
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        sys.exit(1)


if __name__ == "__main__":
    main()
