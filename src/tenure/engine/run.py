"""Making the missing attempts of a run."""

import asyncio
from pathlib import Path

from inspect_ai import eval as inspect_eval
from inspect_ai.model import GenerateConfig

from tenure.engine import registry
from tenure.engine.models import open_model
from tenure.engine.observer import Observer, Silent
from tenure.engine.plan import RunFolder
from tenure.engine.spec import RunSpec
from tenure.engine.tasks import attempts_task
from tenure.engine.usual import sampling_for
from tenure.grading.dag import needs_browser, try_browser
from tenure.grading.grow.browser import missing as no_browser
from tenure.schema import AttemptRecord, BadInput, Fault, Suite
from tenure.schema.folder import find_build

__all__ = ["make_missing", "registry"]

MAX_RETRIES = 7
"""Tries again of one request that the provider did not answer, over about six minutes. Inspect's own
default is to try for ever, and then the attempt's clock would blame the agent."""


def config_of(spec: RunSpec, parallel: int) -> GenerateConfig:
    """How the run's model is asked."""
    if (sampling := sampling_for(spec.suite, spec.model)) is not None:
        return GenerateConfig(
            temperature=sampling.temperature,
            reasoning_effort=sampling.effort,
            reasoning_tokens=sampling.reasoning_tokens,
            max_tokens=sampling.max_tokens,
            max_retries=0,  # The agents try again themselves, and less (Build 1, Grow 2).
            max_connections=parallel,
        )
    return GenerateConfig(reasoning_effort=spec.effort, max_retries=MAX_RETRIES, max_connections=parallel)


def make_missing(
    folder: RunFolder, *, parallel: int = 2, observer: Observer | None = None
) -> list[AttemptRecord]:
    """Make the attempts of a run that are not finished.

    Args:
        folder: The run.
        parallel: Attempts at a time.
        observer: Follows the run.

    Returns:
        The records of all finished attempts of the run, in planned order.

    Raises:
        BadInput: The model cannot be had (unknown provider, missing key or package), or there is no
            browser and grading needs one.
        KeyboardInterrupt: The run was stopped; what is finished is kept.
    """
    spec = folder.spec
    missing = folder.missing()
    if not missing:
        return folder.finished()
    again = sampling_for(spec.suite, spec.model) is None
    graphs = [find_build(p.task).dag for p in missing] if spec.suite is Suite.BUILD else []
    if any(map(needs_browser, graphs)):
        asyncio.run(try_browser())
    if spec.suite is Suite.GROW and (why := no_browser()):
        raise BadInput(why)
    model = open_model(spec.model, config_of(spec, parallel), spec.base_url, retries=again)
    task = attempts_task(folder, missing, observer or Silent())
    folder.clear_errors()
    logs = inspect_eval(
        task,
        model=model,
        display="none",
        log_dir=str(folder.path / "logs"),
        log_level="error",
        log_buffer=1,
        log_images=False,  # Screenshots are files of the attempts; in the log they would stay in memory.
        max_samples=parallel,
        fail_on_error=False,
        score_on_error=True,
    )
    if not logs or logs[0].status == "cancelled":
        raise KeyboardInterrupt
    still = [p.id for p in folder.planned() if not (Path(p.folder) / "attempt.json").exists()]
    if still:
        why = logs[0].error.message if logs[0].error else "the engine gave no reason"
        raise Fault(f"{len(still)} attempts were not made ({why}); run the same command again")
    return folder.finished()
