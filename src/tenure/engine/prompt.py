"""What an agent is told beside the request: who it acts for, when it is, and how it works."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from tenure.schema.folder import fill
from tenure.world.place import Place

_CLOSING = """\
Do the whole job yourself and leave the software in the right state: only what is in the apps at the \
end counts, not what you say about it. Nobody can answer questions while you work; where the request \
leaves something open, find out from the data. When the job is done, reply with a short summary and no \
tool call.
"""
_SYSTEM = """\
You act for {name}, {role} ({email}). It is {when} ({zone}).

You work in the company's software through its REST APIs (tool http_request) and MCP tools; both see \
the same accounts and the same data. Credentials are added to every request for you. These hostnames \
answer, and nothing else does: {hosts}. There is no shell, no browser and no internet.

"""

_SCREEN = """\
You act for {name}, {role} ({email}). It is {when} ({zone}).

You work in the company's software at a screen (tool computer): a browser window with a tab for each \
product, in which you are signed in. Other addresses do not exist. There is no shell and no internet.

"""


def system_prompt(place: Place) -> str:
    """The system message of an api attempt."""
    return _filled(_SYSTEM, place, hosts=", ".join(place.gateway.hosts))


def screen_prompt(place: Place) -> str:
    """The system message of a screen attempt."""
    return _filled(_SCREEN, place)


def _filled(text: str, place: Place, **more: str) -> str:
    persona = place.folder.task.persona
    facts = place.world.facts
    where = place.folder.path / "task.toml"
    zone = fill(persona.zone, facts, where)
    return (text + _CLOSING).format(
        name=fill(persona.name, facts, where),
        role=fill(persona.role, facts, where),
        email=place.persona.email,
        when=world_day(place.world.now, zone),
        zone=zone,
        **more,
    )


def world_day(now_ms: int, zone: str) -> str:
    """World time as a person would say it: ``Tuesday, 3 March 2026, 09:00``."""
    moment = datetime.fromtimestamp(now_ms / 1000, UTC).astimezone(ZoneInfo(zone))
    return f"{moment:%A}, {moment.day} {moment:%B %Y, %H:%M}"
