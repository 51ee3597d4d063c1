"""What the reference is seeded with: the records that a seeding agent would create, from ``seeds.py``."""

from tenure.schema import BadInput
from tenure.schema.folder import GrowFolder
from tenure.schema.grow import Plan, SeedKind
from tenure.workspace.product import SEED_SCRIPT, SEEDING

PROGRAM = "seed.py"
_SCRIPT = f"""#!/bin/sh
PYTHONPATH="/app:$PYTHONPATH" exec python3 {SEEDING}/{PROGRAM}
"""


def seeding_of(folder: GrowFolder, plan: Plan) -> dict[str, bytes] | None:
    """The seeding script of a plan and its files, by name; ``None`` for a plan that needs no records.

    Raises:
        BadInput: ``seeds.py`` has no ``script(plan)``, or no records of this plan.
    """
    if plan.seed.kind is not SeedKind.RECORDS:
        return None
    try:
        program: str = folder.module("seeds").script(plan.id)
    except (AttributeError, KeyError) as error:
        raise BadInput(f"{folder.path}/seeds.py: script({plan.id!r}) gives no program") from error
    return {SEED_SCRIPT: _SCRIPT.encode(), PROGRAM: program.encode()}
