"""Sharing from the screen: who may open a spreadsheet, and how far."""

from typing import Any

from tenure.twins.google.errors import not_found
from tenure.twins.google.files import ROLES, File, Permission, grant, may, role_of, share
from tenure.twins.wire.screen import Refused
from tenure.world import Act

GIVEN = ("reader", "commenter", "writer")
"""Roles that the dialog gives."""


def _file(act: Act, id: str, needed: str = "reader") -> File:
    file = act.get(File, id)
    if file is None:
        raise not_found()
    if not may(role_of(act, file), needed):
        raise Refused(403, "Only its editors can share this spreadsheet.")
    return file


def people(act: Act, id: str) -> dict[str, Any]:
    """Everyone with access: people first, then general access."""
    file = _file(act, id)
    found, general = [], {"type": "restricted", "role": "reader"}
    for permission in act.all(Permission, "file", id, descending=True):
        act.show(permission)
        if permission.type in ("user", "group"):
            account = act.account_by_email(permission.email)
            found.append(
                {
                    "id": permission.id.partition("/")[2],
                    "email": permission.email,
                    "name": account.name if account and account.name else permission.email,
                    "role": permission.role,
                }
            )
        elif permission.type == "anyone" or general["type"] == "restricted":
            general = {"type": permission.type, "role": permission.role}
    domain = act.account(file.owner).email.rpartition("@")[2]
    return {"people": found, "general": general, "domain": domain, "role": role_of(act, file)}


def give(act: Act, id: str, email: str, role: str) -> None:
    """Let a person open the file, or change how far.

    Raises:
        Refused: The actor may not, or the person is its owner.
    """
    _file(act, id, "writer")
    address = email.strip()
    if role not in GIVEN or "@" not in address.strip("@") or " " in address:
        raise Refused(400, f"“{address}” is not an email address.")
    wanted = grant(id, address, role)
    held = act.get(Permission, wanted.id)
    if held is not None and held.role == "owner":
        raise Refused(400, f"{address} owns this spreadsheet.")
    act.put(wanted)


def take(act: Act, id: str, permission: str) -> None:
    """Take a person's access away.

    Raises:
        Refused: The actor may not, or the person is its owner.
    """
    _file(act, id, "writer")
    held = act.get(Permission, f"{id}/{permission}")
    if held is None:
        raise not_found()
    if held.role == "owner":
        raise Refused(400, "The owner's access cannot be removed.")
    act.delete(held)


def open_to(act: Act, id: str, kind: str, role: str) -> None:
    """Set general access.

    Args:
        act: The act.
        id: The file's.
        kind: ``restricted``, ``domain`` (the owner's) or ``anyone``.
        role: One of ``GIVEN``.
    """
    file = _file(act, id, "writer")
    if role not in ROLES[: ROLES.index("writer") + 1]:
        raise Refused(400, "There is no such role.")
    owner = act.account(file.owner).email
    who = {"domain": f"@{owner.rpartition('@')[2]}", "anyone": "anyone"}.get(kind)
    wanted = [one for one in share(id, owner, [(who, role)]) if one.type == kind] if who else []
    for held in act.all(Permission, "file", id):
        if held.type in ("domain", "anyone") and held.id not in {one.id for one in wanted}:
            act.delete(held)
    for one in wanted:
        act.put(one)
