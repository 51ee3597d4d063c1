"""Building a product stage by stage: one conversation, one workspace, and files that outlive a kill.

A stage out of steps leads on to the next one. Out of time, or ended in any other way, it ends the build, and
the product is graded as it stands. What fails for our own reasons leaves no stage behind: the same command
makes it again from where the stage before it ended (protocols, Grow 1–6).
"""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace

from inspect_ai.model import ChatMessage, Model

from tenure.engine.budget import Budget
from tenure.engine.build.lines import LINES, machine_for
from tenure.engine.build.settings import machine_of
from tenure.engine.ended import Ended, Started, end, read_ended
from tenure.engine.grow.builder.cli import CommandLine
from tenure.engine.grow.builder.clock import Clock
from tenure.engine.grow.builder.facts import facts_of
from tenure.engine.grow.builder.kept import Passed, Said, Shelf, take
from tenure.engine.grow.builder.prompt import system_prompt
from tenure.engine.grow.builder.requests import Request, hand_in, request_of
from tenure.engine.grow.builder.script import performing
from tenure.engine.grow.builder.stage import Builder, Native, Stage
from tenure.engine.loop import Turns, told
from tenure.engine.observer import Told
from tenure.engine.plan import ENDED, Planned
from tenure.engine.sandbox.opening import open_any
from tenure.engine.spec import RunSpec, packages_of
from tenure.engine.usual import STAND_IN
from tenure.grading.grow import without_canary
from tenure.schema import BadInput, Ending
from tenure.schema.folder import GrowFolder, PlacedStage
from tenure.schema.grow import Rules
from tenure.schema.verdict import StageRecord
from tenure.workspace import Gateway, Machine
from tenure.workspace.product import LIMITS
from tenure.workspace.ready import Workspace, open_workspace

LEADS_ON = (Ending.DONE, Ending.OUT_OF_STEPS)
"""How a stage ends that the next one follows."""


async def build_stages(
    spec: RunSpec, folder: GrowFolder, planned: Planned, model: Model, budget: Budget, tell: Told
) -> Ended:
    """Build what is not built yet.

    Args:
        spec: The run.
        folder: The product.
        planned: The attempt.
        model: Builds.
        budget: The attempt's and the run's money; what earlier stages cost is added.
        tell: Told how it goes.

    Returns:
        What was written to ``ended.json``, now or by a run that was killed after it. Our own failures end
        as ``Ending.FAULT``, and that does not stand: what is missing is built when this is called again.
    """
    if (planned.folder / ENDED).exists() and (ended := read_ended(planned)).ending is not Ending.FAULT:
        return ended
    building = _Building(spec, folder, planned, model, budget, tell)
    try:
        await building.go_on()
    except Exception as error:
        building.broke(error)
    return building.end()


class _Building:
    """One build, from where it stands on disk."""

    def __init__(
        self,
        spec: RunSpec,
        folder: GrowFolder,
        planned: Planned,
        model: Model,
        budget: Budget,
        tell: Told,
    ) -> None:
        self._spec, self._folder, self._planned = spec, folder, planned
        self._model, self._budget, self._tell = model, budget, tell
        self._shelf = Shelf(planned.folder, folder)
        self._passed: list[Passed] = []
        self._under_way: Stage | None = None
        self._gateway: Gateway | None = None
        self._error = ""
        self._started = Started.now()
        # Under ViBench 1.0's rules a stage has a conversation of its own (protocols, Grow 17).
        self._apart = folder.task.rules is Rules.V1

    @property
    def _over(self) -> bool:
        """Whether no further stage is to be built."""
        stopped = bool(self._passed) and self._passed[-1].record.ending not in LEADS_ON
        return (stopped and not self._apart) or len(self._passed) == len(self._folder.stages)

    def broke(self, error: Exception) -> None:
        """Something of ours failed; called while it is handled."""
        self._error = told(error)

    async def go_on(self) -> None:
        """Build the stages that are missing."""
        spec, folder = self._spec, self._folder
        self._passed = self._shelf.passed()
        self._budget.spent += sum(passed.record.cost or 0 for passed in self._passed)
        if self._over:
            return
        if faults := without_canary(folder):
            raise BadInput(f"{folder.task.id}: {faults[0]}")
        if machine_of(spec.sandbox, packages_of(spec.tasks))["image"] != spec.image:
            raise BadInput("the machines' image has changed since the run began; start the command again")
        resumed = bool(self._passed)
        while not self._over and not self._error:
            await self._conversation(resumed)
            resumed = False

    async def _conversation(self, resumed: bool) -> None:
        """Build in one workspace the stages that are one conversation."""
        spec, base = self._spec, self._base(self._folder.stages[len(self._passed)])
        # The product's constants would tell of features to come: requests bring them.
        bare = self._folder.task.model_copy(update={"environment": {}})
        wanted = replace(machine_for(spec.agent), limits=LIMITS)
        self._gateway = Gateway.to_registries() if spec.registries else None
        async with open_workspace(
            bare, spec.sandbox, wanted, gateway=self._gateway, opening=open_any
        ) as place:
            facts = await facts_of(place.machine)
            about = {**place.provenance, **facts.programs}
            if base:
                missing = await self._shelf.restore(base, place, None if self._apart else facts.home)
                about |= {f"resumed without {what}": why for what, why in missing.items()}
            system = system_prompt(
                self._folder.task,
                place.machine.kind,
                database=place.database,
                programs=facts.said,
                registries=spec.registries,
            )
            builder = self._builder(place.machine, facts.home, system)
            about |= builder.about
            while not self._over and await self._stage(builder, place, facts.home, system, about, resumed):
                resumed = False
                if self._apart:
                    return

    def _base(self, placed: PlacedStage) -> int:
        """The number of the stage from whose files one begins; 0 for none."""
        if not self._apart:
            return placed.number - 1
        numbers = {stage.name: stage.number for stage in self._folder.stages}
        return max((numbers[name] for name in placed.stage.depends_on), default=0)

    async def _stage(
        self, builder: Builder, place: Workspace, home: str, system: str, about: dict[str, str], resumed: bool
    ) -> bool:
        """Build the next stage and keep what it left; false when a fault of ours stopped it."""
        placed = self._folder.stages[len(self._passed)]
        summaries, spent, begun = builder.summaries, self._budget.spent, Started.now().at
        self._tell.reached(f"stage {placed.number} of {len(self._folder.stages)}")
        request = request_of(self._folder, placed, home)
        await hand_in(request, place.machine)
        self._under_way = stage = self._limited(request)
        await self._work(placed, builder, stage)
        turns = stage.turns
        if turns.ending is Ending.FAULT:
            self._error = turns.error
            return False
        taken = await take(place, home)
        if self._gateway is not None:
            about["gateway visits"] = " ".join(sorted({visit.host for visit in self._gateway.visits}))
        about |= {f"{placed.path.name} without {what}": why for what, why in taken.missing.items()}
        record = StageRecord(
            stage=placed.path.name,
            ending=turns.ending if taken.app is not None else Ending.NO_VALID_ANSWER,
            steps=turns.steps,
            seconds=round(stage.clock.spent, 3),
            cost=None if turns.cost is None else self._budget.spent - spent,
            summaries=builder.summaries - summaries,
            reason=taken.missing.get("code", ""),
        )
        said = Said(
            begun=begun,
            system=system,
            input_tokens=turns.input_tokens,
            output_tokens=turns.output_tokens,
            answered_by=tuple(sorted(turns.answered_by)),
            messages=tuple(stage.said),
            view=tuple(builder.view),
            resumed=resumed,
            place=dict(about),
        )
        self._passed.append(Passed(record, said))
        self._under_way = None
        self._shelf.keep(placed, self._passed[-1], taken)
        return True

    def _limited(self, request: Request) -> Stage:
        """A request with what the limits of a stage and of the whole build leave to it."""
        spec, steps = self._spec, sum(passed.record.steps for passed in self._passed)
        used = sum(passed.said.input_tokens + passed.said.output_tokens for passed in self._passed)
        return Stage(
            request,
            self._budget,
            Clock(spec.time_limit),
            steps=spec.max_steps,
            tokens=None if spec.max_tokens is None else spec.max_tokens - used,
            on_step=lambda now: self._tell(steps + now),
        )

    async def _work(self, placed: PlacedStage, builder: Builder, stage: Stage) -> None:
        """Let the builder build a stage, up to one of its endings."""
        spec = self._spec
        script = performing(self._folder, placed, spec.model.removeprefix(STAND_IN))
        with script if spec.stand_in else nullcontext(), stage.clock:
            await builder.work(stage)
        stage.turns.close()
        if stage.clock.over:
            stage.turns.ending = Ending.OUT_OF_TIME

    def _builder(self, machine: Machine, home: str, system: str) -> Builder:
        earlier = [] if self._apart else self._passed
        if self._spec.agent in LINES:
            said = [message for passed in earlier for message in passed.said.messages]
            return CommandLine(
                self._spec.agent, self._model, machine, system, record=self._planned.folder, said=said
            )
        view = earlier[-1].said.view if earlier else ()
        return Native(self._model, machine, home, system, view)

    def end(self) -> Ended:
        """Write down how building ended: a function of the stages that are over, and of our fault."""
        turns, records = Turns([]), [passed.record for passed in self._passed]
        for record, said in self._passed:
            turns.messages += _marked(said.messages, record.stage)
            turns.steps += record.steps
            turns.input_tokens += said.input_tokens
            turns.output_tokens += said.output_tokens
            turns.answered_by |= set(said.answered_by)
        costs = [record.cost for record in records if record.cost is not None]
        turns.cost = sum(costs) if costs else None
        if self._over:
            turns.ending = records[-1].ending
            self._shelf.finish()
        else:
            turns.ending, turns.error = Ending.FAULT, self._error
            turns.messages += self._under_way.said if self._under_way else []
        turns.close()
        last = self._passed[-1].said if self._passed else None
        also = dict(last.place) if last else {}
        if resumed := [record.stage for record, said in self._passed if said.resumed]:
            also["resumed"] = " ".join(resumed)
        started = self._started._replace(at=self._passed[0].said.begun) if last else self._started
        seconds = sum(record.seconds for record in records)
        return end(self._planned, turns, started, last.system if last else "", also=also, seconds=seconds)


def _marked(messages: Sequence[ChatMessage], stage: str) -> list[ChatMessage]:
    """A stage's messages, the first of them with the stage's name for the transcript."""
    first, rest = messages[:1], messages[1:]
    return [*(one.model_copy(update={"metadata": {"stage": stage}}) for one in first), *rest]
