"""``tenure open``: a task's world for a person, or for an outside agent in a closed network."""

import shlex
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console

    from tenure.cli.opened import Opened


@click.command("open", short_help="Keep a task's world up for a person or an outside agent.")
@click.argument("task")
@click.argument("command_words", nargs=-1, metavar="[-- CMD...]")
@click.option("--seed", type=int, help="The world's seed; the release's first by default.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="Port on 127.0.0.1; a free one by default."
)
@click.option("--name", help="What to call the agent in reports; the command's name by default.")
@click.option(
    "--runs", type=click.Path(file_okay=False, path_type=Path), default=Path("runs"), show_default=True
)
@click.option("--screen", is_flag=True, help="Show the products' screens in a browser window, signed in.")
@click.option("--json", "as_json", is_flag=True, help="Print how to reach the world, or the end, as JSON.")
def command(
    task: str,
    command_words: tuple[str, ...],
    seed: int | None,
    port: int,
    name: str | None,
    runs: Path,
    screen: bool,
    as_json: bool,
) -> None:
    """Open TASK's world, until Ctrl-C; or run CMD against it and freeze what it leaves.

    CMD runs in a network of its own in which the products' real hostnames lead to this world, the
    certificates are trusted and nothing else can be reached. It finds the request in
    $TENURE_INSTRUCTION (a file) and the persona's tokens in $TENURE_TOKENS (JSON: host → headers).
    With --screen a person works in a browser window that knows nothing but the products; closing it
    freezes the world. Grade what is left with the command that is printed at the end; outside agents
    and people never rank.

    \b
    Examples:
      tenure open carry/renewal
      tenure open carry/renewal --screen
      tenure open carry/renewal --seed 23 -- python my_agent.py
    """
    from tenure.cli.opened import open_task
    from tenure.schema import BadInput

    if screen and command_words:
        raise click.UsageError("--screen shows a person the world; a command gets it without")
    agent = name or (Path(command_words[0]).name if command_words else "person")
    opened = open_task(task, seed, runs, agent, screen=screen)
    try:
        if screen:
            _show(opened, as_json)
        elif command_words:
            _run(opened, command_words, as_json)
        else:
            _keep(opened, port, as_json)
    except BadInput:
        opened.discard()
        raise


def _run(opened: "Opened", words: tuple[str, ...], as_json: bool) -> None:
    """Run an outside command and freeze what it leaves; the command's exit status is ours."""
    from tenure.cli.console import notes, print_json
    from tenure.cli.opened import hidden, tokens_json
    from tenure.world.namespace import run_in_namespace

    with tempfile.TemporaryDirectory(prefix="tenure-request-") as given:
        request = Path(given) / "instruction.md"
        request.write_text(opened.instruction, "utf-8")
        status = run_in_namespace(
            words,
            opened.spec,
            env={"TENURE_INSTRUCTION": str(request), "TENURE_TOKENS": tokens_json(opened)},
            hide=hidden(opened),
            end_state=opened.end_state,
            horizon_ms=opened.horizon_ms,
        )
    opened.describe(sandbox="namespace")
    if as_json:
        print_json({"status": status, "end_state": str(opened.end_state)})
    else:
        notes().print(f"{words[0]} ended with status {status}")
        notes().print(f"grade it with: tenure grade {shlex.quote(str(opened.end_state))}")
    sys.exit(status)


def _show(opened: "Opened", as_json: bool) -> None:
    """Show a person the screens, and freeze what is left when the window is closed."""
    import asyncio

    from tenure.cli.console import notes, print_json
    from tenure.cli.opened import hidden
    from tenure.engine.screen.person import sit_down

    say = notes()
    say.print(opened.instruction, markup=False)
    say.print("\nClose the window, or press Ctrl-C here, when the job is done.")
    work = sit_down(
        opened.spec, opened.screens, opened.end_state, horizon_ms=opened.horizon_ms, hide=hidden(opened)
    )
    asyncio.run(work)
    opened.describe(sandbox="namespace")
    if as_json:
        print_json({"end_state": str(opened.end_state)})
    say.print(f"grade it with: tenure grade {shlex.quote(str(opened.end_state))}", markup=False)


def _keep(opened: "Opened", port: int, as_json: bool) -> None:
    """Serve the world until it is interrupted, then freeze it."""
    import signal

    from tenure.cli.console import notes, print_json
    from tenure.world.server import WorldServer
    from tenure.world.tls import authority

    say = notes()
    with WorldServer(opened.spec, port=port) as server:
        how: dict[str, Any] = {
            "port": server.port,
            "hosts": sorted(opened.headers),
            "ca": str(authority().ca_pem),
            "headers": opened.headers,
            "instruction": opened.instruction,
        }
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        with suppress(KeyboardInterrupt):
            if as_json:
                print_json(how)
                sys.stdout.flush()
            else:
                _explain(how, opened.host, say)
            signal.pause()
        server.stop(end_state=opened.end_state, horizon_ms=opened.horizon_ms)
    opened.describe(sandbox="none")
    say.print(f"grade it with: tenure grade {shlex.quote(str(opened.end_state))}", markup=False)


def _explain(how: dict[str, Any], host: str, say: "Console") -> None:
    """Tell a person how to reach the world, with one host as the example."""
    port, hosts = how["port"], how["hosts"]
    lines = [
        how["instruction"],
        "",
        f"The world is up on 127.0.0.1:{port} for {', '.join(hosts)}.",
        f"  curl --cacert {how['ca']} --connect-to ::127.0.0.1:{port} \\",
        *(f"    -H '{header}: {value}' \\" for header, value in how["headers"][host].items()),
        f"    https://{host}/…",
        "Ctrl-C freezes it.",
    ]
    for line in lines:
        say.print(line, markup=False)
