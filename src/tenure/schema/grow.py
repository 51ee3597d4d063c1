"""The grow suite's declarations: a product, its stages, and the plans that grade the finished product.

What graders say about plans is in :mod:`tenure.schema.verdict`.
"""

from enum import StrEnum
from typing import Literal

from pydantic import Field, field_validator, model_validator

from tenure.schema.shape import Shape
from tenure.schema.task import VERSION
from tenure.schema.words import Suite

NAME = r"^[a-z0-9]+(?:[-_.][a-z0-9]+)*$"
"""How stages, features, behaviours, plans, steps, checks and users are named."""


class Audience(StrEnum):
    """Who gets an asset. The builder never sees what is only the others'."""

    BUILDER = "builder"
    SEEDER = "seeder"
    GRADER = "grader"


class Subset(StrEnum):
    """Whether a product is released or kept from training data."""

    PUBLIC = "public"
    HELD_OUT = "held_out"


class Rules(StrEnum):
    """Whose rules a product is graded and scored by."""

    PROTOCOL = "protocol"
    V1 = "v1"
    """ViBench 1.0's, for products that were adopted from it (protocols, Grow 17)."""


class PlanKind(StrEnum):
    """What a plan is about (seed 001 §2.4)."""

    COMBINED = "combined"
    """Features used together."""
    SINGLE = "single"
    SIGN_IN = "sign-in"


class SeedKind(StrEnum):
    """What must be in place before a plan starts (protocols, Grow 7)."""

    NONE = "none"
    RECORDS = "records"
    """A seeding agent's script creates records; it may set configuration as well."""
    CONFIGURATION = "configuration"
    """Values in the environment, set before the product starts."""


class Basic(StrEnum):
    """The five basics that every builder is told of and no PRD repeats (protocols, Grow 4)."""

    EMPTY_START = "empty_start"
    NOTHING_LOST = "nothing_lost"
    NOTHING_FALSE = "nothing_false"
    ONE_CLICK = "one_click"
    REFUSAL_MESSAGE = "refusal_message"


BASICS = {
    Basic.EMPTY_START: "the product starts on an empty database",
    Basic.NOTHING_LOST: "nothing that the user saves is lost",
    Basic.NOTHING_FALSE: "nothing shows as saved that was not saved",
    Basic.ONE_CLICK: "one click does one thing",
    Basic.REFUSAL_MESSAGE: "a refused action shows a message",
}
"""Basic → its sentence."""


class Behaviour(Shape):
    """One thing that the product must do. It traces to a quotation of its stage's PRD, or to a basic."""

    says: str = Field(min_length=1)
    """A sentence that is true of a right product."""
    quotes: str = ""
    """Words of the PRD, as they stand there: the statement itself, or what directly implies it."""
    implied: str = ""
    """Why the quotation implies it, where it does not state it."""
    basic: Basic | None = None


class Asset(Shape):
    """A file below the product's ``assets/``."""

    file: str
    """Path below ``assets/``."""
    audience: tuple[Audience, ...] = Field(min_length=1)


class Stage(Shape):
    """One request: what ``stages/NN-name/stage.toml`` declares about the ``prd.md`` beside it."""

    title: str
    depends_on: tuple[str, ...] = ()
    """Names of the stages whose behaviour this one builds on."""
    features: dict[str, str] = Field(min_length=1)
    """What it adds: name → title."""
    behaviours: dict[str, Behaviour] = Field(default_factory=dict)
    """What it asks for, each graded by exactly one plan."""
    replaces: tuple[str, ...] = ()
    """Behaviours of earlier stages that no longer hold once this one is built; no plan grades them."""
    assets: tuple[Asset, ...] = ()


class Seed(Shape):
    """What a plan needs before it starts."""

    kind: SeedKind = SeedKind.NONE
    records: str = ""
    """What must exist, in words, for the seeding agent."""
    environment: dict[str, str] = Field(default_factory=dict)
    """Values that differ from the product's own."""
    files: tuple[str, ...] = ()
    """Assets for the seeding agent."""

    @model_validator(mode="after")
    def _holds_its_kind(self) -> "Seed":
        has_records = bool(self.records.strip())
        if self.kind is SeedKind.NONE and (has_records or self.environment or self.files):
            raise ValueError("a seed of kind none holds nothing")
        if self.kind is SeedKind.RECORDS and not has_records:
            raise ValueError("a seed of records says in records what must exist")
        if self.kind is SeedKind.CONFIGURATION and (has_records or not self.environment):
            raise ValueError("a seed of configuration holds an environment, and no records")
        return self


class Action(Shape):
    """One thing that the grader does as a user."""

    does: str = Field(min_length=1)
    user: str = ""
    """Whose browser session; the plan's only user without it."""


class PlanCheck(Shape):
    """One thing that must be seen after a step's actions."""

    id: str = Field(pattern=NAME)
    says: str = Field(min_length=1)
    """A sentence about what a user sees, true when the check passes."""
    behaviour: str = ""
    """The behaviour that it grades."""
    user: str = ""
    """Whose session shows it, where that matters."""


class PlanStep(Shape):
    """A few related actions and the checks that follow them. It passes when every check does."""

    name: str = Field(pattern=NAME)
    actions: tuple[Action, ...] = ()
    checks: tuple[PlanCheck, ...] = Field(min_length=1)
    notes: tuple[str, ...] = ()
    """What to write down, in words; never graded."""
    reloads: tuple[str, ...] = ()
    """Users whose page may be reloaded in this step."""


class Plan(Shape):
    """A test plan, as ``plans/<id>.toml`` gives it. It passes when every step does."""

    id: str = Field(pattern=NAME)
    """The file's name."""
    title: str
    kind: PlanKind
    features: tuple[str, ...] = ()
    """Every feature that it uses, whichever stage added it."""
    grades: tuple[str, ...] = ()
    """Behaviours that this plan alone grades."""
    notes: tuple[str, ...] = ()
    """Behaviours that it meets and that another plan grades: what happened is written down."""
    catches: tuple[str, ...] = ()
    """Mistakes that it is written to detect."""
    accepts: tuple[str, ...] = ()
    """Variants that pass: other wordings, other places."""
    users: tuple[str, ...] = Field(min_length=1)
    """One browser session each."""
    seed: Seed = Seed()
    files: tuple[str, ...] = ()
    """Assets for the grader, such as a picture to upload."""
    steps: tuple[PlanStep, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _names_are_its_own(self) -> "Plan":
        for what, names in (
            ("user", self.users),
            ("step", [step.name for step in self.steps]),
            ("check", [check.id for check in self.checks]),
        ):
            twice = next((name for n, name in enumerate(names) if name in names[:n]), None)
            if twice is not None:
                raise ValueError(f"two have the {what} name {twice!r}")
        return self

    @property
    def checks(self) -> list[PlanCheck]:
        """The checks of every step, in order."""
        return [check for step in self.steps for check in step.checks]


class Product(Shape):
    """A grow task folder's declaration, as its ``task.toml`` gives it."""

    suite: Literal[Suite.GROW]
    name: str
    title: str
    version: str
    canary: str = Field(min_length=32)
    domain: str
    """The kind of software, in a few words."""
    subset: Subset = Subset.PUBLIC
    rules: Rules = Rules.PROTOCOL
    service: str = "postgres"
    port: int = 8000
    setup: str = "setup.sh"
    """Script below ``/app`` that prepares the product on an empty database."""
    start: str = "start.sh"
    """Script below ``/app`` that starts it."""
    packages: tuple[str, ...] = ()
    """Python distributions that a reference needs; every workspace of the product has them."""
    environment: dict[str, str] = Field(default_factory=dict)
    """Constants that PRDs fix in the environment, with the values that hold where no plan sets them."""

    @field_validator("version")
    @classmethod
    def _version(cls, value: str) -> str:
        if not VERSION.match(value):
            raise ValueError(f"version {value!r} must look like 1-0")
        return value

    @property
    def id(self) -> str:
        """``suite/name``, the name that commands take."""
        return f"{self.suite}/{self.name}"
