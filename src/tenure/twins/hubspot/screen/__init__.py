"""The screen: the product's pages on its hostname for people, over the same services as REST.

What the vendor's REST API can do, the page does through the very handlers of ``rest``; the modules
here add what only a screen has: tables with names, records with all that hangs on them, boards.
"""

from typing import Any

from tenure.twins.hubspot.rest import associations, lists, objects, settings
from tenure.twins.hubspot.screen import records, sums, tables
from tenure.twins.hubspot.service import owners, pipelines, types, views
from tenure.twins.hubspot.service.errors import HubSpotError
from tenure.twins.hubspot.service.export import owner_name
from tenure.twins.hubspot.service.overview import EVERYWHERE
from tenure.twins.wire.screen import Refused, Screen
from tenure.world import Act

HOST = "app.hubspot.com"


def _start(act: Act) -> dict[str, Any]:
    """The account, its users, its pipelines and the actor's views: what every page needs."""
    portal, own = types.portal(act), owners.own(act)
    people = [*owners.page(act, limit=500)[0], *owners.page(act, limit=500, archived=True)[0]]
    standard = [types.STANDARD[key] for key in EVERYWHERE]
    return {
        "portal": portal.portal_id,
        "currency": portal.currency,
        "owner": own.id if own else "",
        "owners": [
            {
                "id": o.id,
                "name": owner_name(o),
                "email": o.email,
                "active": not o.archived,
                "teams": [team.name for team in o.teams],
            }
            for o in people
        ],
        "types": [
            {"key": t.key, "id": t.spec.type_id, "one": t.spec.label, "many": t.key.capitalize()}
            for t in standard
        ],
        "pipelines": {
            key: [pipelines.pipeline_body(p) for p in pipelines.every(act, types.STANDARD[key])]
            for key in ("deals", "tickets")
        },
        "views": {t.key: [views.view_body(v) for v in views.listed(act, t)] for t in standard},
    }


def _refused(error: HubSpotError) -> Refused:
    return Refused(error.status, error.sentence)


SCREEN = Screen(
    "hubspot",
    HOST,
    (
        *objects.ROUTES,
        *associations.ROUTES,
        *settings.ROUTES,
        *lists.ROUTES,
        *tables.ROUTES,
        *records.ROUTES,
        *sums.ROUTES,
    ),
    title="CRM",
    start=_start,
    errors={HubSpotError: _refused},
)
