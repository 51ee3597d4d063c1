"""A finished build's plans: each is seeded once and graded until it is settled, several at a time.

Everything that is made is a file before the next thing begins, and what is there is never made again.
"""

import shutil
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import anyio

from tenure.engine.budget import Budget
from tenure.engine.grow.crew import Crew
from tenure.engine.grow.grader import grade_plan
from tenure.engine.grow.seed_cache import cache_seed, cached_seed, seed_key
from tenure.engine.grow.seeder import make_seed
from tenure.engine.grow.stored import (
    SCREENS,
    SEED,
    SEEDS,
    StartRecord,
    codes_of,
    grade_folder,
    grades_of,
    keep,
    keep_files,
    kept,
    kept_files,
    rules_of,
    start_file,
)
from tenure.engine.loop import told
from tenure.engine.sandbox.opening import open_any
from tenure.engine.secrets import without_keys
from tenure.grading.grow import Ask, settle
from tenure.schema import BadInput
from tenure.schema.folder import GrowFolder
from tenure.schema.grow import Plan, SeedKind
from tenure.schema.verdict import Grade, SeedRecord
from tenure.workspace.product import NotStanding, code_hash, open_code, set_up, standing, start
from tenure.workspace.ready import Workspace

NO_CODE = "the build left no code"
PAUSES = (5.0, 30.0)
"""Seconds before what failed on our side is tried again."""
_PROGRAMS = {"Python": "python3", "Node.js": "node"}
Made = TypeVar("Made")


async def persistently(make: Callable[[], Awaitable[Made]]) -> Made:
    """Make something, and again after what was our fault, or may be a busy host's: a start that failed.

    Raises:
        BadInput: Something must be put right first.
        Exception: What the last try raised; ``NotStanding`` is then the product's own fault.
    """
    for pause in PAUSES:
        try:
            return await make()
        except BadInput:
            raise
        except NotStanding:  # That took its time, where time was what it lacked.
            continue
        except Exception:
            await anyio.sleep(pause)
    return await make()


class Plans:
    """The plans of one finished build."""

    def __init__(self, crew: Crew, folder: GrowFolder, attempt: Path, tell: Callable[[str], None]) -> None:
        """Hold what is needed.

        Args:
            crew: Who seeds and grades.
            folder: The product.
            attempt: The build's folder: the code is there, and everything made goes there.
            tell: Told where the grading is.
        """
        self._crew, self._folder, self._attempt, self._tell = crew, folder, attempt, tell
        self._codes = codes_of(folder, attempt)

    async def grade(self) -> list[str]:
        """Seed and grade every plan that is not settled.

        Returns:
            What failed on our side, a text for each plan that it kept from being settled.
        """
        failures: list[str] = []
        standing = {code for code in set(self._codes.values()) if (await self.started(code)).ok}
        async with anyio.create_task_group() as group:
            for number, plan in enumerate(self._folder.plans, 1):
                if self._codes[plan.id] in standing:
                    group.start_soon(self._one, plan, number, failures)
        return failures

    async def _one(self, plan: Plan, number: int, failures: list[str]) -> None:
        where = f"plan {number} of {len(self._folder.plans)}"
        try:
            async with self._crew.seeding:
                seed = await self.seeded(plan, where)
            if seed.ok:
                async with self._crew.slots:
                    await self._settle(plan, where, seed)
        except Exception as error:
            failures.append(without_keys(f"plan {plan.id}: {told(error)}"))

    async def _settle(self, plan: Plan, where: str, seed: SeedRecord) -> None:
        try:
            await settle(
                plan,
                partial(self.graded, plan, where),
                lambda grade: None,  # The grader has stored it.
                stored=grades_of(self._attempt, plan),
                rules=rules_of(self._folder),
            )
        except NotStanding as error:
            stopped = {"ok": False, "cause": error.cause, "reason": error.reason}
            keep(self._seed(plan) / SEED, seed.model_copy(update=stopped))

    async def started(self, code: Path) -> StartRecord:
        """Whether code stands up on an empty database."""
        if (known := kept(start_file(code), StartRecord)) is not None:
            return known
        self._tell("its first start")
        async with self._crew.slots:
            record = await self._start(code)
        keep(start_file(code), record)
        return record

    async def _start(self, code: Path) -> StartRecord:
        if not code.exists():
            return StartRecord(ok=False, reason=NO_CODE)
        versions: dict[str, str] = {}

        async def once() -> None:
            async with open_code(self._folder.task, code, kind=self._crew.kind, opening=open_any) as place:
                versions.update(await _versions(place))
                await set_up(place, self._folder.task)
                await start(place, self._folder.task)

        try:
            await persistently(once)
        except NotStanding as error:
            return StartRecord(ok=False, reason=error.reason, versions=versions)
        return StartRecord(ok=True, versions=versions)

    async def seeded(self, plan: Plan, where: str) -> SeedRecord:
        """How a plan's starting data came about, made now or before."""
        place = self._seed(plan)
        if (known := kept(place / SEED, SeedRecord)) is not None:
            return known
        shutil.rmtree(place, ignore_errors=True)
        record = SeedRecord(ok=True)
        if plan.seed.kind is SeedKind.RECORDS:
            self._tell(f"{where}, seeding")
            record, files = await persistently(partial(self._script, plan))
            keep_files(place, files)
        keep(place / SEED, record)
        return record

    async def _script(self, plan: Plan) -> tuple[SeedRecord, dict[str, bytes]]:
        crew, code = self._crew, self._codes[plan.id].read_bytes()
        own = crew.own_seed(self._folder, plan)
        key = seed_key(self._folder, plan, code_hash(code), crew.settings, own)
        if (known := cached_seed(key)) is not None:
            return known
        record, files = await make_seed(crew, self._folder, plan, code)
        if record.ok:
            cache_seed(key, record, files)
        return record, files

    async def graded(self, plan: Plan, where: str, ask: Ask) -> Grade:
        """One grade of a plan that is seeded, in a fresh workspace.

        Raises:
            NotStanding: The product does not come to stand with this plan's seed.
            Exception: Something of ours failed again and again.
        """
        self._tell(f"{where}, vote {ask.vote}")
        into = grade_folder(self._attempt, plan.id, ask.vote, ask.attempt)
        seeding = kept_files(self._seed(plan)) if plan.seed.kind is SeedKind.RECORDS else None
        code = self._codes[plan.id].read_bytes()

        async def once() -> Grade:
            shutil.rmtree(into, ignore_errors=True)
            async with standing(
                self._folder.task,
                code,
                kind=self._crew.kind,
                environment=plan.seed.environment,
                seeding=seeding,
                opening=open_any,
            ) as place:
                return await grade_plan(
                    self._crew.model,
                    self._folder,
                    plan,
                    place,
                    vote=ask.vote,
                    attempt=ask.attempt,
                    code=code,
                    into=into,
                    screens=self._attempt / SCREENS,
                    budget=Budget(self._crew.purse),
                    name=self._crew.name,
                )

        return await persistently(once)

    def _seed(self, plan: Plan) -> Path:
        return self._attempt / SEEDS / plan.id


async def _versions(place: Workspace) -> dict[str, str]:
    """What is really there: the database, Python, Node.js (protocols, Grow 6)."""
    found = {"database": place.database or "none"}
    for name, program in _PROGRAMS.items():
        done = await place.machine.run(["sh", "-c", f"{program} --version || true"], timeout=60)
        said = done.stdout.decode("utf-8", "replace").split()
        found[name] = said[-1].lstrip("v") if said else "none"
    return found
