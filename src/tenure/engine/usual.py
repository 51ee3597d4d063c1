"""What runs of each suite are when a command says nothing, and what they cannot be (protocols)."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from tenure.engine.build.settings import CLIS, Agent, Sampling, cli_version, machine_of, sampling_of
from tenure.schema import Suite

if TYPE_CHECKING:
    from tenure.engine.spec import RunSpec

NO_SEED = (0,)
"""Only carry has worlds that a seed varies."""
TWO_HOURS, THREE_HOURS = 7_200.0, 10_800.0
STAND_IN = "tenure/"
"""Models that are scripts of ours: they show what the platform does and never rank."""
_BUDGETS: dict[Suite, dict[str, Any]] = {
    Suite.BUILD: {"attempts": 1, "max_steps": 500, "time_limit": THREE_HOURS},
    Suite.GROW: {"attempts": 4, "max_steps": 300, "time_limit": TWO_HOURS},
    Suite.OPERATE: {"attempts": 3, "max_steps": 400, "time_limit": TWO_HOURS},
}
"""Build 1; Grow 1, where steps and time are a stage's; Operate 4 and 7 (the paper's pass@k goes to 3)."""
AGENTS: dict[Suite, tuple[Agent, ...]] = {
    Suite.CARRY: (),
    Suite.BUILD: (Agent.NATIVE, Agent.CLAUDE_CODE, Agent.CODEX, Agent.OPENHANDS),
    Suite.GROW: (Agent.NATIVE, Agent.CLAUDE_CODE, Agent.CODEX),
    Suite.OPERATE: (Agent.NATIVE, Agent.BROWSER_USE),
}
"""Who can work in a suite; carry has loops of its own."""
MACHINED = (Suite.BUILD, Suite.GROW)
"""Suites whose agent works in a machine."""


def usual(given: Mapping[str, Any], packages: Callable[[Any], Iterable[str]]) -> dict[str, Any]:
    """The fields of a run, with its suite's defaults where nothing is given.

    Args:
        given: The fields that are.
        packages: The distributions that the run's tasks have in their machines.
    """
    suite = Suite(given["suite"])
    if suite is Suite.CARRY:
        return dict(given)
    agent = Agent(given.get("agent") or Agent.NATIVE)
    own: dict[str, Any] = {
        "agent": agent,
        "agent_version": given.get("agent_version") or cli_version(agent),
        "interface": None,
        "seeds": NO_SEED,
        **_BUDGETS[suite],
    }
    if suite in MACHINED and not given.get("image"):
        own |= machine_of(given.get("sandbox"), packages(given["tasks"]))
    if suite is Suite.GROW and str(given.get("model", "")).startswith(STAND_IN):
        own["grader"] = f"{STAND_IN}oracle"
    return own | {name: value for name, value in given.items() if value is not None}


def refuse(spec: "RunSpec") -> None:
    """Refuse what a run of its suite cannot be.

    Raises:
        ValueError: It is so; the text names the option.
    """
    suite, agents = spec.suite, AGENTS[spec.suite]
    if suite is not Suite.CARRY and (spec.interface is not None or spec.backend is not None):
        raise ValueError(f"{suite} has no --interface and no --backend: {_WAYS[suite]}")
    if spec.agent is not None and spec.agent not in agents:
        raise ValueError(f"--agent {spec.agent}: {suite} has {', '.join(agents) or 'loops of its own'}")
    if suite is not Suite.CARRY and tuple(spec.seeds) != NO_SEED:
        raise ValueError(f"--seed goes with carry only: tasks of {suite} do not vary")
    if spec.registries and suite not in MACHINED:
        raise ValueError("--registries goes with build and grow only")
    if suite in MACHINED and spec.agent in CLIS and spec.sandbox == "process":
        raise ValueError(f"--agent {spec.agent} needs an isolated machine; install bubblewrap")
    if suite is Suite.BUILD:
        if spec.attempts != 1:
            raise ValueError("--attempts: a build is one attempt per task and row; it is not tried again")
        if len(spec.judges) > 1:
            raise ValueError("--judge: one judge scores a build's judged nodes")
    if suite is Suite.GROW:
        if spec.grader is None:
            raise ValueError(
                "--grader: grow needs a model that seeds and grades, of another family if it can"
            )
        if spec.judges:
            raise ValueError("--judge: plans of grow are graded by --grader, and nothing is judged")
        if spec.grader.startswith(STAND_IN) and not spec.stand_in:
            raise ValueError("--grader: the stand-ins can grade what stand-ins build only")
    elif spec.grader is not None:
        raise ValueError("--grader goes with grow only")
    if spec.agent is Agent.BROWSER_USE and spec.stand_in:
        raise ValueError("--agent browser-use: stand-ins play the native agent only")
    if not spec.vision and suite is not Suite.OPERATE:
        raise ValueError("--no-vision goes with operate only")


_WAYS = {
    Suite.BUILD: "the agent works in a machine",
    Suite.GROW: "the agent works in a machine",
    Suite.OPERATE: "the agent works in a browser",
}


def sampling_for(suite: Suite, model: str) -> Sampling | None:
    """How a model is sampled in a suite; ``None`` leaves it to the provider."""
    if suite is Suite.BUILD:
        return sampling_of(model)
    # Top-p stays the vendor's (Grow 1).
    return Sampling(1.0, "medium") if suite is Suite.GROW else None
