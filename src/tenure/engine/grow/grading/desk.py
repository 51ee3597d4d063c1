"""What a grader has before it: the browser, and the answers that it has given so far."""

import base64
from collections.abc import Sequence
from pathlib import Path

import anyio
from inspect_ai.model import ContentImage, ContentText
from inspect_ai.tool import ToolError, ToolResult
from pydantic import BaseModel, Field

from tenure.engine.plan import write_whole
from tenure.grading.grow import breaches, with_looks, without_evidence
from tenure.grading.grow.browser import Browser, Seen
from tenure.schema.grow import Plan, PlanStep
from tenure.schema.verdict import CheckVerdict, StepVerdict

TREE = 30_000
"""Characters of a page's tree that are shown."""
BROKEN = "This broke a rule, and the grade is over"
LACKING = "Recorded, but without evidence; record it again, quoting what was on screen"


class Answer(BaseModel):
    """An answer to one check."""

    check: str = Field(description="The check's name.")
    passed: bool = Field(description="Whether what it says is true.")
    quotes: list[str] = Field(description="What was on screen, copied exactly; at least one.")


class Desk:
    """One grader's place.

    Attributes:
        claims: Step → its answer.
        over: Whether nothing more can come: it has finished, or broken a rule.
    """

    def __init__(self, plan: Plan, browser: Browser, screens: Path) -> None:
        """Sit down.

        Args:
            plan: What is walked.
            browser: Open on the product.
            screens: Folder that pictures are kept in.
        """
        self.claims: dict[str, StepVerdict] = {}
        self.over = False
        self._plan, self._browser, self._screens = plan, browser, screens

    @property
    def step(self) -> PlanStep | None:
        """The step under way: the first without an answer."""
        return next((step for step in self._plan.steps if step.name not in self.claims), None)

    async def run(self, script: str, user: str) -> ToolResult:
        """Run a script; returns its result, which stays, and the pages that it brought back.

        Raises:
            ToolError: There is no such user.
        """
        if user and user not in self._plan.users:
            raise ToolError(f"there is no user {user!r}; users: {', '.join(self._plan.users)}")
        step = self.step or self._plan.steps[-1]
        seen = await self._browser.run(script, step=step.name, user=user)
        for look in seen.looks:
            if look.picture:
                await anyio.to_thread.run_sync(_keep, self._screens / look.picture, seen.pictures[look.user])
        if broken := breaches(self._plan, seen.events):
            self.over = True
            return f"{BROKEN}: {broken[0].says}."
        return _told(seen)

    def record(self, name: str, answers: Sequence[Answer], undone: Sequence[int], note: str) -> str:
        """Take the answer to a step, in the plan's order or again; says which quotes were not on screen.

        Raises:
            ToolError: It is no answer to that step, or another step comes first.
        """
        asked = {step.name: step for step in self._plan.steps}
        if name not in asked:
            raise ToolError(f"there is no step {name!r}; steps: {', '.join(asked)}")
        due = self.step
        if name not in self.claims and due is not None and due.name != name:
            raise ToolError(f"step {due.name} comes first and is not recorded")
        claim = self.claims[name] = _claim(asked[name], answers, undone, note)
        if missing := list(without_evidence([with_looks(self._plan, claim, self._browser.looks)])):
            return "\n".join((f"{LACKING}:", *(f"- {line}" for line in missing)))
        after = self.step
        return f"Recorded. Next: {after.name}." if after else "Recorded. That was the last step."

    def finish(self) -> str:
        """Take the grader's last word.

        Raises:
            ToolError: A step has no answer.
        """
        if (due := self.step) is not None:
            raise ToolError(f"step {due.name} is not recorded")
        self.over = True
        return "Thank you."


def _claim(step: PlanStep, answers: Sequence[Answer], undone: Sequence[int], note: str) -> StepVerdict:
    """An answer to a step that answers each of its checks once."""
    by_name = {answer.check: answer for answer in answers}
    wanted = [check.id for check in step.checks]
    if sorted(wanted) != sorted(answer.check for answer in answers):
        raise ToolError(f"step {step.name} has the checks {', '.join(wanted)}; answer each of them once")
    return StepVerdict(
        step=step.name,
        checks=tuple(
            CheckVerdict(check=name, passed=by_name[name].passed, quotes=tuple(by_name[name].quotes))
            for name in wanted
        ),
        undone=tuple(undone),
        note=note,
    )


def _told(seen: Seen) -> ToolResult:
    """A script's answer: what stays for good, then the pages."""
    parts = [f"Printed:\n{seen.printed.rstrip()}"] if seen.printed.strip() else []
    parts += [f"Error: {seen.error}"] if seen.error else []
    parts += [f"{look.user}: {look.url} ({look.picture or 'no picture'})" for look in seen.looks if look.user]
    result = "\n\n".join(parts) or "Nothing was printed, and no page changed."
    told: list[ContentText | ContentImage] = [ContentText(text=result)]
    if seen.trees:
        pages = (f"## {user}\n\n{_cut(tree)}" for user, tree in seen.trees.items())
        told.append(ContentText(text="\n\n".join(pages)))
    for picture in seen.pictures.values():
        told.append(ContentImage(image=f"data:image/png;base64,{base64.b64encode(picture).decode()}"))
    return [*told]


def _cut(tree: str) -> str:
    return tree if len(tree) <= TREE else f"{tree[:TREE]}\n(more is left out; a script can read it)"


def _keep(path: Path, picture: bytes) -> None:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, picture)
