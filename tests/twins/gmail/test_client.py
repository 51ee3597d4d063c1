"""Conformance: the vendor's own client, unmodified, on the real hostnames; responses fit the description."""

import json
from pathlib import Path

import jsonschema
import pytest

from support.outside import require, run_client
from tenure.twins.gmail.records import Draft, Message
from tenure.twins.gmail.rest import DOCUMENT, OPERATIONS
from tenure.twins.gmail.twin import TWIN
from tenure.twins.google import google_tokens
from tenure.twins.google.document import json_schema
from tenure.world import reopen

from .make import ADA, BO, SEED, build


def test_the_official_client_uses_every_operation(tmp_path: Path) -> None:
    require()
    base = build(tmp_path / "base.db")
    access, refresh, client = (token.id for token in google_tokens(SEED, ADA))
    out = run_client(
        base,
        ["tenure.twins.gmail:TWIN"],
        ["python", str(Path(__file__).with_name("client.py"))],
        env={"ACCESS": access, "REFRESH": refresh, "CLIENT": client},
    ).check()
    assert not [connection.fault for connection in out.connections if connection.fault]
    lines = [json.loads(line) for line in out.stdout.splitlines()]
    for method, status, response in lines:
        if method == "error":
            continue
        described = DOCUMENT.methods[method].response
        if described is None:
            assert response in ("", None), (method, response)
        else:
            jsonschema.validate(response, json_schema(DOCUMENT, described["$ref"]))
        assert status == 200
    assert {method for method, _, _ in lines} - {"error"} == set(OPERATIONS)
    hosts = {connection.host for connection in out.connections}
    assert hosts == {"gmail.googleapis.com", "oauth2.googleapis.com", "www.googleapis.com"}
    end = reopen(out.end_state, [TWIN], base, scratch=tmp_path / "scratch")
    arrived = [m.subject for m in end.created(Message) if m.account == BO]
    assert sorted(arrived) == ["Plan", "Re: Plan", "Uploaded"]
    end.close()


def test_the_official_mcp_client_uses_the_tools(tmp_path: Path) -> None:
    require()
    base = build(tmp_path / "base.db")
    script = str(Path(__file__).with_name("mcp_client.py"))
    token = google_tokens(SEED, ADA)[0].id
    out = run_client(base, ["tenure.twins.gmail:TWIN"], ["python", script], env={"ACCESS": token}).check()
    assert not [connection.fault for connection in out.connections if connection.fault]
    end = reopen(out.end_state, [TWIN], base, scratch=tmp_path / "scratch")
    (draft,) = end.created(Draft)
    written = end.get(Message, draft.message)
    assert written is not None and written.body == "Paid." and written.to == ["vera@vendor.test"]
    end.close()


@pytest.mark.parametrize("name", ["Message", "Thread", "Draft", "Label", "ListHistoryResponse"])
def test_the_schemas_refuse_what_they_do_not_describe(name: str) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"id": 5, "historyId": 7, "nonsense": True}, json_schema(DOCUMENT, name))
