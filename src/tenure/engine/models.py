"""Having a model by name."""

import re

from inspect_ai._util.error import PrerequisiteError
from inspect_ai.model import GenerateConfig, Model, get_model

from tenure.schema import BadInput


def open_model(name: str, config: GenerateConfig | None = None, base_url: str | None = None) -> Model:
    """A model by ``provider/name``.

    Raises:
        BadInput: It cannot be had: unknown provider, missing key or package.
    """
    try:
        return get_model(name, config=config or GenerateConfig(), base_url=base_url, memoize=False)
    except (PrerequisiteError, ValueError, ImportError) as error:
        raise BadInput(f"model {name}: {_plain(str(error))}") from error


def _plain(text: str) -> str:
    """An engine's message as one line without markup."""
    bare = re.sub(r"\[/?[a-z0-9 ]+\]", "", text)
    return " ".join(bare.split()).removeprefix("ERROR: ") or "it cannot be loaded"
