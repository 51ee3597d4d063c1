"""Google's error bodies."""

from typing import Any

from tenure.world import Reply

STATUS = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    409: "ABORTED",
    412: "FAILED_PRECONDITION",
    429: "RESOURCE_EXHAUSTED",
    501: "UNIMPLEMENTED",
}
_CREDENTIALS = (
    "Expected OAuth 2 access token, login cookie or other valid authentication credential. "
    "See https://developers.google.com/identity/sign-in/web/devconsole-project."
)
_NOT_FOUND_PAGE = """<!DOCTYPE html>
<html lang=en>
  <meta charset=utf-8>
  <title>Error 404 (Not Found)!!1</title>
  <p><b>404.</b> <ins>That's an error.</ins>
  <p>The requested URL was not found on this server. <ins>That's all we know.</ins>
"""


class GoogleError(Exception):
    """A refusal as Google's APIs give it.

    Attributes:
        code: HTTP status.
        message: ``error.message``.
    """

    def __init__(
        self,
        code: int,
        message: str,
        reason: str,
        *,
        status: str = "",
        short: str = "",
        where: dict[str, str] | None = None,
        details: list[dict[str, Any]] | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        """Describe the refusal.

        Args:
            code: HTTP status.
            message: ``error.message``.
            reason: ``error.errors[0].reason``.
            status: ``error.status``; follows from the code by default.
            short: ``error.errors[0].message``, where it differs.
            where: ``location`` and ``locationType`` of ``error.errors[0]``.
            details: ``error.details``.
            headers: Headers of the reply.
        """
        super().__init__(message)
        self.code, self.message = code, message
        first = {"message": short or message, "domain": "global", "reason": reason, **(where or {})}
        self._error: dict[str, Any] = {"code": code, "message": message, "errors": [first]}
        self._error["status"] = status or STATUS[code]
        if details:
            self._error["details"] = details
        self._headers = headers or {}

    def reply(self, *, bare: bool = False) -> Reply:
        """The error as a reply; ``bare`` leaves the older ``errors`` list out."""
        shown = {name: value for name, value in self._error.items() if name != "errors" or not bare}
        return Reply(self.code, {"error": shown}, self._headers)


def invalid(message: str) -> GoogleError:
    """400 ``invalidArgument``."""
    return GoogleError(400, message, "invalidArgument")


def bad_request(violations: list[tuple[str, str]]) -> GoogleError:
    """400 ``badRequest``: the request does not fit the method's description.

    Args:
        violations: (field, what is wrong with it), at least one.
    """
    listed = [
        {"field": field, "description": text} if field else {"description": text}
        for field, text in violations
    ]
    details = [{"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": listed}]
    return GoogleError(400, "\n".join(text for _, text in violations), "badRequest", details=details)


def not_found() -> GoogleError:
    """404 for an entity."""
    return GoogleError(404, "Requested entity was not found.", "notFound")


def unauthenticated(given: bool) -> GoogleError:
    """401, for a credential that opens nothing or for none at all."""
    challenge = 'Bearer realm="https://accounts.google.com/"'
    where = {"location": "Authorization", "locationType": "header"}
    if not given:
        message = f"Request is missing required authentication credential. {_CREDENTIALS}"
        return GoogleError(
            401,
            message,
            "required",
            short="Login Required.",
            where=where,
            headers={"www-authenticate": challenge},
        )
    return GoogleError(
        401,
        f"Request had invalid authentication credentials. {_CREDENTIALS}",
        "authError",
        short="Invalid Credentials",
        where=where,
        headers={"www-authenticate": f'{challenge}, error="invalid_token"'},
    )


def insufficient_scope(service: str, method: str) -> GoogleError:
    """403 for a token without any of the method's scopes."""
    info = {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
        "domain": "googleapis.com",
        "metadata": {"method": method, "service": service},
    }
    return GoogleError(
        403,
        "Request had insufficient authentication scopes.",
        "insufficientPermissions",
        short="Insufficient Permission",
        details=[info],
    )


def no_such_page() -> Reply:
    """What Google's front end answers for a path that no API has."""
    return Reply(404, _NOT_FOUND_PAGE.encode(), {"content-type": "text/html; charset=UTF-8"})
