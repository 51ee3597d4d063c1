"""The vendor's MCP server against the twin, and the twin's own tools beside it."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import orjson
import pytest

from support.outside import Outside, require, run_client
from tenure.twins.hubspot import TWIN
from tenure.twins.hubspot.mcp import words
from tenure.world import Door, EndState, reopen
from tenure.world.difference import Difference
from twins.hubspot.make import ADA, TOKEN, Api, build

HERE = Path(__file__).parent
NODE = HERE / "node"
SPEC = "tenure.twins.hubspot:TWIN"


class Talk(NamedTuple):
    """What one server said."""

    tools: dict[str, Any]
    calls: list[tuple[str, bool, str]]
    outside: Outside
    differences: list[Difference]


@pytest.fixture(scope="module")
def node() -> Path:
    """The folder with the npm package installed; skips where it cannot be."""
    require()
    if not (shutil.which("node") and shutil.which("npm")):
        pytest.skip("no node or npm on this system")
    if not (NODE / "node_modules" / "@hubspot" / "mcp-server").exists():
        install = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
        done = subprocess.run(install, cwd=NODE, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip("npm cannot install @hubspot/mcp-server here")
    return NODE


def _talk(server: str, folder: Path, cwd: Path | None) -> Talk:
    base = build(folder / "base.db")
    command = ["python", str(HERE / "mcp_client.py"), server]
    outside = run_client(base, [SPEC], command, env={"TOKEN": TOKEN}, cwd=cwd, timeout=120).check()
    tools, *calls = (json.loads(line) for line in outside.stdout.splitlines())
    end = reopen(outside.end_state, [TWIN], base, scratch=folder / "scratch")
    return Talk(tools, [tuple(call) for call in calls], outside, end.differences)


@pytest.fixture(scope="module")
def npm(node: Path, tmp_path_factory: pytest.TempPathFactory) -> Talk:
    return _talk("npm", tmp_path_factory.mktemp("npm"), node)


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Talk:
    require()
    return _talk("twin", tmp_path_factory.mktemp("own"), None)


def _bare(schema: Any) -> Any:
    """A schema without texts; whatever a property is called, its own schema stays."""
    if isinstance(schema, list):
        return [_bare(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    texts = [k for k, v in schema.items() if k in {"$schema", "description"} and isinstance(v, str)]
    return {k: _bare(v) for k, v in schema.items() if k not in texts}


def test_the_twins_tools_have_the_vendors_names_and_arguments(npm: Talk, own: Talk) -> None:
    assert _bare(own.tools) == _bare(npm.tools)
    assert list(own.tools) == list(npm.tools)


def test_the_vendors_server_works_unmodified(npm: Talk) -> None:
    assert {c.host for c in npm.outside.connections} == {"api.hubspot.com"}
    assert [c.fault for c in npm.outside.connections if c.fault] == []


def test_both_servers_accept_and_refuse_the_same_calls(npm: Talk, own: Talk) -> None:
    assert [(name, failed) for name, failed, _ in own.calls] == [(n, f) for n, f, _ in npm.calls]
    assert sum(failed for _, failed, _ in own.calls) == 3


def test_both_servers_leave_the_same_world(npm: Talk, own: Talk) -> None:
    def essence(talk: Talk) -> list[Any]:
        return [(d.kind, d.id, d.after) for d in talk.differences]

    assert essence(own) == essence(npm)
    assert {d.kind for d in own.differences} == {
        "hubspot.association",
        "hubspot.contacts",
        "hubspot.deals",
        "hubspot.notes",
        "hubspot.property",
        "hubspot.tasks",
    }


def test_both_servers_show_the_same_values(npm: Talk, own: Talk) -> None:
    for (name, failed, theirs), (_, _, ours) in zip(npm.calls, own.calls, strict=True):
        if failed:
            assert ours.rpartition(" - ")[0] in theirs or "Invalid" in ours, name
        elif theirs.startswith("{"):
            known, found = json.loads(theirs), json.loads(ours)
            if "results" in known and name != "hubspot-get-link":
                assert [_values(r) for r in found["results"]] == [_values(r) for r in known["results"]], name


def _values(result: dict[str, Any]) -> Any:
    """What two runs at other times have in common: no times, no fields that one leaves out."""
    properties = result.get("properties")
    if not isinstance(properties, dict):
        return result
    return result["id"], {k: v for k, v in properties.items() if not k.endswith("date")}


# -- in process ------------------------------------------------------------------------------


@pytest.fixture
def door(base: Path) -> Door:
    return Door(Api(base).gateway, ADA)


def test_every_tool_and_argument_is_described() -> None:
    assert set(words.TOOLS) == {tool.name for tool in TWIN.tools}
    used = {name for tool in TWIN.tools for name in tool.schema["properties"]}
    assert set(words.ARGUMENTS) == used


def test_a_tool_call_is_logged_with_what_it_showed_and_changed(door: Door) -> None:
    name = "hubspot_hubspot_batch_update_objects"
    given = {"objectType": "deals", "inputs": [{"id": "3", "properties": {"amount": "5"}}]}
    assert door.call(name, given).status == 200
    line = door.gateway.log[-1]
    assert (line.tool, line.via, line.changed) == ("hubspot-batch-update-objects", "mcp", 1)
    assert ("hubspot.deals", "3") in line.records


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("list-objects", {"objectType": "contacts", "limit": 501}, "501"),
        ("list-objects", {"objectType": "contacts", "limit": 500}, "400 Bad Request"),
        ("search-objects", {"objectType": "contacts", "after": "x"}, "400 Bad Request"),
        ("get-property", {"objectType": "contacts", "propertyName": "nosuch"}, "404 Not Found"),
        ("update-property", {"objectType": "contacts", "propertyName": "email"}, "At least one"),
        (
            "create-engagement",
            {"type": "NOTE", "ownerId": 11, "associations": {}, "metadata": {}},
            "body",
        ),
        (
            "create-engagement",
            {
                "type": "TASK",
                "ownerId": 11,
                "associations": {},
                "metadata": {"body": "B", "subject": "S", "status": "LATER"},
            },
            "NOT_STARTED",
        ),
        ("get-engagement", {"engagementId": 99}, "404 Not Found"),
        ("get-workflow", {"flowId": "99"}, "404 Not Found"),
        (
            "get-link",
            {
                "portalId": "1",
                "uiDomain": "app.hubspot.com",
                "pageRequests": [
                    {"pagetype": "index", "objectTypeId": "9-1"},
                    {"pagetype": "record", "objectTypeId": "0-1"},
                ],
            },
            "Invalid objectTypeId: 9-1; objectId is required",
        ),
        ("list-objects", {"objectType": "contacts", "archived": "no"}, "archived"),
    ],
)
def test_refusals_say_why_and_change_nothing(
    door: Door, tool: str, arguments: dict[str, Any], expected: str
) -> None:
    answer = door.call(f"hubspot_hubspot_{tool.replace('-', '_')}", arguments)
    assert answer.status == 400
    assert expected in answer.text
    assert EndState.of(door.gateway.world, door.gateway).differences == []


def test_strangers_are_sent_to_sign_in(api: Api) -> None:
    body = orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    headers = {"content-type": "application/json", "authorization": "Bearer nobody"}
    reply = api.gateway.answer("POST", "mcp.hubspot.com", "/", "", headers, body)
    assert reply.status == 401
    assert "oauth-protected-resource" in reply.headers["www-authenticate"]
