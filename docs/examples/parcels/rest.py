"""The carrier's REST API: operation → service call, and its way to say no."""

from parcels import service
from parcels.records import Parcel
from tenure.twins.wire import NotRouted, Route, Routes
from tenure.world import Call, Reply

HOST = "api.parcels.example"
AUDIENCE = "parcels"


def _shape(parcel: Parcel) -> dict[str, str]:
    return {"id": parcel.id, "address": parcel.address, "status": parcel.status}


def _list(call: Call) -> Reply:
    return Reply(200, {"parcels": [_shape(parcel) for parcel in service.listed(call.act)]})


def _divert(call: Call) -> Reply:
    given = call.json
    address = given.get("address") if isinstance(given, dict) else None
    if not isinstance(address, str) or not address:
        raise service.Refused(422, "address is required.")
    return Reply(200, _shape(service.divert(call.act, call.params["id"], address)))


ROUTES = Routes(
    (
        Route("listParcels", "GET", "/v1/parcels", _list),
        Route("divertParcel", "POST", "/v1/parcels/{id}/divert", _divert),
    )
)


def signed_in(call: Call) -> bool:
    """Take on the account of the call's token."""
    return call.act.sign_in(call.bearer, AUDIENCE) is not None


def handle(call: Call) -> Reply:
    """Answer one REST call."""
    if not signed_in(call):
        return Reply(401, {"error": "Send your key: Authorization: Bearer …"})
    try:
        return ROUTES.dispatch(call)
    except NotRouted as error:
        return Reply(405 if error.allowed else 404, {"error": "There is no such operation."})
    except ValueError:
        return Reply(400, {"error": "The body is not JSON."})
    except service.Refused as error:
        return Reply(error.status, {"error": str(error)})
