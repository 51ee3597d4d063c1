"""A grader's tools: scripts in the browser, the code to find its way by, and its answers."""

import anyio
from inspect_ai.tool import Tool, ToolDef, ToolError, ToolResult

from tenure.engine.grow.grading.code import Code
from tenure.engine.grow.grading.desk import Answer, Desk

RUN, READ, SEARCH, RECORD, FINISH = "run_script", "read_code", "search_code", "record_step", "finish"


def grader_tools(desk: Desk, code: Code) -> list[Tool]:
    """The tools.

    Args:
        desk: What they work on.
        code: The product's code.
    """

    async def run_script(code: str, user: str = "") -> ToolResult:
        """Run a Python script with Playwright in the users' browser sessions, and see their pages.

        Args:
            code: The script; `await` may be used anywhere.
            user: Whose page `page` is; needless where the plan has one user.
        """
        return await desk.run(code, user)

    async def read_code(path: str = "", line: int = 1) -> str:
        """Read a file of the application's code, or list files. To find your way, never to decide.

        Args:
            path: The file, or a folder; nothing for all files.
            line: The first line that is shown.
        """
        try:
            return await anyio.to_thread.run_sync(code.read, path, line)
        except FileNotFoundError as error:
            raise ToolError(str(error)) from error

    async def search_code(text: str) -> str:
        """Find lines of the application's code that hold a text. To find your way, never to decide.

        Args:
            text: The text, in any case; no pattern.
        """
        return await anyio.to_thread.run_sync(code.search, text)

    async def record_step(
        step: str, checks: list[Answer], undone: list[int] | None = None, note: str = ""
    ) -> str:
        """Answer the checks of a step, once its actions are done; again to put an answer right.

        Args:
            step: The step's name.
            checks: An answer to each of its checks.
            undone: Numbers of the step's actions that could not be done.
            note: What the step asks to note, or is odd.
        """
        return desk.record(step, checks, undone or [], note)

    async def finish() -> str:
        """Say that every step is recorded."""
        return desk.finish()

    named = (
        (run_script, RUN),
        (read_code, READ),
        (search_code, SEARCH),
        (record_step, RECORD),
        (finish, FINISH),
    )
    # One call at a time: what a script leaves is there for the next.
    return [ToolDef(tool, name=name, parallel=False).as_tool() for tool, name in named]
