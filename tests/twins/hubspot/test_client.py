"""The official Python client, unmodified, on the real hostnames."""

import json
from pathlib import Path
from typing import Any

import pytest

from support.outside import Outside, run_client
from tenure.twins.hubspot import TWIN
from tenure.twins.hubspot.records import Contact, Note
from tenure.world import reopen
from twins.hubspot.make import CLIENT, REFRESH, TOKEN, build

SPEC = "tenure.twins.hubspot:TWIN"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Outside]:
    base = build(tmp_path_factory.mktemp("client") / "base.db")
    env = {"TOKEN": TOKEN, "CLIENT": CLIENT, "REFRESH": REFRESH}
    script = Path(__file__).with_name("client.py")
    return base, run_client(base, [SPEC], ["python", str(script)], env=env, timeout=120).check()


@pytest.fixture(scope="module")
def answers(run: tuple[Path, Outside]) -> dict[str, Any]:
    return dict(json.loads(line) for line in run[1].stdout.splitlines())


def test_every_exchange_was_answered_by_the_twin(run: tuple[Path, Outside]) -> None:
    assert {c.host for c in run[1].connections} == {"api.hubapi.com"}
    assert [c.fault for c in run[1].connections if c.fault] == []
    assert len(run[1].connections) > 80


def test_answers_mean_what_they_say(answers: dict[str, Any]) -> None:
    assert answers["contacts create"]["properties"]["email"] == "new@north.test"
    assert answers["contacts all"] == 5
    assert answers["contacts by email"]["id"] == "1"
    assert answers["contacts associated"]["associations"]["companies"]["results"][0]["id"] == "1"
    assert answers["batch create partial"]["num_errors"] == 1
    assert [r["new"] for r in answers["batch upsert"]["results"]] == [False, True]
    assert (answers["search"]["total"], len(answers["search next"]["results"])) == (3, 1)
    assert [r["id"] for r in answers["search between"]["results"]] == ["2"]
    assert answers["links create"]["labels"] == ["Primary"]
    assert answers["links batch read"]["results"][0]["_from"]["id"] == "10"
    assert answers["owners page"]["paging"]["next"]["after"] == "11"
    assert answers["members add"]["records_ids_added"] == ["1", "2"]
    assert answers["schemas get"]["fully_qualified_name"] == "p4242_port"
    assert answers["api_request"]["portalId"] == 4242
    assert answers["token create"]["token_type"] == "bearer"


def test_refusals_carry_the_vendors_bodies(answers: dict[str, Any]) -> None:
    categories = {name: answers[name]["category"] for name in ("conflict", "invalid", "missing")}
    assert categories == {
        "conflict": "CONFLICT",
        "invalid": "VALIDATION_ERROR",
        "missing": "OBJECT_NOT_FOUND",
    }
    assert answers["conflict"]["message"] == "Contact already exists. Existing ID: 1"
    assert answers["unauthorized"]["category"] == "INVALID_AUTHENTICATION"
    assert answers["forbidden"]["category"] == "MISSING_SCOPES"


def test_the_end_state_holds_what_the_client_did(run: tuple[Path, Outside], tmp_path: Path) -> None:
    base, outside = run
    end = reopen(outside.end_state, [TWIN], base, scratch=tmp_path)
    assert [n.properties["hs_note_body"] for n in end.created(Note)] == ["From the client"]
    merged = end.get(Contact, "3")
    assert merged is not None and merged.merged_into == "1"
    assert end.get(Contact, "2") is None
