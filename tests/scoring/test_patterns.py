import pytest

from tenure.schema import BadInput, Connection, Ending, Footprint, JournalEntry, Persona, Suite, Task, Via
from tenure.scoring import patterns_of

from .make import finding, judged

TASK = Task(
    suite=Suite.CARRY,
    name="renewal",
    title="Renewal",
    version="1-0",
    canary="x" * 32,
    twins=("gmail", "hubspot"),
    world="harbour",
    persona=Persona(email="ada@example.com", name="Ada", role="Account manager", zone="Europe/Berlin"),
    horizon_hours=24,
    rule_check="rule",
    rule_record="policy",
    hardest_check="hard",
    hardest_record="deal",
    pointing_records=("thread", "note"),
    footprint=Footprint(),
)
FACTS = {"policy": "message/p", "deal": "deal/7", "thread": ["message/1", "message/2"], "note": "note/a/b"}
POINTING = (("message", "1"), ("message", "2"), ("note", "a/b"))


def answered(*records: tuple[str, str], status: int = 200, via: Via = Via.REST) -> Connection:
    return Connection(
        n=1, at=0, host="api.test", method="GET", path="/", status=status, via=via, records=records
    )


def change(before, after, *, seq=1, via=Via.REST, cause=None, incidental=False, id="7"):
    return JournalEntry(
        seq=seq,
        at=0,
        actor="ada",
        via=via,
        cause=cause,
        kind="deal",
        id=id,
        fields={"amount": (before, after)},
        incidental=incidental,
    )


def shown(findings, ending=Ending.DONE, connections=(), journal=()):
    return patterns_of(TASK, FACTS, findings, ending, connections, journal)


def test_a_pass_and_an_error_show_no_pattern():
    assert shown([finding("rule")]) == ()
    assert shown([finding("rule", "error")]) == ()
    assert shown([finding("rule", "failed")], Ending.FAULT) == ()


def test_done_and_wrong_needs_the_agents_own_ending():
    found = [finding("a", "failed"), finding("b", "failed")]
    assert shown(found) == ("done_and_wrong",)
    assert shown(found, Ending.OUT_OF_TIME) == ()


def test_one_check_short_counts_required_checks_only():
    found = [
        finding("a"),
        finding("b", "failed"),
        judged("j", "failed"),
        finding("w", "failed", required=False),
    ]
    assert shown(found, Ending.OUT_OF_STEPS) == ("one_check_short",)
    assert shown([finding("a")], Ending.OUT_OF_STEPS) == ()


def test_rule_elsewhere_needs_work_that_the_rule_governs():
    broke = [finding("rule", "failed"), finding("b", "failed")]
    assert "rule_elsewhere" in shown([*broke, finding("work")])
    assert "rule_elsewhere" not in shown([*broke, finding("quiet", guard=True)])
    assert "rule_elsewhere" not in shown([finding("rule"), finding("work", "failed")])


READ = (answered(*POINTING[:2]), answered(POINTING[2], via=Via.MCP))
HARD = [finding("hard", "failed"), finding("b", "failed")]


def test_read_then_left():
    assert "read_then_left" in shown(HARD, connections=READ)
    assert "read_then_left" in shown(HARD, connections=READ, journal=[change(1, 2, id="8")])
    assert "read_then_left" not in shown([finding("hard"), finding("b", "failed")], connections=READ)


@pytest.mark.parametrize(
    "connections",
    [(), READ[:1], (answered(*POINTING, status=403),), (answered(*POINTING, via=Via.WORLD),)],
    ids=["none", "some", "refused", "between apps"],
)
def test_records_that_never_reached_the_agent_were_not_read(connections):
    assert "read_then_left" not in shown(HARD, connections=connections)


def test_a_task_without_pointing_records_never_shows_them_read():
    task = TASK.model_copy(update={"pointing_records": ()})
    assert "read_then_left" not in patterns_of(task, FACTS, HARD, Ending.DONE, READ, ())


@pytest.mark.parametrize(
    "journal",
    [
        [change(1, 2, via=Via.BASE)],
        [change(1, 2, via=Via.WORLD)],
        [change(1, 2, incidental=True)],
        [change(1, 2), change(2, 1, seq=2)],
        [change(1, 2, seq=5, via=Via.WORLD, cause=5)],
    ],
    ids=["seeded", "the world's own", "incidental", "put back", "broken cause"],
)
def test_the_hardest_record_was_left_as_it_was(journal):
    assert "read_then_left" in shown(HARD, connections=READ, journal=journal)


@pytest.mark.parametrize(
    "journal",
    [[change(1, 2)], [change(3, 4, id="9"), change(1, 2, seq=2, via=Via.WORLD, cause=1)]],
    ids=["by the agent", "as a consequence"],
)
def test_the_hardest_record_was_changed(journal):
    assert "read_then_left" not in shown(HARD, connections=READ, journal=journal)


@pytest.mark.parametrize("held", [None, "", "deal", "deal/", 7, ["deal"]])
def test_a_fact_that_names_no_record_is_bad_input(held):
    with pytest.raises(BadInput, match=r"carry/renewal: fact 'note' must hold kind/id"):
        patterns_of(TASK, {**FACTS, "note": held}, HARD, Ending.DONE, READ, ())
