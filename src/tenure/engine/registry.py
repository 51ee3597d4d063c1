"""What Inspect finds of Tenure: loaded at the start of every eval, so it imports little."""

from inspect_ai.model import ModelAPI, modelapi

from tenure.engine.tasks import carry

__all__ = ["carry", "tenure_models"]


@modelapi(name="tenure")
def tenure_models() -> type[ModelAPI]:
    """The stand-ins ``tenure/oracle``, ``tenure/idle`` and ``tenure/vandal``."""
    from tenure.engine.puppet import Puppet

    return Puppet
