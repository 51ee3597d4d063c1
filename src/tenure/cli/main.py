"""The ``tenure`` command: verbs are loaded when they are asked for."""

import importlib
import sys
from typing import NoReturn

import click

from tenure import __version__

_VERBS = {
    "run": "Run a suite's tasks with a model.",
    "prove": "Prove that tasks' checks are right.",
    "open": "Keep a task's world up for a person or an outside agent.",
    "grade": "Grade a stored end state again.",
    "report": "Write the report of one or more run folders.",
    "list": "List the tasks that ship.",
    "audit": "Show how reliable a suite's grader is.",
    "export": "Write a task in another harness's format.",
    "adopt": "Turn a released task into a task folder of ours.",
    "apps": "List, install, open and examine real apps.",
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


def main(argv: list[str] | None = None) -> NoReturn:
    """Run the command and exit; errors meant for people are one line on stderr."""
    try:
        # Not click's standalone mode, which prints usage errors over four lines and swallows Ctrl-C.
        words = (sys.argv[1:] if argv is None else argv) or ["--help"]
        status = cli.main(args=words, prog_name="tenure", standalone_mode=False)
    except click.ClickException as error:
        verb = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "tenure"
        _complain(f"{error.format_message()} See {verb} --help.")
        status = error.exit_code
    except (KeyboardInterrupt, click.Abort):
        _complain("stopped; what is finished is kept")
        status = INTERRUPTED
    except Exception as error:
        from tenure.schema import TenureError  # Late: --help needs none of the shapes.

        if not isinstance(error, TenureError):
            raise
        _complain(str(error))
        status = error.exit_status
    sys.exit(status)


def _complain(text: str) -> None:
    # Errors quote names and files of others: no byte of theirs may steer the terminal.
    plain = "".join(c if c.isprintable() else " " for c in text)
    print(f"tenure: {' '.join(plain.split())}", file=sys.stderr)


if __name__ == "__main__":
    main()
