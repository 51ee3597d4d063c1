"""A fresh world per test over one base per session."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tenure.world import Gateway, World

from .make import ADA, BO, CY, Client, build, open_world


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("gmail") / "base.db")


@pytest.fixture
def gateway(base: Path) -> Iterator[Gateway]:
    world, gateway = open_world(base)
    yield gateway
    world.close()


@pytest.fixture
def world(gateway: Gateway) -> World:
    return gateway.world


@pytest.fixture
def ada(gateway: Gateway) -> Client:
    return Client(gateway, ADA)


@pytest.fixture
def bo(gateway: Gateway) -> Client:
    return Client(gateway, BO)


@pytest.fixture
def cy(gateway: Gateway) -> Client:
    return Client(gateway, CY)
