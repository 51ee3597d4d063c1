"""Loads the generated tracker through Roundup's own interface, each act in its moment and by its person."""

import json
import os
import sys

os.environ["SENDMAILDEBUG"] = os.devnull

from roundup import date, instance, password

MOMENT = "."


class Then(date.Date):
    """A date whose now is the moment of the act."""

    def __init__(self, spec=".", *words, **named):
        super().__init__(MOMENT if spec == "." else spec, *words, **named)


date.Date = Then
agent, agent_password = sys.argv[1:]
data = json.load(sys.stdin)
MOMENT = data["begins"]
db = instance.open("/app/tracker").open("admin")
secret = password.Password(agent_password, config=db.config)
people = {
    one["username"]: db.user.create(
        username=one["username"],
        realname=one["name"],
        organisation=one["team"],
        phone=one["phone"],
        address=f"{one['username']}@{data['domain']}",
        roles=one["roles"],
        password=secret,
        timezone="UTC",
    )
    for one in [
        *data["people"],
        {
            "username": agent,
            "name": "Ines Brandt",
            "team": "Office",
            "phone": "199",
            "roles": "User,Developer,Coordinator",
        },
    ]
}
names = {"assignee": people}
for order, name in enumerate(data["components"], 1):
    names.setdefault("components", {})[name] = db.component.create(name=name, order=order)
for order, name in enumerate(data["versions"], 1):
    names.setdefault("versions", {})[name] = db.version.create(name=name, order=order)
for name in data["keywords"]:
    names.setdefault("keywords", {})[name] = db.keyword.create(name=name)
for kind in ("severity", "priority", "status", "resolution"):
    held = db.getclass(kind)
    names[kind] = {held.get(id, "name"): id for id in held.list()}
types = {
    kind: {db.getclass(f"{kind}_type").get(id, "name"): id for id in db.getclass(f"{kind}_type").list()}
    for kind in ("bug", "task")
}


def linked(kind, values):
    told = {}
    for field, value in values.items():
        known = types[kind] if field == "type" else names.get(field)
        if known and isinstance(value, list):
            told[field] = [known[each] for each in value]
        else:
            told[field] = known[value] if known else value
    return told


items = {}
for act in data["actions"]:
    MOMENT = act["at"]
    db.setCurrentUser(act["by"])
    kind = act["item"].partition("-")[0]
    held, values = db.getclass(kind), linked(kind, act["values"])
    said = []
    if act["says"]:
        summary = act["says"].partition(". ")[0]
        author = people[act["by"]]
        said = [
            db.msg.create(
                author=author, date=date.Date(), content=act["says"], summary=summary, type="text/plain"
            )
        ]
    if act["do"] == "create":
        items[act["item"]] = held.create(messages=said, **values)
    else:
        id = items[act["item"]]
        if said:
            values["messages"] = held.get(id, "messages") + said
        held.set(id, **values)
MOMENT = data["begins"]
db.setCurrentUser("admin")
for name, day in data["versions"].items():
    open_ = day > data["day"]
    db.milestone.create(
        title=f"Quayside {name}", release_date=day, status=names["status"]["open" if open_ else "closed"]
    )
db.commit()
db.close()
