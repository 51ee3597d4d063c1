"""The 23 released apps: what the release says of them, as facts of ours (formats §1.1)."""

import json
from functools import cache
from importlib.resources import files

from pydantic import Field

from tenure.schema.shape import Shape

ALIASES = {"frappe-hrms": "hrms", "onlyoffice-community": "onlyoffice", "elabel": "e-label"}
"""Names that descriptions use → the site's own."""


class Site(Shape):
    """One released app."""

    index: int
    """Its place in a slot's block of ports."""
    image: str = ""
    """Empty where a compose file starts it."""
    compose: bool = False
    port: int | None = None
    """That the image listens on."""
    environment: dict[str, str] = Field(default_factory=dict)
    """Of the image; ``{host}`` is the address that browsers use, ``{password}`` the task's own."""
    user: str = ""
    health: str
    """Path whose answer shows that it is ready: 200, 301, 302, 303, 401 or 403."""
    wait: int
    """Seconds until it must be."""
    suffix: str = ""
    """Of the app's container name, after the slot's prefix."""
    database_suffix: str | None = None
    """Likewise of its database's; ``None`` where verifiers are told of none."""
    database_told: str | None = None
    """What the released program gives verifiers instead of ``database_suffix``."""
    database_port_offset: int = 0
    """The database's port lies so far behind the app's; 0 for none."""


@cache
def sites() -> dict[str, Site]:
    """Every released app, by its name."""
    held = json.loads(files("tenure.schema").joinpath("sites.json").read_text("utf-8"))
    return {name: Site.model_validate(site) for name, site in held.items()}


def site_of(name: str) -> str | None:
    """A site by any of its names, however it is capitalised; ``None`` for an unknown one."""
    plain = name.strip().lower()
    known = ALIASES.get(plain, plain)
    return known if known in sites() else None
