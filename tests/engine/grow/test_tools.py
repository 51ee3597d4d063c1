"""The native builder's tools in a real machine: the editors of the models, the task list, the shell."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from inspect_ai.model import ChatMessageAssistant, execute_tools
from inspect_ai.tool import Tool, ToolCall, ToolDef

from support.machines import isolated
from tenure.engine.build.tools import SHOWN_CHARS, bash_tool
from tenure.engine.grow.builder.editor import EDITOR, PATCH, editor_for, patches
from tenure.engine.grow.builder.tasklist import task_list_tool
from tenure.workspace import Machine, open_machine

pytestmark = [isolated, pytest.mark.anyio]


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def machine(anyio_backend: str) -> AsyncIterator[Machine]:
    async with open_machine() as opened:
        yield opened


async def use(tool: Tool, **arguments: Any) -> str:
    """A call through the engine, as a model makes it; a refusal begins with a mark."""
    call = ToolCall(id="c1", function=ToolDef(tool).name, arguments=arguments)
    message = ChatMessageAssistant(content="", tool_calls=[call])
    (result,) = (await execute_tools([message], [tool])).messages
    assert result.role == "tool"
    return f"! {result.error.message}" if result.error else result.text


@pytest.mark.parametrize(
    ("model", "by_patch"),
    [
        ("openai/gpt-6.1-sol", True),
        ("openai/o4-mini", True),
        ("openai/a-name-to-come", True),
        ("openrouter/openai/gpt-5", True),
        ("azureai/gpt-5-codex", True),
        ("anthropic/claude-opus-5-5", False),
        ("google/gemini-3-pro", False),
        ("openai-api/fireworks/kimi-k3", False),
        ("openai-api/fireworks/glm-5.3", False),
        ("grok/grok-4.7", False),
        ("tenure/oracle", False),
    ],
)
def test_models_of_openai_edit_by_patches_and_all_others_by_strings(model: str, by_patch: bool) -> None:
    assert patches(model) is by_patch


async def test_the_editor_fits_the_model(machine: Machine) -> None:
    assert ToolDef(editor_for("openai/gpt-5", machine)).name == PATCH
    assert ToolDef(editor_for("anthropic/claude-opus-5-5", machine)).name == EDITOR


async def test_strings_are_replaced(machine: Machine) -> None:
    edit = editor_for("tenure/oracle", machine)
    path = "/app/a/deep/price.py"
    assert (
        await use(edit, command="create", path="a/deep/price.py", file_text="one\ntwo\nthree\n")
        == f"{path} is written."
    )
    assert await machine.read(path) == b"one\ntwo\nthree\n"
    said = await use(edit, command="str_replace", path=path, old_str="two\n", new_str="2\n2½\n")
    assert said.splitlines()[1:] == ["     1\tone", "     2\t2", "     3\t2½", "     4\tthree"]
    assert (await machine.read(path)).decode() == "one\n2\n2½\nthree\n"
    await use(edit, command="insert", path=path, insert_line=0, new_str="nought")
    await use(edit, command="insert", path=path, insert_line=5, new_str="four\n")
    assert (await machine.read(path)).decode() == "nought\none\n2\n2½\nthree\nfour\n"
    shown = await use(edit, command="view", path=path, view_range=[5, -1])
    assert shown == "     5\tthree\n     6\tfour"
    assert "/app/a/deep/price.py" in await use(edit, command="view", path="a")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"command": "str_replace", "old_str": "x", "new_str": "y"}, "holds old_str 2 times"),
        ({"command": "str_replace", "old_str": "z", "new_str": "y"}, "holds old_str 0 times"),
        ({"command": "str_replace", "old_str": "", "new_str": "y"}, "holds old_str 0 times"),
        ({"command": "str_replace", "old_str": "x"}, "needs new_str"),
        ({"command": "create"}, "needs file_text"),
        ({"command": "insert", "new_str": "y"}, "needs insert_line"),
        ({"command": "insert", "new_str": "y", "insert_line": 3}, "has 2 lines"),
        ({"command": "view", "view_range": [3, 4]}, "has 2 lines"),
    ],
)
async def test_an_edit_that_does_not_fit_changes_nothing(
    machine: Machine, given: dict[str, Any], says: str
) -> None:
    await machine.write("/app/two.txt", b"x\nx\n")
    said = await use(editor_for("tenure/oracle", machine), path="two.txt", **given)
    assert said.startswith("! ") and says in said
    assert await machine.read("/app/two.txt") == b"x\nx\n"


async def test_what_is_no_text_file_of_a_sensible_size_is_not_shown_whole(machine: Machine) -> None:
    edit = editor_for("tenure/oracle", machine)
    await machine.write("/app/picture", b"\x89PNG\xff")
    assert "is no text file" in await use(edit, command="view", path="picture")
    assert "No such file" in await use(edit, command="view", path="nowhere")
    await machine.write("/app/long", b"a line of a long file\n" * 4_000)
    said = await use(edit, command="view", path="long")
    assert len(said) < SHOWN_CHARS + 200 and "see the rest with view_range" in said


async def test_a_patch_is_applied_whole_or_not_at_all(machine: Machine) -> None:
    edit = editor_for("openai/gpt-5", machine)
    await machine.write("/app/b.py", b"a = 1\nb = 2\n")
    await machine.write("/app/old.py", b"gone")
    good = (
        "*** Begin Patch\n*** Update File: b.py\n@@\n a = 1\n-b = 2\n+b = 3\n*** Delete File: /app/old.py\n"
        "*** Add File: sub/c.py\n+c = 4\n*** End Patch"
    )
    said = await use(edit, patch=good)
    assert said == "b.py is written.\n/app/old.py is deleted.\nsub/c.py is written."
    assert await machine.read("/app/b.py") == b"a = 1\nb = 3\n"
    assert await machine.read("/app/sub/c.py") == b"c = 4\n"
    assert (await machine.run(["test", "-e", "/app/old.py"])).returncode == 1
    added, misfit = "*** Add File: d.py\n+d = 5\n", "*** Update File: b.py\n@@\n-b = 2\n+b = 9\n"
    bad = f"*** Begin Patch\n{added}{misfit}*** End Patch"
    assert (await use(edit, patch=bad)).startswith("! nothing is changed: b.py:")
    assert (await machine.run(["test", "-e", "/app/d.py"])).returncode == 1
    assert "No such file" in await use(edit, patch=good)


async def test_the_task_list_is_a_file_of_the_home_folder(machine: Machine) -> None:
    tool = task_list_tool(machine, "/home/agent")
    assert await use(tool, command="view") == "The list is empty."
    tasks = [
        {"title": "Schema", "state": "done"},
        {"title": "Pages", "state": "in_progress"},
        {"title": "Tests"},
    ]
    shown = "[x] Schema\n[~] Pages\n[ ] Tests"
    assert await use(tool, command="plan", tasks=tasks) == shown
    assert await use(task_list_tool(machine, "/home/agent"), command="view") == shown
    assert "needs tasks" in await use(tool, command="plan")
    assert (await machine.run(["ls", "/app/tasks.json"])).returncode != 0


async def test_the_shells_variables_are_those_of_the_moment(machine: Machine) -> None:
    variables: dict[str, str] = {}
    tool = bash_tool(machine, variables)
    assert await use(tool, command="echo ${FEE:-none}") == "none\n[exit code 0]"
    variables["FEE"] = "20"
    assert await use(tool, command="echo ${FEE:-none}") == "20\n[exit code 0]"
