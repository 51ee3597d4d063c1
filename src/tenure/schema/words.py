"""The closed vocabularies of design and protocols."""

from enum import StrEnum


class Suite(StrEnum):
    """The four suites."""

    CARRY = "carry"
    OPERATE = "operate"
    BUILD = "build"
    GROW = "grow"


class Interface(StrEnum):
    """How an agent reaches a world: REST and MCP together, or the screen."""

    API = "api"
    SCREEN = "screen"


class Backend(StrEnum):
    """How a screen is made.

    ``desktop``: a real X display with a browser window; the one of record. ``page``: a headless
    page below a drawn tab strip and address bar; quicker, marked wherever it is shown, never ranked.
    """

    PAGE = "page"
    DESKTOP = "desktop"


class Outcome(StrEnum):
    """The six outcomes. Planned is always their sum (protocols, All suites)."""

    PASSED = "passed"
    FAILED = "failed"
    BLOCKED = "blocked"
    ERROR = "error"
    UNJUDGED = "unjudged"
    NOT_RUN = "not_run"


class Via(StrEnum):
    """The door through which a record changed."""

    SCREEN = "screen"
    REST = "rest"
    MCP = "mcp"
    WORLD = "world"
    BASE = "base"


class Ending(StrEnum):
    """How the agent's part of an attempt ended.

    All but ``DONE`` fail the attempt (protocols, Carry 4); ``FAULT`` is ours, never the agent's,
    and makes the attempt's outcome ``error``.
    """

    DONE = "done"
    OUT_OF_TIME = "out_of_time"
    OUT_OF_TOKENS = "out_of_tokens"
    OUT_OF_STEPS = "out_of_steps"
    OVER_ATTEMPT_BUDGET = "over_attempt_budget"
    OVER_RUN_BUDGET = "over_run_budget"
    NO_VALID_ANSWER = "no_valid_answer"
    REFUSED = "refused"
    CONTEXT_EXHAUSTED = "context_exhausted"
    CONTENT_FILTER = "content_filter"
    SHELL_ACCESS = "shell_access"
    FAULT = "fault"
