"""Each rule of proof breaks under a task that is wrong in just that way."""

from pathlib import Path

import pytest

from support.tasks import copy_reply
from tenure.prove import ProofRecord, Tier, prove, stored_proof
from tenure.schema import Outcome
from tenure.schema.folder import TaskFolder

PASSES = "the oracle passes every check by every way, without a refusal"
IDLE = "the idle agent passes guards only"
KILLED = "every check fails under a mutant, every guard under a vandal"
DECLARED = "mutants and vandals fail what they declare"
KNOWN = "what checks demand can be known before writing"
REPEATS = "the same state gets the same findings; equal work, equal states"
JUDGED = "judged checks follow the judge"
RAN = "every script ran"


def proof(task: Path, *seeds: int) -> ProofRecord:
    """A quick proof."""
    return prove(TaskFolder(task), Tier.QUICK, seeds or (11,))


def broken(record: ProofRecord) -> dict[str, str]:
    """Rule → what breaks it."""
    return {rule.rule: rule.detail for rule in record.rules if not rule.holds}


def test_the_example_is_proven_at_other_seeds_too(reply: Path) -> None:
    record = proof(reply, 1, 2, 3, 11)
    assert broken(record) == {}
    assert record.holds
    assert [rule.rule for rule in record.rules] == [
        PASSES,
        IDLE,
        KILLED,
        DECLARED,
        KNOWN,
        REPEATS,
        JUDGED,
        RAN,
    ]
    assert record.columns[:3] == ("oracle (REST first)", "oracle (MCP first)", "idle")
    assert record.matrix["draft"][:3] == (Outcome.PASSED, Outcome.PASSED, Outcome.FAILED)
    assert record.matrix["unsent"][-1] is Outcome.FAILED


@pytest.mark.parametrize(
    ("edits", "rule", "detail"),
    [
        pytest.param(
            {"checks": ("Saw(len(found) == 1,", "Saw(len(found) < 2,")},
            IDLE,
            "draft passes on the untouched world",
            id="a check that passes idle",
        ),
        pytest.param(
            {"checks": ("return Saw(not sent,", "return Saw(bool(end.differences) and not sent,")},
            IDLE,
            "guard unsent does not hold on the untouched world",
            id="a guard broken on the untouched world",
        ),
        pytest.param(
            {"mutants": ('kills=("draft",), repeat', 'kills=("draft", "date"), repeat')},
            DECLARED,
            "mutant: two drafts does not fail date",
            id="a mutant that does not fail what it declares",
        ),
        pytest.param(
            {
                "mutants": ('kills=("draft", "date"), skip="draft"', 'kills=("draft",), skip="draft"'),
                "checks": (
                    'return Saw(any(states(text, end.facts["delivery_day"]) for text in texts),',
                    "return Saw(bool(end.connections),",
                ),
            },
            KILLED,
            "no mutant fails date",
            id="a check that no mutant kills",
        ),
        pytest.param(
            {"mutants": ('/drafts/send", {"id": listed["drafts"][0]["id"]})', '/labels", {"name": "done"})')},
            KILLED,
            "no vandal fails unsent",
            id="a guard that no vandal breaks",
        ),
        pytest.param(
            {"mutants": ('kills=("draft",), repeat', 'kills=("drafts",), repeat')},
            DECLARED,
            "mutant: two drafts names 'drafts', which is no check",
            id="a mutant that names an unknown check",
        ),
        pytest.param(
            {"mutants": ('repeat="draft"', 'repeat="drafting"')},
            RAN,
            "mutant: two drafts changes steps that the oracle does not have: drafting",
            id="a mutant that names an unknown step",
        ),
        pytest.param(
            {
                "checks": (
                    'recorded("delivery_day", "answer_mail")',
                    'recorded("delivery_day", "question_mail")',
                )
            },
            KNOWN,
            "stands in none of its records",
            id="a value that stands nowhere",
        ),
        pytest.param(
            {"checks": ('recorded("delivery_day", "answer_mail")', 'recorded("deadline", "answer_mail")')},
            KNOWN,
            "date expects deadline: no such fact",
            id="a value that is no fact",
        ),
        pytest.param(
            {"checks": ('recorded("customer_email", "question_mail")', 'recorded("customer_email")')},
            KNOWN,
            "it names no record",
            id="a value without a source",
        ),
        pytest.param(
            {
                "oracle": (
                    '    text = f"Hello',
                    "    import contextlib\n    with contextlib.suppress(Exception):\n"
                    "        await hands.http.get(f'{GMAIL}/messages/none')\n"
                    '    text = f"Hello',
                ),
            },
            PASSES,
            "refused: http_request",
            id="an oracle that was refused",
        ),
        pytest.param(
            {"oracle": ("from:warehouse", "from:nobody")},
            RAN,
            "oracle (REST first) could not go on: KeyError",
            id="an oracle that cannot go on",
        ),
        pytest.param(
            {
                "checks": (
                    "found = drafts(end)\n    return Saw(len",
                    "found = drafts(end)\n    1 / 0\n    return Saw(len",
                )
            },
            DECLARED,
            "draft raised: ZeroDivisionError",
            id="a grader that raises",
        ),
        pytest.param(
            {"task": ('create = ["gmail.message", "gmail.draft"]', 'create = ["gmail.draft"]')},
            PASSES,
            "stray: gmail.message",
            id="a footprint too small for the oracle",
        ),
        pytest.param(
            {
                "checks": (
                    '    return Question("Does this mail',
                    '    if found: return Saw(True, "")\n    return Question("Does this mail',
                )
            },
            JUDGED,
            "answers passed under a no",
            id="a judged check that asks nobody",
        ),
    ],
)
def test_a_rule_breaks(tmp_path: Path, edits: dict[str, tuple[str, str]], rule: str, detail: str) -> None:
    task = copy_reply(tmp_path, **edits)
    record = proof(task)
    found = broken(record)
    assert detail in found.get(rule, "holds"), found
    assert not record.holds
    assert stored_proof(TaskFolder(task), Tier.QUICK) is None, "what does not hold is not kept"


def test_a_check_that_answers_by_chance_breaks_the_proof(tmp_path: Path) -> None:
    chance = '"""What must be true at the end."""\n\nimport itertools\n\ncount = itertools.count()\n'
    task = copy_reply(tmp_path, checks=('"""What must be true at the end."""\n', chance))
    path = task / "checks.py"
    path.write_text(path.read_text().replace('f"{len(found)} new', 'f"{next(count)}: {len(found)} new'))
    assert "was graded differently the second time" in broken(proof(task))[REPEATS]


def test_an_oracle_that_works_by_chance_breaks_the_proof(tmp_path: Path) -> None:
    task = copy_reply(tmp_path, oracle=("Best regards, Ana", "Best regards, Ana {next(count)}"))
    path = task / "oracle.py"
    path.write_text(path.read_text().replace("import base64\n", "import base64\nimport itertools\n", 1))
    path.write_text(path.read_text().replace("GMAIL =", "count = itertools.count()\nGMAIL =", 1))
    assert "two oracle attempts ended in different states" in broken(proof(task))[REPEATS]


def test_what_the_oracle_read_too_late_is_not_known(tmp_path: Path) -> None:
    task = copy_reply(tmp_path, oracle=('    await hands.step("draft", draft, notes)\n', ""))
    path = task / "oracle.py"
    late = "    notes = Notes()\n    await hands.http.post(f'{GMAIL}/labels', {'name': 'later'})\n"
    text = path.read_text().replace("    notes = Notes()\n", late, 1)
    path.write_text(
        text.replace("read, notes)\n", 'read, notes)\n    await hands.step("draft", draft, notes)\n', 1)
    )
    assert "the oracle did not read gmail.message/" in broken(proof(task))[KNOWN]
