"""``tenure apps``: real SaaS, installed once and run from snapshots."""

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from tenure.apps import Installed, Recipe


@click.group("apps", short_help="List, install, open and examine real apps.")
def command() -> None:
    """List, install, open and examine the real apps that operate tasks use."""


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def list_apps(as_json: bool) -> None:
    """List the apps that there are recipes for, and whether each is installed.

    \b
    Examples:
      tenure apps list
    """
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from tenure.apps import recipes
    from tenure.cli.console import console, print_json

    rows = [_row(recipe) for recipe in recipes().values()]
    if as_json:
        print_json(rows)
        return
    table = Table(box=SIMPLE_HEAD)
    for name in ("app", "title", "version", "domains", "size", "installed"):
        table.add_column(name, justify="right" if name == "size" else "left")
    for row in rows:
        size = "—" if row["bytes"] is None else f"{row['bytes'] / 1e6:,.0f} MB"
        known = row["missing"] or ("yes" if row["installed"] else "no")
        table.add_row(row["app"], row["title"], row["version"], ", ".join(row["domains"]), size, known)
    console().print(table)


def _row(recipe: "Recipe") -> dict[str, Any]:
    from tenure.apps.program import locked_version, program_folder
    from tenure.schema import BadInput

    missing, folder = "", None
    try:
        folder = program_folder(recipe)
    except BadInput as error:
        missing = str(error)
    size = sum(path.lstat().st_size for path in folder.rglob("*")) if folder else None
    return {
        "app": recipe.name,
        "title": recipe.title,
        "says": recipe.says,
        "version": locked_version(recipe) or "the host's",
        "licence": recipe.licence,
        "domains": [str(domain) for domain in recipe.domains],
        "optional": recipe.extra,
        "bytes": size,
        "installed": folder is not None,
        "missing": missing,
    }


@command.command("install")
@click.argument("names", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Every app that is not optional.")
@click.option("--seed", type=int, help="What its data are made from; the releases' seed by default.")
def install_apps(names: tuple[str, ...], everything: bool, seed: int | None) -> None:
    """Install apps from the package registries, and fill each once with its data.

    \b
    Examples:
      tenure apps install roundup tryton
      tenure apps install --all
    """
    from tenure.apps import recipes
    from tenure.cli.console import notes

    if not names and not everything:
        raise click.UsageError("name the apps to install, or give --all")
    chosen = names or tuple(recipe.name for recipe in recipes().values() if not recipe.extra)
    for one in _ready(chosen, seed):
        notes().print(f"{one.recipe.name}: ready, {one.snapshot.folder}", markup=False)


@command.command("open")
@click.argument("name")
@click.option("--port", default=0, help="Loopback port; a free one by default.")
@click.option("--seed", type=int, help="What its data are made from; the releases' seed by default.")
def open_app(name: str, port: int, seed: int | None) -> None:
    """Run one app with its data at a loopback address, until Ctrl-C; what was done in it is gone then.

    \b
    Examples:
      tenure apps open roundup
      tenure apps open tryton --port 8000
    """
    import asyncio

    (installed,) = _ready((name,), seed)
    asyncio.run(_serve(installed, port))


async def _serve(installed: "Installed", port: int) -> None:
    import asyncio
    import signal

    from tenure.apps.reached import address_of
    from tenure.cli.console import console
    from tenure.workspace.relay import loopback_listener

    ended = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    if not port:
        # The address holds the port, so it must be known before the app is configured.
        with loopback_listener() as free:
            port = free.getsockname()[1]
    recipe = installed.recipe
    app = installed.running(address=f"{address_of(recipe.name)}:{port}", port=port)
    try:
        await app.up()
        agent, say = app.account, console()
        who = f"as {agent.username} with the password" if agent.username else "with the password"
        say.print(f"{recipe.title} is at {app.address} (or {app.url})", markup=False)
        say.print(f"sign in {who} {agent.password}", markup=False)
        say.print("Ctrl-C ends it; nothing that is done in it is kept.")
        await ended.wait()
    finally:
        await app.close()


@command.command("doctor")
@click.argument("names", nargs=-1)
@click.option("--seed", type=int, help="What its data are made from; the releases' seed by default.")
def doctor(names: tuple[str, ...], seed: int | None) -> None:
    """Examine installed apps: each starts, is healthy, lets its accounts in and comes back from its snapshot.

    \b
    Examples:
      tenure apps doctor
      tenure apps doctor roundup
    """
    import asyncio
    import sys

    from tenure.apps import recipes
    from tenure.cli.console import notes

    chosen = names or tuple(row["app"] for row in map(_row, recipes().values()) if row["installed"])
    if not chosen:
        notes().print("no app is installed; tenure apps install --all")
    ill = sum([not asyncio.run(_examine(one)) for one in _ready(chosen, seed)])
    sys.exit(1 if ill else 0)


async def _examine(installed: "Installed") -> bool:
    from tenure.apps.doctor import examine
    from tenure.cli.console import console, plain

    well = True
    console().print(f"[bold]{installed.recipe.title}[/]")
    async for one in examine(installed):
        well = well and one.well
        mark = "[green]ok[/]" if one.well else "[red]not well[/]"
        console().print(f"  {mark} {one.what}: {plain(one.says)}")
    return well


def _ready(names: tuple[str, ...], seed: int | None) -> "list[Installed]":
    import asyncio

    from tenure.apps import SEED, find_recipe, install
    from tenure.cli.console import notes

    say = notes()
    chosen = [find_recipe(name) for name in dict.fromkeys(names)]

    async def work() -> "list[Installed]":
        return [
            await install(
                recipe, lambda line: say.print(line, markup=False), seed=SEED if seed is None else seed
            )
            for recipe in chosen
        ]

    return asyncio.run(work())
