"""What Inspect finds of Tenure: loaded at the start of every eval, so it imports little."""

from inspect_ai.model import ModelAPI, modelapi
from inspect_ai.util import SandboxEnvironment, sandboxenv

from tenure.engine.tasks import build, carry, grow, operate

__all__ = ["build", "bwrap", "carry", "grow", "operate", "tenure_lent", "tenure_models", "tenure_process"]


@modelapi(name="tenure")
def tenure_models() -> type[ModelAPI]:
    """The stand-ins ``tenure/oracle``, ``tenure/idle`` and ``tenure/vandal``."""
    from tenure.engine.puppet import Puppet

    return Puppet


@sandboxenv(name="bwrap")
def bwrap() -> type[SandboxEnvironment]:
    """The isolated machine of ``tenure.workspace``."""
    from tenure.engine.sandbox.provider import MachineSandbox

    return MachineSandbox


@sandboxenv(name="tenure_process")
def tenure_process() -> type[SandboxEnvironment]:
    """Plain processes of the host, which do not isolate."""
    from tenure.engine.sandbox.provider import ProcessSandbox

    return ProcessSandbox


@sandboxenv(name="tenure_lent")
def tenure_lent() -> type[SandboxEnvironment]:
    """The machine that a build attempt opens itself, for the bridge of its command line."""
    from tenure.engine.build.lent import LentSandbox

    return LentSandbox
