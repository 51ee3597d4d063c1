"""Sessions, quiet surfaces, and the persona of a world server."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support import toy
from tenure.schema import BadInput, Via
from tenure.world import Call, Gateway, Reply, Surface, World, cookies, open_session
from tenure.world.browser import chromium_flags
from tenure.world.server import ServerSpec, WorldServer
from tenure.world.session import csrf_holds, csrf_token, take_session


def _peek(call: Call) -> Reply:
    if call.path == "/quiet/show":
        call.act.show(call.act.all(toy.Note, "all")[0])
    if call.path == "/quiet/write":
        call.act.put(toy.Note(id="new", title="new"))
    return Reply(404 if call.path == "/quiet/none" else 200, {"who": take_session(call)})


class Quiet(toy.Toy):
    """The toy with a quiet corner."""

    surfaces = (*toy.Toy.surfaces, Surface(toy.HOST, _peek, "/quiet", quiet=True))


@pytest.fixture
def gateway(tmp_path: Path) -> Iterator[Gateway]:
    world = World(toy.build(tmp_path / "base.db"), [Quiet()])
    yield Gateway(world)
    world.close()


def ask(gateway: Gateway, path: str, **headers: str) -> Any:
    return gateway.answer("GET", toy.HOST, path, "", headers)


def test_a_quiet_exchange_takes_no_time_and_leaves_no_line(gateway: Gateway) -> None:
    assert ask(gateway, "/quiet/look").status == 200
    assert ask(gateway, "/quiet/none").status == 404
    assert (gateway.world.now, gateway.log) == (toy.NOW, [])


@pytest.mark.parametrize("path", ["/quiet/show", "/quiet/write"])
def test_a_surface_that_is_not_quiet_is_caught(gateway: Gateway, path: str) -> None:
    assert ask(gateway, path).status == 500
    assert "not as quiet" in gateway.log[-1].fault
    assert gateway.world.store.get(toy.Note, "new") is None


def test_a_session_is_its_accounts_and_no_other_token_is_one(gateway: Gateway) -> None:
    with gateway.world.act(Via.WORLD) as act:
        secret, other = open_session(act, "ann"), open_session(act, "ann")
        with pytest.raises(LookupError):
            open_session(act, "nobody")
    assert secret != other
    assert ask(gateway, "/quiet", cookie=f"x=1; session={secret}").body == {"who": secret}
    for cookie in (
        "",
        "session",
        "session=",
        f"session={toy.TOKEN}",
        f"other={secret}",
        f"session={secret}x",
    ):
        assert ask(gateway, "/quiet", cookie=cookie).body == {"who": None}
    call = Call(act, "POST", toy.HOST, "/", headers={"x-csrf-token": csrf_token(secret)})
    assert csrf_holds(call, secret) and not csrf_holds(call, other)
    (cookie,) = cookies(secret, [toy.HOST])
    assert (cookie["domain"], cookie["value"], cookie["httpOnly"]) == (toy.HOST, secret, True)


def test_a_world_server_signs_its_persona_in(tmp_path: Path) -> None:
    base = toy.build(tmp_path / "base.db")
    spec = ServerSpec(base=base, twins=(toy.SPEC,), persona="ann", authority=tmp_path / "tls")
    with WorldServer(spec) as server:
        assert len(server.session) == 64
        flags = chromium_flags(server, tmp_path / "tls")
    assert any(f"MAP {toy.HOST}:443 127.0.0.1:{server.port}" in flag for flag in flags)
    assert not any("ignore-certificate-errors" in flag and "spki" not in flag for flag in flags)
    with pytest.raises(BadInput, match="name the account of a base"):
        WorldServer(ServerSpec(base=base, twins=(toy.SPEC,), persona="zoe"))
