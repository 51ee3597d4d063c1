"""Worlds: the shared state of the twins, its clock, accounts, gateway, freeze and difference."""

from tenure.world.act import Act
from tenure.world.base import BaseBuilder
from tenure.world.door import Door, Response
from tenure.world.freeze import EndState, about, describe, freeze, pack, reopen
from tenure.world.gateway import Gateway
from tenure.world.record import Account, Due, Index, Record, Token, everything
from tenure.world.session import cookies, open_session
from tenure.world.store import Page, Store
from tenure.world.twin import Surface, Tool, ToolError, Twin
from tenure.world.wire import Call, Reply
from tenure.world.world import World

__all__ = [
    "Account",
    "Act",
    "BaseBuilder",
    "Call",
    "Door",
    "Due",
    "EndState",
    "Gateway",
    "Index",
    "Page",
    "Record",
    "Reply",
    "Response",
    "Store",
    "Surface",
    "Token",
    "Tool",
    "ToolError",
    "Twin",
    "World",
    "about",
    "cookies",
    "describe",
    "everything",
    "freeze",
    "open_session",
    "pack",
    "reopen",
]
