"""The adjudication file: what only a person can settle about a grader's verdicts (protocols, Grow 16).

``tenure`` writes one entry per case with nothing decided; a person fills it in. A dispute is a plan that
one grader passed and a second one failed: either may be wrong. A failure is a failed plan of the audit. A
miss is a grade that passes a plan although a bug was planted where the plan is aimed.

    [[dispute]]
    build = "grow/rides:sol:3"
    plan = "split-fare"
    first = "opus"
    second = "sol"
    says = "check share: the second grader saw 8.34"
    decision = ""
    by = ""
    why = ""
"""

import json
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Any

from pydantic import ValidationError

from tenure.schema.build import first_error
from tenure.schema.errors import BadInput
from tenure.schema.shape import Shape


class Dispute(StrEnum):
    """Who was wrong about a plan that two graders disagree on."""

    FIRST = "first"
    """The first grader's pass is false."""
    SECOND = "second"
    """The second grader's fail is false."""
    UNSAID = "unsaid"
    """The PRDs do not settle it."""


class Failure(StrEnum):
    """What a failed plan comes from (seed 001, Appendix D)."""

    BUG = "bug"
    """A genuine bug of the product."""
    GRADER = "grader"
    TEST = "test"
    """The plan is wrong."""
    HARNESS = "harness"
    UNSAID = "unsaid"
    """The PRDs do not settle it."""


class Miss(StrEnum):
    """Why a grade passes a plan whose bug was planted (seed 001, Appendix D)."""

    MISSED = "missed"
    """The bug was on screen."""
    NOT_REACHED = "not_reached"
    """The grader never came to where it shows."""
    NOT_VISIBLE = "not_visible"
    """No user can see it."""


class Case(Shape):
    """One entry, decided or not."""

    build: str
    """What was graded: product, model and number, as the audit names it; of a miss the bug and the grade."""
    plan: str
    first: str
    """The grader whose verdict is in question."""
    second: str = ""
    """The grader that disputes it, of a dispute."""
    says: str = ""
    """What the graders saw, in one line."""
    decision: str = ""
    by: str = ""
    """The person who decided."""
    why: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What names the case within its kind."""
        return self.build, self.plan


class Adjudication(Shape):
    """The whole file."""

    dispute: tuple[Case, ...] = ()
    failure: tuple[Case, ...] = ()
    miss: tuple[Case, ...] = ()


KINDS: dict[str, type[Dispute] | type[Failure] | type[Miss]] = {
    "dispute": Dispute,
    "failure": Failure,
    "miss": Miss,
}


def read(text: str, where: str = "the adjudication file") -> Adjudication:
    """Read a file.

    Raises:
        BadInput: It is not TOML, or an entry holds something else than its fields.
    """
    try:
        return Adjudication.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{where} is not TOML: {error}") from error
    except ValidationError as error:
        raise BadInput(f"{where}: {first_error(error)}") from error


def write(held: Adjudication) -> str:
    """The file's text. Reading it gives the same again."""
    lines = []
    for kind, decisions in KINDS.items():
        lines.append(f"# decision of a {kind}: {', '.join(decisions)}; by: a person's name; why: one line")
        for case in getattr(held, kind):
            lines += ["", f"[[{kind}]]", *(f"{k} = {_quoted(v)}" for k, v in _fields(case).items())]
        lines.append("")
    return "\n".join(lines)


def merge(held: Adjudication, wanted: Adjudication) -> Adjudication:
    """What is to be settled now, with the decisions that were made before.

    A decision is kept while the case is the same: build, plan, graders and what they saw. Decisions about
    cases that are not wanted now stay below the others: another look at the same grades may want them.
    """
    return Adjudication(
        **{kind: tuple(_merged(getattr(held, kind), getattr(wanted, kind))) for kind in KINDS}
    )


def about(held: Adjudication, wanted: Adjudication) -> Adjudication:
    """The entries about some cases; what another look asked for is left out."""
    known = {kind: {case.key for case in getattr(wanted, kind)} for kind in KINDS}
    return Adjudication(
        **{kind: tuple(case for case in getattr(held, kind) if case.key in known[kind]) for kind in KINDS}
    )


def undecided(held: Adjudication) -> int:
    """How many entries nobody decided."""
    return sum(not is_settled(case) for kind in KINDS for case in getattr(held, kind))


def sound(held: Adjudication, models: Iterable[str] = ()) -> Adjudication:
    """The entries in which ``lint`` finds no fault, whatever is wanted: no other counts.

    Args:
        held: The file.
        models: As ``lint`` takes them.
    """
    own = {model.casefold() for model in models}
    kept = {}
    for kind in KINDS:
        cases = getattr(held, kind)
        times = Counter(case.key for case in cases)
        kept[kind] = tuple(
            case for case in cases if times[case.key] == 1 and not any(_faults(kind, [case], [case], own))
        )
    return Adjudication(**kept)


def lint(held: Adjudication, wanted: Adjudication, models: Iterable[str] = ()) -> list[str]:
    """What is wrong with a file, one line per fault.

    Args:
        held: The file.
        wanted: The cases that the audit found.
        models: Names of the graders and builders: none of them may decide.
    """
    own = {model.casefold() for model in models}
    return [
        fault for kind in KINDS for fault in _faults(kind, getattr(held, kind), getattr(wanted, kind), own)
    ]


def is_settled(case: Case) -> bool:
    """Whether a person decided a case."""
    return bool(case.decision and case.by)


def _faults(kind: str, cases: Sequence[Case], wanted: Sequence[Case], models: set[str]) -> Iterator[str]:
    known = {case.key for case in wanted}
    for key, times in Counter(case.key for case in cases).items():
        if times > 1:
            yield f"{kind} {' / '.join(key)}: {times} entries"
    for case in cases:
        where = f"{kind} {case.build} / {case.plan}"
        if case.key not in known:
            yield f"{where}: is no case of this audit"
        if case.decision and case.decision not in set(KINDS[kind]):
            yield f"{where}: decision {case.decision!r} is none of {', '.join(KINDS[kind])}"
        if case.decision and not (case.by.strip() and case.why.strip()):
            yield f"{where}: a decision names who made it (by) and why"
        if {case.first.casefold(), case.second.casefold(), *models} & {case.by.casefold().strip()} - {""}:
            yield f"{where}: {case.by} is a model; a person decides"
        if (case.by or case.why) and not case.decision:
            yield f"{where}: by or why without a decision"
    for key in known - {case.key for case in cases}:
        yield f"{kind} {' / '.join(key)}: has no entry"


def _merged(held: Sequence[Case], wanted: Sequence[Case]) -> Iterator[Case]:
    known = {case.key for case in wanted}
    yield from (_kept(case, held) for case in wanted)
    yield from (case for case in held if case.decision and case.key not in known)


def _kept(case: Case, before: Sequence[Case]) -> Case:
    same = ("build", "plan", "first", "second", "says")
    old = next((one for one in before if all(getattr(one, f) == getattr(case, f) for f in same)), None)
    return old or case


def _fields(case: Case) -> dict[str, Any]:
    held = case.model_dump()
    return held if case.second else {name: value for name, value in held.items() if name != "second"}


def _quoted(text: str) -> str:
    # JSON's strings are TOML's, but for DEL.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
