"""What the seeding agent is told. It learns a plan's starting data, never what the plan does with it."""

from collections.abc import Sequence

from tenure.schema.grow import Plan, Product
from tenure.workspace.product import SCRIPT_SECONDS, SEED_SCRIPT, SEEDING

_RULES = """\
You prepare the starting data for a test of a web application that somebody else has written. You do not \
test it, judge it or repair it.

## Where you work

An isolated Linux machine, as the unprivileged user `agent`, without a network. The finished application is \
in /app. Its set-up script, /app/{setup}, has run on an empty database; the application itself does not run. \
{database} The variables of its environment are set as they will be in the test.

## What to deliver

The script {script}, and below {seeding} whatever it needs. For every test a fresh machine gets the code \
of /app as it was handed over and an empty database; then /app/{setup} runs, then your script, in /app, and \
then /app/{start} starts the application. Nothing else of this machine is there.

- The script creates exactly the data that is asked for: every record with the values that are given, and no \
other record that a user could see. Where a value is needed and none is given, choose a plain one.
- Read the code first. Store data as the application itself would have: passwords hashed by its own code, \
states, times, amounts and whatever else it derives, so that records behave as if users had made them.
- It may use the application's own code, or its database; or it may start the application, act through HTTP \
as a user would, and stop it again. When the script ends, nothing of it may go on running.
- It ends with status 0 only when all of the data is there, within {seconds} seconds, and it does the same \
on every empty database.
- Change nothing else below /app: such changes are thrown away, and the test uses the code as it was. Work \
around a fault of the application only by storing what its own code can show; never by changing the code.

You may start the application here, to see whether it shows your data. To begin again with an empty \
database, drop what is in it and run the set-up script.

## When you are done

Call `finish`. We then try the script in a fresh machine, and tell you if it does not work there. If the \
application has no place for what is asked, call `finish` with success false and say what is missing. Nobody \
can answer questions."""


def seeding_rules(task: Product, database: str) -> str:
    """What holds for every plan.

    Args:
        task: The product.
        database: What the database is, as ``PostgreSQL 17.2``; nothing when there is none.
    """
    variable = f"{task.service.upper()}_DATABASE_URL"
    return _RULES.format(
        setup=task.setup,
        start=task.start,
        seeding=SEEDING,
        script=f"{SEEDING}/{SEED_SCRIPT}",
        seconds=SCRIPT_SECONDS,
        database=f"{database} is at the address in {variable}." if database else "It has no database server.",
    )


def seeding_request(plan: Plan, files: Sequence[str]) -> str:
    """What one plan needs.

    Args:
        plan: The plan.
        files: Where its seed files lie in the machine.
    """
    parts = ["Before the test starts, this must exist:", plan.seed.records.strip()]
    if plan.seed.environment:
        values = "\n".join(f"- {name}={value}" for name, value in sorted(plan.seed.environment.items()))
        parts.append(f"Set in the environment of the test, and of this machine:\n{values}")
    if files:
        parts.append("Files for the data:\n" + "\n".join(f"- {path}" for path in files))
    return "\n\n".join(parts)


def seeding_again(reason: str) -> str:
    """What the agent is told about a script that does not work."""
    return (
        f"In a fresh machine it does not work: {reason}\n\n"
        "Correct the script, and call `finish` again; or with success false if that cannot be done."
    )
