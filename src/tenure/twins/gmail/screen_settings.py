"""The screen's routes for labels, filters and settings."""

from typing import Any

from pydantic import BaseModel, ConfigDict

from tenure.twins.gmail import forwarding, labels, settings
from tenure.twins.gmail.records import Label, Vacation
from tenure.twins.gmail.screen_records import AutoForward
from tenure.twins.wire.screen import conflict, read, revision
from tenure.world import Act, Call, Reply


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _LabelBody(_Body):
    rev: str = ""
    body: dict[str, Any]


class _Settings(_Body):
    rev: str
    body: dict[str, Any]


class _Code(_Body):
    code: str


class _Auto(_Body):
    rev: str
    enabled: bool
    address: str
    disposition: str


class _Address(_Body):
    address: str


class _Filter(_Body):
    criteria: dict[str, Any]
    action: dict[str, Any]
    replaces: str = ""
    apply: bool = False
    """Also to the mail that is there."""


def label_json(label: Label) -> dict[str, Any]:
    """A label as the navigation and its editor show it."""
    return {
        "id": label.id,
        "name": label.name,
        "color": label.background_color,
        "textColor": label.text_color,
        "visibility": label.label_list_visibility,
        "rev": revision(label),
    }


def _new_label(call: Call) -> Reply:
    return Reply(201, label_json(labels.create(call.act, read(call, _LabelBody).body)))


def _change_label(call: Call) -> Reply:
    asked, label = read(call, _LabelBody), labels.find(call.act, call.params["id"])
    if asked.rev != revision(label):
        raise conflict(label_json(label), "This label")
    return Reply(200, label_json(labels.change(call.act, label.id, asked.body, whole=False)))


def _delete_label(call: Call) -> Reply:
    labels.delete(call.act, call.params["id"])
    return Reply(200, {})


def _settings_json(act: Act) -> dict[str, Any]:
    return {
        "vacation": {**settings.vacation(act), "rev": _vacation_rev(act)},
        "address": _address_json(act),
        "filters": settings.list_filters(act).get("filter", []),
        "forwarding": _forwarding_json(act),
    }


def _vacation_rev(act: Act) -> str:
    return revision(act.get(Vacation, act.actor) or Vacation(id=act.actor))


def _address_json(act: Act) -> dict[str, Any]:
    shown: dict[str, Any] = settings.list_send_as(act)["sendAs"][0]
    return {**shown, "rev": revision(settings.primary(act))}


def _settings(call: Call) -> Reply:
    return Reply(200, _settings_json(call.act))


def _save_vacation(call: Call) -> Reply:
    asked, rev = read(call, _Settings), _vacation_rev(call.act)
    if asked.rev != rev:
        raise conflict({**settings.vacation(call.act), "rev": rev}, "The vacation responder")
    shown = settings.set_vacation(call.act, asked.body)
    return Reply(200, {**shown, "rev": _vacation_rev(call.act)})


def _save_address(call: Call) -> Reply:
    asked, now = read(call, _Settings), _address_json(call.act)
    if asked.rev != now["rev"]:
        raise conflict(now, "The signature")
    settings.patch_send_as(call.act, now["sendAsEmail"], asked.body)
    return Reply(200, _address_json(call.act))


def _forwarding_json(act: Act) -> dict[str, Any]:
    shown = forwarding.show(act)
    rev = revision(act.get(AutoForward, act.actor) or AutoForward(id=act.actor))
    return {**shown, "auto": {**shown["auto"], "rev": rev}}


def _new_forwarding(call: Call) -> Reply:
    forwarding.add(call.act, read(call, _Address).address)
    return Reply(201, _forwarding_json(call.act))


def _confirm_forwarding(call: Call) -> Reply:
    forwarding.confirm(call.act, call.params["address"], read(call, _Code).code)
    return Reply(200, _forwarding_json(call.act))


def _remove_forwarding(call: Call) -> Reply:
    forwarding.remove(call.act, call.params["address"])
    return Reply(200, _forwarding_json(call.act))


def _set_forwarding(call: Call) -> Reply:
    asked, now = read(call, _Auto), _forwarding_json(call.act)
    if asked.rev != now["auto"]["rev"]:
        raise conflict(now["auto"], "Forwarding")
    forwarding.set_auto(call.act, asked.enabled, asked.address, asked.disposition)
    return Reply(200, _forwarding_json(call.act))


def _new_filter(call: Call) -> Reply:
    asked = read(call, _Filter)
    if asked.replaces:
        settings.delete_filter(call.act, asked.replaces)
    made = settings.create_filter(call.act, {"criteria": asked.criteria, "action": asked.action})
    return Reply(201, {**made, "applied": settings.apply_filter(call.act, made["id"]) if asked.apply else 0})


def _delete_filter(call: Call) -> Reply:
    settings.delete_filter(call.act, call.params["id"])
    return Reply(200, {})


ROUTES = (
    ("POST", "/labels", _new_label),
    ("PATCH", "/labels/{id}", _change_label),
    ("DELETE", "/labels/{id}", _delete_label),
    ("GET", "/settings", _settings),
    ("PUT", "/settings/vacation", _save_vacation),
    ("PUT", "/settings/address", _save_address),
    ("PUT", "/settings/forwarding", _set_forwarding),
    ("POST", "/forwarding", _new_forwarding),
    ("POST", "/forwarding/{address}/confirm", _confirm_forwarding),
    ("DELETE", "/forwarding/{address}", _remove_forwarding),
    ("POST", "/filters", _new_filter),
    ("DELETE", "/filters/{id}", _delete_filter),
)
