"""The task list: the agent's own notes of what it does next, a file in its home folder."""

from collections.abc import Sequence
from typing import Literal

from inspect_ai.tool import Tool, ToolDef, ToolError
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from tenure.workspace import Machine

TASK_LIST = "task_list"
State = Literal["todo", "in_progress", "done"]


class Item(BaseModel):
    """One task."""

    title: str = Field(description="What is to be done, in a few words.")
    state: State = Field(default="todo", description="todo, in_progress or done.")


_ITEMS = TypeAdapter(list[Item])
_MARKS: dict[State, str] = {"todo": " ", "in_progress": "~", "done": "x"}


def task_list_tool(machine: Machine, home: str) -> Tool:
    """A list that outlives a summary of the conversation, and the workspace with its home folder.

    Args:
        machine: Where the file is.
        home: The home folder.
    """
    path = f"{home}/tasks.json"

    async def task_list(command: Literal["view", "plan"], tasks: list[Item] | None = None) -> str:
        """Keep a list of what is to be done, for work of several steps.

        Args:
            command: `view` shows the list, `plan` replaces it.
            tasks: The whole list, for `plan`; one task at a time is in progress.
        """
        if command == "plan":
            if tasks is None:
                raise ToolError("plan needs tasks")
            await machine.write(path, _ITEMS.dump_json(_ITEMS.validate_python(tasks)))
        try:
            return _shown(_ITEMS.validate_json(await machine.read(path)))
        except (OSError, ValidationError):
            return _shown([])

    return ToolDef(task_list, name=TASK_LIST, parallel=False).as_tool()


def _shown(items: Sequence[Item]) -> str:
    return "\n".join(f"[{_MARKS[one.state]}] {one.title}" for one in items) or "The list is empty."
