"""Drive's records that every Google file twin needs: files, permissions, and who may do what.

Docs, Sheets and Slides files are Drive files; their twins keep the content under the file's id.
"""

import base64
from collections.abc import Iterable

from tenure.world import Account, Act, Index, Record
from tenure.world.ids import digest

ROLES = ("reader", "commenter", "writer", "fileOrganizer", "organizer", "owner")
"""From least to most."""
_DEPTH = 32
"""Folders looked at upward; a cycle of parents ends here."""


class File(
    Record,
    kind="google.file",
    indexes=(
        Index("owner", lambda f: (f.owner,), lambda f: f.modified),
        Index("parent", lambda f: f.parents, lambda f: f.name.casefold()),
        Index("mime", lambda f: (f.mime,), lambda f: f.modified),
    ),
    incidental=frozenset(("created", "modified", "modified_by", "version")),
):
    """A file of Drive. Native documents are 44 characters of ``[A-Za-z0-9_-]`` long."""

    name: str
    mime: str
    owner: str
    """Account id."""
    parents: list[str] = []
    """Folder ids; empty for the owner's root."""
    description: str = ""
    trashed: bool = False
    created: int
    """World time, epoch milliseconds."""
    modified: int
    modified_by: str = ""
    """Account id."""
    version: int = 1


class Permission(
    Record,
    kind="google.permission",
    indexes=(
        Index("file", lambda p: (p.file,), lambda p: ROLES.index(p.role)),
        Index("email", lambda p: (p.email.lower(),) if p.email else ()),
    ),
):
    """That somebody may do something with a file. Its id is ``file/permission id``."""

    file: str
    type: str
    """``user`` | ``group`` | ``domain`` | ``anyone``."""
    role: str
    email: str = ""
    domain: str = ""


FILE_KINDS: tuple[type[Record], ...] = (File, Permission)


def native_id(seed: int, n: int) -> str:
    """The id of the n-th native document of a world: 44 characters."""
    return "1" + base64.urlsafe_b64encode(digest(seed, "google.file", n, 33)).decode()[1:]


def permission_id(email: str) -> str:
    """The permission id of an address: the same on every file."""
    return str(10**19 + int.from_bytes(digest(0, f"google.permission.{email.lower()}", 0, 8), "big") % 10**19)


def grant(file: str, email: str, role: str) -> Permission:
    """A permission record for one person.

    Args:
        file: File id.
        email: The person's address.
        role: One of ``ROLES``.
    """
    return Permission(id=f"{file}/{permission_id(email)}", file=file, type="user", role=role, email=email)


def share(file: str, owner: str, others: Iterable[tuple[str, str]] = ()) -> list[Permission]:
    """The permissions of a new file: its owner's, and further (address, role) pairs.

    An address of ``anyone`` opens the file to everyone with the link, ``@example.com`` to a domain.
    """
    found = [grant(file, owner, "owner")]
    for who, role in others:
        if who == "anyone":
            found.append(Permission(id=f"{file}/anyoneWithLink", file=file, type="anyone", role=role))
        elif who.startswith("@"):
            name = who[1:]
            found.append(
                Permission(
                    id=f"{file}/{permission_id(who)}", file=file, type="domain", role=role, domain=name
                )
            )
        else:
            found.append(grant(file, who, role))
    return found


def role_of(act: Act, file: File) -> str:
    """The actor's best role on a file, its folders' permissions included; empty for no access."""
    email = act.account().email.lower()
    domain = email.rpartition("@")[2]
    best, pending, seen = -1, [file.id], 0
    while pending and seen < _DEPTH:
        id, seen = pending.pop(), seen + 1
        for permission in act.all(Permission, "file", id):
            if (
                permission.type == "anyone"
                or (permission.type == "domain" and permission.domain.lower() == domain)
                or permission.email.lower() == email
            ):
                best = max(best, ROLES.index(permission.role))
        found = file if id == file.id else act.get(File, id)
        pending += found.parents if found else []
    return ROLES[best] if best >= 0 else ""


def may(role: str, needed: str) -> bool:
    """Whether a role reaches another."""
    return role in ROLES and ROLES.index(role) >= ROLES.index(needed)


def new_file(act: Act, name: str, mime: str, parents: Iterable[str] = ()) -> File:
    """Make a native document of the actor's."""
    account: Account = act.account()
    file = File(
        id=native_id(act.world.seed, act.next("google.file")),
        name=name,
        mime=mime,
        owner=account.id,
        parents=list(parents),
        created=act.now,
        modified=act.now,
        modified_by=account.id,
    )
    act.put(file)
    for permission in share(file.id, account.email):
        act.put(permission)
    return file


def touch(act: Act, file: File, cause: int | None) -> None:
    """Note that a file's content changed: its time, its last editor, its version."""
    act.consequence(cause, act.actor).put(
        file.model_copy(update={"modified": act.now, "modified_by": act.actor, "version": file.version + 1})
    )
