"""Wire behaviour that twins share: routes and MCP serving."""

from tenure.twins.wire.mcp import mcp_surface
from tenure.twins.wire.routes import NotRouted, Route, Routes

__all__ = ["NotRouted", "Route", "Routes", "mcp_surface"]
