"""A place: one attempt's world with its gateway and its door, from start to settled end."""

from collections.abc import Sequence
from pathlib import Path

from tenure.schema import BadInput, Via
from tenure.schema.folder import TaskFolder, fill
from tenure.world.door import Door
from tenure.world.freeze import EndState
from tenure.world.gateway import Gateway
from tenure.world.record import Account
from tenure.world.twin import Twin
from tenure.world.world import World

HOUR_MS = 3_600_000


class Place:
    """What every driver of an api attempt opens: the same for an oracle, a model and a person.

    Attributes:
        world: The world, fresh from its base.
        gateway: Its gateway.
        door: The persona's door.
        persona: The persona's account.
        instruction: The request, filled from the world's facts.
    """

    def __init__(
        self, folder: TaskFolder, base: Path, twins: Sequence[Twin], record: Path | None = None
    ) -> None:
        """Open a place.

        Args:
            folder: The task.
            base: The base to start from.
            twins: The task's twins.
            record: Folder that the journal and the connection log are appended to.

        Raises:
            BadInput: The persona has no account in the world.
        """
        self.folder = folder
        self.world = World(base, twins, journal=record / "journal.jsonl" if record else None)
        self.gateway = Gateway(self.world, record / "gateway.jsonl" if record else None)
        facts = self.world.facts
        email = fill(folder.task.persona.email, facts, folder.path / "task.toml")
        with self.world.act(Via.WORLD) as act:
            persona = act.account_by_email(email)
        if persona is None:
            raise BadInput(f"{folder.path}/task.toml: persona: no account {email} in the world")
        self.persona: Account = persona
        self.instruction = folder.instruction(facts)
        self.door = Door(self.gateway, persona.id)

    def settle(self) -> EndState:
        """Let the task's horizon pass; the world does not move after this."""
        self.world.settle(int(self.folder.task.horizon_hours * HOUR_MS))
        return EndState.of(self.world, self.gateway)

    def close(self) -> None:
        """Release the world."""
        self.gateway.close()
        self.world.close()
