import json
import tomllib
from pathlib import Path

import pytest

from tenure.adopt.build import Profile, adopt, write
from tenure.schema import BadInput
from tenure.schema.build import Domain, Method, Quirks, Tier
from tenure.schema.folder import BuildFolder
from tenure.schema.primitives import PRIMITIVES

from .released import KNOWLEDGE, folder, graph, node, step


def adopted(tmp_path, *nodes, **more):
    return adopt(folder(tmp_path / "task_parcels", graph(*nodes, **more)))


def chain_of(tmp_path, *chain, **more):
    """Our steps for one released chain, as (primitive, inputs) pairs, and the codes of the anomalies."""
    found = adopted(tmp_path, node("ONE", *chain, **more))
    return found.nodes[0].chain, {one.code: one for one in found.anomalies}


LOGIN = ("P13", {"user": "admin", "name": "admin"})
SINGLE = [
    # released code and inputs, ours
    (step("P01", path="app.py", type="file"), [("P01", {"path": "app.py", "kind": "file"})]),
    (step("P01", path="src/", type="directory"), [("P01", {"path": "src", "kind": "folder"})]),
    (
        step("P02", path="need.txt", match_type="contains", pattern="flask"),
        [("P02", {"path": "need.txt", "pattern": "flask", "regex": False, "present": True})],
    ),
    (
        step("P02", path="src/lobby/", match_type="regex", pattern="a|b"),
        [("P02", {"path": "src/lobby/**/*", "pattern": "a|b", "regex": True, "present": True})],
    ),
    (
        step("P03", glob="*/", base_dir="src/parts", min_expected=4),
        [("P03", {"path": "src/parts/*", "minimum": 4})],
    ),
    (step("P04", method="GET", path="/a"), [("P04", {"method": "GET", "path": "/a"})]),
    (step("P04", path="http://localhost:8026/a?b=1"), [("P04", {"method": "GET", "path": "/a?b=1"})]),
    (
        step("P04", method="POST", path="/a", body={"x": 1}, headers={"H": "v"}),
        [("P04", {"method": "POST", "path": "/a", "json": {"x": 1}, "headers": {"H": "v"}})],
    ),
    (
        step("P04", method="POST", path="/a", body={}, headers={}),
        [("P04", {"method": "POST", "path": "/a", "json": {}})],
    ),
    (
        step("P04", method="POST", path="/a", body="<x/>"),
        [("P04", {"method": "POST", "path": "/a", "text": "<x/>"})],
    ),
    (
        step("P05", resource="/parcels", create_body={"to": "Ek"}, update_body={"to": "Ro"}),
        [("P05", {"path": "/parcels", "create": {"to": "Ek"}, "change": {"to": "Ro"}})],
    ),
    (step("P09", tables=["a", "b"]), [("P09", {"tables": ["a", "b"]})]),
    (step("P12", command="ls", expect_exit_code=2), [("P12", {"command": "ls", "exit_code": 2})]),
    (
        step("P12", command="ls", expect_success=True, expect_output_contains="a.b"),
        [("P12", {"command": "ls", "exit_code": 0, "output": r"a\.b"})],
    ),
    (step("P13", role="admin"), [LOGIN]),
    (step("P15", expected_status=201), [("P15", {"status": [201]})]),
    (step("P15", expected_status=[200, 201]), [("P15", {"status": [200, 201]})]),
    (step("P15", acceptable_statuses=[404]), [("P15", {"status": [404]})]),
    (step("P15", acceptable=["403"]), [("P15", {"status": [403]})]),
    (
        step("P16", path="/a", max_latency_ms=300),
        [("P16", {"method": "GET", "path": "/a", "max_ms": 300})],
    ),
    (step("P21", path="app.log", pattern="boot"), [("P21", {"path": "app.log", "pattern": "boot"})]),
    (step("P26", path="items", min_count=3), [("P07", {"path": "$.items[2]", "op": "exists"})]),
    (step("SCREENSHOT", path="/"), [("SCREENSHOT", {"path": "/"})]),
    (
        step("RENDER_DOM", url="http://localhost:1/x", assertions=[{"selector": "h1", "text": "Hi"}]),
        [("RENDER_DOM", {"path": "/x", "expect": [{"do": "see", "target": "h1", "value": "Hi"}]})],
    ),
]


@pytest.mark.parametrize(("released", "ours"), SINGLE, ids=lambda v: str(v)[:60])
@pytest.mark.parametrize("key", ["primitive", "type"])
def test_a_primitive_is_read_by_what_it_means(released, ours, key, tmp_path):
    chain, _ = chain_of(tmp_path, {key: released["primitive"], "inputs": released["inputs"]})
    assert [(one.primitive, one.inputs) for one in chain] == ours
    for one in chain:
        one.typed()


ASSERTIONS = [
    ({"path": "$.a", "expected": 1}, [("equals", 1)]),
    ({"path": "a.b", "expected": "x"}, [("equals", "x")]),
    ({"path": "$.a", "op": "==", "expected": 1}, [("equals", 1)]),
    ({"path": "$.a", "operator": "gte", "expected": 5}, [("at_least", 5)]),
    ({"path": "$.a", "match_type": "greater_than", "expected": 0}, [("at_least", 0), ("not_equals", 0)]),
    ({"path": "$.a", "op": "<", "expected": 9}, [("at_most", 9), ("not_equals", 9)]),
    ({"path": "$.a", "match_type": "contains", "expected": "x"}, [("contains", "x")]),
    ({"path": "$.a", "match_type": "regex", "expected": "^x"}, [("matches", "^x")]),
    ({"path": "$.a", "op": "starts_with", "expected": "a.b"}, [("matches", r"^a\.b")]),
    ({"path": "$.a", "op": "exists", "expected": True}, [("exists", None)]),
    ({"path": "$.a", "match_type": "exists", "expected": None}, [("exists", None)]),
    ({"path": "$.a", "op": "exists", "expected": False}, [("absent", None)]),
    ({"path": "$.a", "op": "not_exists"}, [("absent", None)]),
    ({"path": "$.a", "op": "in", "expected": [1, 2]}, [("one_of", [1, 2])]),
    ({"path": "$.a", "expected_type": "integer"}, [("type", "integer")]),
    ({"path": "$.a", "op": "is_string"}, [("type", "string")]),
    ({"path": "$.a", "expected": "is_integer"}, [("type", "integer")]),
    ({"path": "$.a", "expected": "is_array"}, [("type", "array")]),
    ({"path": "$.a", "expected": "not_null"}, [("not_equals", None)]),
    (
        {"path": "$.a", "match_type": "not_empty", "expected": ""},
        [("not_equals", None), ("not_equals", ""), ("not_equals", [])],
    ),
    ({"path": "$.a", "expected": "number"}, [("equals", "number")]),
]


@pytest.mark.parametrize(("released", "ours"), ASSERTIONS, ids=lambda v: str(v)[:60])
def test_an_assertion_is_read_in_every_dialect(released, ours, tmp_path):
    chain, _ = chain_of(tmp_path, step("P04", path="/a"), step("P07", assertions=[released]))
    assert [(one.inputs["op"], one.inputs.get("value")) for one in chain[1:]] == ours
    path = str(released["path"])
    assert {one.inputs["path"] for one in chain[1:]} == {path if path.startswith("$") else f"$.{path}"}
    assert all(one.typed() for one in chain)


def test_an_unknown_comparison_does_not_run_and_says_so(tmp_path):
    chain, codes = chain_of(tmp_path, step("P07", assertions=[{"path": "$.a", "op": "rhymes_with"}]))
    assert chain[0].primitive == "R_ASSERTION" and "comparison is not known" in codes["not_run"].found


def test_a_text_of_the_body_is_captured_beside_the_status(tmp_path):
    chain, codes = chain_of(
        tmp_path,
        step("P04", path="/config.js"),
        step("P15", expected_status=[200, 304]),
        step("P07", assertions=[{"path": "body_contains", "expected": "p2p(1)"}]),
    )
    assert chain[2].primitive == "P15" and chain[2].inputs == {"status": [200, 304]}
    assert list(chain[2].capture.values()) == [r"text:p2p\(1\)"]
    assert codes["body_contains"].severity == "note"


OWN_NAMES = [
    (step("P21", url="ws://localhost:1/ws", send="x"), "R_WEBSOCKET"),
    (step("P19", assertions=[{"selector": "h1", "exists": True}]), "R_DOM"),
    (step("P26", values=[1]), "R_MINIMUM"),
    (step("P14", role="moderator", action="startRecording", expected_result="allowed"), "R_ACTION"),
    (step("P12", command="mongosh", container="mongo_parcels"), "R_CONTAINER"),
    (step("P05", resource="/a", id_path="/b", create_body={}), "R_CRUD"),
    (step("P08", sql="SELECT 1"), "R_SQL"),
    (step("P18", steps=[{"action": "dance"}]), "R_BROWSER"),
    (step("P22", anything=1), "R_P22"),
    (step("P23", anything=1), "R_P23"),
    (step("P16", path="/a"), "R_P16"),
    (step(""), "R_NONE"),
]


@pytest.mark.parametrize(("released", "name"), OWN_NAMES, ids=lambda v: str(v)[:50])
def test_what_ours_do_not_mean_gets_a_name_of_its_own(released, name, tmp_path):
    chain, codes = chain_of(tmp_path, released)
    assert chain[-1].primitive == name and name not in PRIMITIVES
    assert codes["not_run"].severity == "lost" and codes["not_run"].where.startswith("ONE[")


def test_requests_carry_the_session_of_the_login_before_them(tmp_path):
    chain, _ = chain_of(
        tmp_path,
        step("P04", path="/a"),
        step("P13", role="admin"),
        step("P04", path="/b"),
        step("P04", path="/c", skip_auth=True),
        step("P14", role="guest", action="POST /d", expected_result="denied", body={"x": 1}),
    )
    users = [(one.primitive, one.inputs.get("user")) for one in chain]
    assert users == [
        ("P04", None),
        ("P13", "admin"),
        ("P04", "admin"),
        ("P04", None),
        ("P13", "guest"),
        ("P14", "guest"),
    ]
    assert chain[-1].inputs == {
        "method": "POST", "path": "/d", "user": "guest", "json": {"x": 1}, "allowed": False
    }  # fmt: skip


def test_constants_and_environment_variables_are_filled(tmp_path):
    found = adopted(
        tmp_path,
        node(
            "ONE",
            step("P04", path="{{V3}}/x"),
            step("P04", path="${V1}/y"),
            step("P12", command="${CLI:-app} up"),
            step("P12", command="${NOBODY} up"),
        ),
        meta={"task_id": "task_parcels", "placeholders": {"V3": "/v3"}, "path_prefixes": {"V1": "/v1"}},
    )
    texts = [one.inputs.get("path", one.inputs.get("command")) for one in found.nodes[0].chain]
    assert texts == ["/v3/x", "/v1/y", "app up", "${NOBODY} up"]
    assert [a.severity for a in found.anomalies if a.code == "environment"] == ["note", "note", "lost"]


def test_captures_by_name_by_node_and_by_guess(tmp_path):
    found = adopted(
        tmp_path,
        node(
            "MAKE",
            step("P13", role="admin"),
            step("P04", method="POST", path="/parcels", body={"to": "Ek"}, save_as="one"),
            step("P04", path="/parcels/{{_last_created_id}}"),
            step("P07", assertions=[{"path": "$.to.id", "op": "exists", "save_as": "to id"}]),
            step("P04", path="/people/{{to_id}}/{{_last_response_body.key}}"),
            step("P04", path="/parcels/{{one}}"),
        ),
        node(
            "USE",
            step("P04", path="/parcels/{{MAKE.created_id}}", store_as="got"),
            step("P04", path="/mail/{{admin_email}}"),
            prereqs=["MAKE"],
        ),
    )
    make, use = found.nodes
    assert make.chain[1].capture == {"one": "$.id", "last_id": "$.id", "created_id": "$.id"}
    assert make.chain[2].inputs["path"] == "/parcels/{{last_id}}"
    assert make.chain[3].capture == {"to_id": "$.to.id"}
    assert make.chain[4].inputs["path"] == "/people/{{to_id}}/{{last.key}}"
    assert use.chain[0].inputs["path"] == "/parcels/{{MAKE.created_id}}" and use.chain[0].capture == {
        "got": "$.id"
    }
    assert use.chain[1].inputs["path"] == "/mail/{{users.admin.email}}"
    codes = [a.code for a in found.anomalies]
    assert codes.count("implicit_id") == 2 and "unbound" not in codes


def test_a_name_that_nothing_captures_is_lost(tmp_path):
    _, codes = chain_of(tmp_path, step("P04", path="/a/{{daily_id}}"))
    assert codes["unbound"].found == "{{daily_id}}" and codes["unbound"].severity == "lost"


def test_columns_stay_one_primitive_and_indexes_split(tmp_path):
    chain, codes = chain_of(
        tmp_path,
        step("P10", table="parcels", expected_columns=["id", "to"]),
        step("P11", table="parcels", expected_indexes=["to", ["to", "at"]]),
        scoring={"method": "weighted"},
    )
    assert [one.primitive for one in chain] == ["P08", "P11", "P11"]
    assert chain[0].inputs["parameters"] == ["parcels", "id,to"]
    assert chain[2].inputs == {"table": "parcels", "columns": ["to", "at"]}
    assert codes["split"].severity == "changed"


def test_rows_of_a_query_are_typed_questions(tmp_path):
    chain, _ = chain_of(tmp_path, step("P08", sql="SELECT 1 AS ok", expected_result={"ok": 1}, min_rows=2))
    assert chain[0].inputs["expect"] == [
        {"path": "$[0].ok", "op": "equals", "value": 1},
        {"path": "$[1]", "op": "exists"},
    ]


def test_a_page_and_the_questions_about_it_become_one_way(tmp_path):
    chain, codes = chain_of(
        tmp_path,
        step(
            "P18",
            steps=[
                {"action": "navigate", "url": "http://localhost:8026/room"},
                {"action": "wait", "timeout": 12000},
                {"action": "fill", "selector": "#name", "value": "Ek"},
                {"action": "click", "selector": "button"},
            ],
        ),
        step("P19", assertions=[{"selector": ".bar", "exists": True}, {"selector": ".no", "exists": False}]),
        scoring={"method": "weighted"},
    )
    (way,) = chain
    assert [(act["do"], act["target"]) for act in way.inputs["acts"]] == [
        ("open", "/room"),
        ("fill", "#name"),
        ("click", "button"),
        ("see", ".bar"),
        ("not_see", ".no"),
    ]
    assert codes["joined"].severity == "changed" and codes["waits"].severity == "note"


def test_several_requests_become_turns(tmp_path):
    chain, _ = chain_of(
        tmp_path,
        step(
            "P29",
            steps=[
                {"method": "POST", "path": "/a", "body": {}, "expected_status": 201, "store_as": "a"},
                {"path": "/a/{{a}}", "assertions": [{"path": "$.x", "expected": "not_null"}]},
            ],
        ),
    )
    first, second = chain[0].inputs["turns"]
    assert first["status"] == [201] and first["capture"] == {"a": "$.id"}
    assert second["expect"] == [{"path": "$.x", "op": "not_equals", "value": None}]


def test_a_judge_is_told_the_rubric_and_what_to_look_at(tmp_path):
    chain, _ = chain_of(
        tmp_path,
        step("P17", rubric_prompt="(1) Neat?", evidence_type="code_files", files_to_sample=["app/", "x.rb"]),
        scoring={"method": "llm-judge", "maxScore": 6},
    )
    assert chain[0].inputs["paths"] == ["app/**/*", "x.rb"] and chain[0].inputs["evidence"] == "code"
    for kind, evidence in (("http_response_html", "page"), ("http_response_body", "body")):
        page, _ = chain_of(tmp_path, step("P17", rubric_prompt="(1)?", evidence_type=kind))
        assert page[0].inputs["evidence"] == evidence


def test_nodes_keep_their_scoring_and_repairs_are_said(tmp_path):
    found = adopted(
        tmp_path,
        node("A B", step("P15", status=200)),
        node("TWICE", step("P15", status=200), prereqs=["GONE"], scoring={"method": "odd", "maxScore": "x"}),
        node("TWICE", prereqs=["TWICE"], complexity_tier="high_concurrency", scoring={"method": "llm-judge"}),
        node("NONE", step("P15", status=200), scoring={"category": ""}),
        "no node",
    )
    assert [one.id for one in found.nodes] == ["A_B", "TWICE", "TWICE.2", "NONE"]
    assert found.nodes[1].prerequisites == () and found.nodes[1].max_score == 1
    assert found.nodes[2].prerequisites == ("TWICE",) and found.nodes[2].method is Method.JUDGE
    assert found.nodes[2].tier is Tier.HIGH_CONCURRENCY
    codes = {one.code for one in found.anomalies}
    assert {"id", "duplicate_id", "unknown_prerequisite", "method", "max_score", "empty_chain", "node",
            "category", "total"} <= codes  # fmt: skip


@pytest.mark.parametrize(
    "categories", [{"API": {"maxScore": 2, "node_count": 1}}, {"API": 2}], ids=["object", "number"]
)
def test_scoring_config_is_read_in_both_forms_and_from_both_places(categories, tmp_path):
    config = {
        "categories": categories,
        "total_maxScore": 2,
        "trajectories": {"way": {"node_ids": ["ONE", "NO"]}},
    }
    inside = adopted(tmp_path, node("ONE", step("P15", status=200)), scoring_config=config)
    other = {**config, "trajectories": {"way": {"nodes": ["ONE"]}}, "total_maxScore": 9}
    place = folder(tmp_path / "b", graph(node("ONE", step("P15", status=200))), scoring=other)
    beside = adopt(place)
    assert inside.task.trajectories == beside.task.trajectories == {"way": ("ONE",)}
    assert [a.where for a in inside.anomalies if a.code == "trajectory"] == ["way"]
    assert [a.found for a in beside.anomalies if a.code == "total"] == ["9"]


def test_the_smoke_graph_goes_before_the_other(tmp_path):
    place = folder(tmp_path / "a", graph(node("WHOLE", step("P15", status=200))))
    folder(place, graph(node("SMOKE", step("P15", status=200))), name="dag_smoke.json")
    found = adopt(place)
    assert [one.id for one in found.nodes] == ["SMOKE"]
    assert "two_graphs" in {one.code for one in found.anomalies}


def test_profiles(tmp_path):
    document = graph(node("ONE", step("P15", status=200)))
    document["meta"]["task_id"] = "task_jtbxfpny"
    place = folder(tmp_path / "a", document)
    assert adopt(place).task.quirks == Quirks()
    known = adopt(place, profile=Profile.RELEASED).task.quirks
    assert known == Quirks(judge_number_ignored=True, binary_as_weighted=True, blocked_satisfies=True)
    strange = adopt(folder(tmp_path / "b", graph(node("ONE"))), profile=Profile.RELEASED)
    assert strange.task.quirks == Quirks() and "evaluator" in {one.code for one in strange.anomalies}


def test_a_written_task_is_a_task_folder_of_ours(tmp_path):
    document = graph(
        node("UP", step("P04", path="/"), step("P15", status=200)),
        node(
            "IN",
            step("P13", role="agent", username="a@x.test", password='p"w', login_path="/in"),
            prereqs=["UP"],
        ),
        scoring_config={"trajectories": {"happy path": {"node_ids": ["UP", "IN"]}}},
    )
    document["meta"]["task_id"] = "task_jzssnoqp"
    found = adopt(folder(tmp_path / "in", document), profile=Profile.RELEASED, domain=Domain.CG)
    out = write(found, tmp_path / "out")
    ours = BuildFolder(out)
    assert ours.task == found.task and ours.dag.nodes == found.nodes
    assert ours.dag.quirks == Quirks(post_422_passes=True, empty_chain_passes=True)
    assert ours.dag.trajectories == {"happy path": ("UP", "IN")}
    assert (ours.task.domain, ours.task.service, ours.task.login.path) == ("CG", "postgres", "/in")
    assert list(ours.task.users) == ["agent", "admin", "member"]
    assert ours.task.users["agent"].password == 'p"w'
    assert json.loads((out / "knowledge_base.json").read_text()) == KNOWLEDGE
    assert "parcel desk" in (out / "prd.md").read_text()
    about = json.loads((out / "adopted.json").read_text())
    assert len(about["files"]) == 3 and about["profile"] == "released"
    tomllib.loads((out / "task.toml").read_text())


def test_an_adoption_replaces_an_adoption_and_nothing_else(tmp_path):
    found = adopted(tmp_path, node("ONE", step("P15", status=200)))
    assert write(found, write(found, tmp_path / "out")) == tmp_path / "out"
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years")
    with pytest.raises(BadInput, match="holds something else than an adopted task"):
        write(found, tmp_path / "mine")


@pytest.mark.parametrize(
    "name",
    ["task.md", "knowledge_base.json", "docker/docker-compose.yml", "check/task_parcels_e/evaluate/dag.json"],
)
def test_a_file_that_leads_out_of_the_release_is_refused(name, tmp_path):
    place = folder(tmp_path / "a", graph(node("ONE", step("P15", status=200))))
    outside = tmp_path / "outside"
    (place / name).rename(outside)
    (place / name).symlink_to(outside)
    with pytest.raises(BadInput, match="leads out of the folder"):
        adopt(place)


def test_a_relative_path_is_read_like_an_absolute_one(tmp_path, monkeypatch):
    place = folder(tmp_path / "a", graph(node("ONE", step("P15", status=200))), rest=False)
    expected = adopt(place)
    monkeypatch.chdir(place)
    assert adopt(Path()) == expected


def test_reading_twice_gives_the_same(tmp_path):
    place = folder(tmp_path / "a", graph(node("ONE", step("P04", path="${NO}"))))
    assert adopt(place) == adopt(place)


def test_files_that_are_missing_are_said_and_may_be_given(tmp_path):
    bare = folder(tmp_path / "a", graph(node("ONE", step("P15", status=200))), rest=False)
    codes = [one.code for one in adopt(bare).anomalies]
    assert codes.count("file_missing") == 2 and "service" in codes
    (tmp_path / "prd.md").write_text("Build it.")
    (tmp_path / "kb.json").write_text("[]")
    given = adopt(bare, prd=tmp_path / "prd.md", knowledge=tmp_path / "kb.json")
    assert "file_missing" not in [one.code for one in given.anomalies]
    assert given.source.prd == "Build it."


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ("{", "is not JSON"),
        ("[]", "nodes: must be a list of nodes"),
        ('{"nodes": 3}', "nodes: must be a list of nodes"),
        ("[" * 100_000, "is not JSON"),
    ],
)
def test_a_broken_graph_is_named_in_one_line(document, message, tmp_path):
    with pytest.raises(BadInput, match=message) as caught:
        adopt(folder(tmp_path / "a", document))
    assert "dag.json" in str(caught.value) and "\n" not in str(caught.value)


def test_a_folder_without_or_with_several_tasks_is_refused(tmp_path):
    with pytest.raises(BadInput, match="no such folder"):
        adopt(tmp_path / "none")
    with pytest.raises(BadInput, match=r"holds no dag_smoke\.json or dag\.json"):
        adopt(tmp_path)
    folder(tmp_path / "a", graph(node("ONE")))
    folder(tmp_path / "b", graph(node("ONE")))
    with pytest.raises(BadInput, match="holds 2 graphs"):
        adopt(tmp_path)


@pytest.mark.parametrize("knowledge", ["3", '{"a": 1}', "[1]"])
def test_a_broken_knowledge_base_is_named(knowledge, tmp_path):
    place = folder(tmp_path / "a", graph(node("ONE")))
    (place / "knowledge_base.json").write_text(knowledge)
    with pytest.raises(BadInput, match=r"knowledge_base\.json: must hold a list of entries"):
        adopt(place)


@pytest.mark.parametrize(
    "odd",
    [
        {"id": "A"},
        {"id": 3, "prereqs": "x", "primitive_chain": "y", "scoring": []},
        {"id": "A", "primitive_chain": [None, 3, {"type": "P07", "inputs": None}, {"inputs": []}]},
        {"id": "A", "primitive_chain": [{"type": "P07", "inputs": {"assertions": [3, {"path": None}]}}]},
        {"id": "A", "primitive_chain": [{"type": "P29", "inputs": {"steps": [3]}}]},
        {"id": "A", "primitive_chain": [{"type": "P18", "inputs": {"steps": 3}}]},
        {"id": "A", "primitive_chain": [{"type": "P17", "inputs": {"files_to_sample": 3}}]},
        {"id": "A", "primitive_chain": [{"type": "P06", "inputs": {"required_fields": 3}}]},
        {"id": "A", "primitive_chain": [{"type": "P08", "inputs": {"sql": 3, "min_rows": "x"}}]},
    ],
)
def test_odd_shapes_are_anomalies_never_crashes(odd, tmp_path):
    found = adopted(tmp_path, odd)
    assert len(found.nodes) == 1 and found.anomalies


def test_a_category_without_a_backbone_counts_in_logic(tmp_path):
    place = folder(tmp_path / "a", graph(node("ONE", scoring={"category": "Reactions"}), node("TWO")))
    found = adopt(place, known_category=lambda category: category == "API")
    assert [one.category for one in found.nodes] == ["BusinessLogic_Reactions", "API"]
    assert "BusinessLogic_Reactions: counts in Logic" in {one.repair for one in found.anomalies}
