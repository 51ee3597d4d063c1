"""A route table: (method, path template) → operation."""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple
from urllib.parse import unquote

from tenure.world import Call, Reply

_PARAM = re.compile(r"\{(\w+)\}")


class Route(NamedTuple):
    """One operation of a vendor's API.

    Attributes:
        operation: The vendor's operation id.
        method: Upper-case HTTP method.
        template: Path with ``{name}`` for a segment's parameter.
        run: The handler; path parameters are in ``call.params``, percent-decoded.
    """

    operation: str
    method: str
    template: str
    run: Callable[[Call], Reply]


class NotRouted(Exception):
    """No operation has this method and path.

    Attributes:
        allowed: The methods that the path does have; empty when the path is unknown.
    """

    def __init__(self, allowed: tuple[str, ...]) -> None:
        super().__init__(allowed)
        self.allowed = allowed


class Routes:
    """Finds a call's operation. Literal segments win over parameters."""

    def __init__(self, routes: Iterable[Route]) -> None:
        """Compile the table; the order of the routes does not matter."""
        self.routes = tuple(routes)
        self._literal: dict[tuple[str, str], Route] = {}
        self._by_length: dict[int, list[tuple[re.Pattern[str], Route]]] = {}
        for route in sorted(self.routes, key=lambda r: len(_PARAM.findall(r.template))):
            if not _PARAM.search(route.template):
                self._literal[route.method, route.template] = route
                continue
            pattern = re.compile(
                "".join(
                    f"(?P<{part[1:-1]}>[^/]+)" if _PARAM.fullmatch(part) else re.escape(part)
                    for part in re.split(r"(\{\w+\})", route.template)
                )
            )
            self._by_length.setdefault(route.template.count("/"), []).append((pattern, route))

    def dispatch(self, call: Call) -> Reply:
        """Run the operation that a call asks for.

        Raises:
            NotRouted: There is none.
        """
        path = call.path.rstrip("/") or "/"
        route = self._literal.get((call.method, path))
        if route is not None:
            return route.run(call)
        allowed = {r.method for (_, template), r in self._literal.items() if template == path}
        for pattern, route in self._by_length.get(path.count("/"), ()):
            if match := pattern.fullmatch(path):
                if route.method == call.method:
                    call.params = {name: unquote(value) for name, value in match.groupdict().items()}
                    return route.run(call)
                allowed.add(route.method)
        raise NotRouted(tuple(sorted(allowed)))
