"""The world: a company in motion, equal for equal seeds and coherent in itself."""

import json
import os
import subprocess
import sys
from collections import Counter, defaultdict
from datetime import datetime
from pathlib import Path
from time import process_time
from typing import Any
from zoneinfo import ZoneInfo

import apsw
import pytest

from tenure.schema import BadInput
from tenure.schema.folder import CATALOG, load_module
from tenure.twins.gmail.text import addresses
from tenure.world import BaseBuilder

WORLD = CATALOG / "worlds" / "company" / "world.py"
_BUILD = """
import sys
from pathlib import Path
from tenure.schema.folder import load_module
from tenure.world import BaseBuilder
world = load_module(Path(sys.argv[1]))
with BaseBuilder(Path(sys.argv[2]), now=world.start(7), seed=7) as base:
    world.finish(world.build(base, 7))
"""


def build(path: Path, seed: int) -> tuple[Path, Any]:
    world = load_module(WORLD)
    with BaseBuilder(path, now=world.start(seed), seed=seed) as base:
        company = world.build(base, seed)
        world.finish(company)
    return path, company


def one_value(path: Path, sql: str) -> Any:
    return next(apsw.Connection(str(path)).execute(sql))[0]


def hash_of(path: Path) -> str:
    return str(one_value(path, "select value from meta where key='hash'"))


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    return build(tmp_path_factory.mktemp("company") / "7.db", 7)


@pytest.fixture(scope="module")
def records(base: tuple[Path, Any]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = defaultdict(dict)
    for kind, id, data in apsw.Connection(str(base[0])).execute("select kind, id, data from records"):
        found[kind][id] = json.loads(data)
    return found


def test_equal_seeds_give_equal_bases_in_any_process(base: tuple[Path, Any], tmp_path: Path) -> None:
    for hash_seed in ("1", "2"):
        path = tmp_path / f"{hash_seed}.db"
        env = {**os.environ, "PYTHONHASHSEED": hash_seed}
        subprocess.run([sys.executable, "-c", _BUILD, str(WORLD), str(path)], check=True, env=env)
        assert hash_of(path) == hash_of(base[0])


def test_another_seed_gives_another_company(base: tuple[Path, Any], tmp_path: Path) -> None:
    path, company = build(tmp_path / "8.db", 8)
    assert hash_of(path) != hash_of(base[0])
    assert company.name != base[1].name and company.persona.name != base[1].persona.name


def test_five_thousand_records_are_built_in_six_seconds(tmp_path: Path) -> None:
    began = process_time()
    path, _ = build(tmp_path / "9.db", 9)
    assert process_time() - began < 6
    sql = "select count(*) from records where kind like 'gmail.%' or kind like 'hubspot.%'"
    assert one_value(path, sql) >= 5_000


@pytest.mark.parametrize("seed", range(30))
def test_every_seed_starts_on_a_weekday_morning(seed: int) -> None:
    world = load_module(WORLD)
    company = load_module(WORLD.with_name("company.py"))
    local = datetime.fromtimestamp(world.start(seed) / 1000, ZoneInfo(company.office_of(seed).zone))
    assert local.weekday() < 5 and 8 <= local.hour < 10
    assert world.start(seed) == world.start(seed)


def test_mail_is_coherent_in_time(base: tuple[Path, Any], records: dict[str, dict[str, Any]]) -> None:
    company = base[1]
    letters: dict[str, int] = {}
    for message in records["gmail.message"].values():
        assert message["internal_date"] < company.now
        assert letters.setdefault(message["message_id"], message["internal_date"]) == message["internal_date"]
    weekend = 0
    for message in records["gmail.message"].values():
        for before in message["references"]:
            assert letters[before] <= message["internal_date"], message["subject"]
        weekend += company.clock.local(message["internal_date"]).weekday() > 4
    assert not weekend


def test_a_letter_lies_in_the_mailbox_of_everyone_who_has_one(
    base: tuple[Path, Any], records: dict[str, dict[str, Any]]
) -> None:
    accounts = {account["email"]: id for id, account in records["world.account"].items()}
    copies: dict[str, set[str]] = defaultdict(set)
    due: dict[str, set[str]] = {}
    for message in records["gmail.message"].values():
        copies[message["message_id"]].add(message["account"])
        people = addresses([message["sender"], *message["to"], *message["cc"]])
        due[message["message_id"]] = {accounts[address] for _, address in people if address in accounts}
    assert due == copies
    assert len(records["gmail.message"]) > 2_500
    mine = Counter(message["account"] for message in records["gmail.message"].values())
    assert mine.most_common(1)[0][0] == base[1].persona.account


def test_every_address_is_of_an_example_domain(records: dict[str, dict[str, Any]]) -> None:
    for message in records["gmail.message"].values():
        for _, address in addresses([message["sender"], *message["to"], *message["cc"]]):
            assert address.endswith(".example"), address
    for contact in records["hubspot.contacts"].values():
        assert contact["properties"]["email"].endswith(".example")


def test_no_text_has_an_empty_slot(records: dict[str, dict[str, Any]]) -> None:
    for message in records["gmail.message"].values():
        assert "{" not in message["body"] + message["subject"]
        assert "None" not in message["body"]


def test_mail_is_varied(records: dict[str, dict[str, Any]]) -> None:
    by_letter = {m["message_id"]: m["body"] for m in records["gmail.message"].values()}
    most = Counter(by_letter.values()).most_common(1)[0]
    assert most[1] <= 6, most
    assert len(set(by_letter.values())) > 0.95 * len(by_letter)


def test_the_crm_hangs_together(records: dict[str, dict[str, Any]]) -> None:
    objects = {f"{kind.removeprefix('hubspot.')}/{id}" for kind, found in records.items() for id in found}
    for link in records["hubspot.association"].values():
        assert {f"{link['a_type']}/{link['a_id']}", f"{link['b_type']}/{link['b_id']}"} <= objects
        if link["a_type"] == "companies":
            other = records[f"hubspot.{link['b_type']}"][link["b_id"]]
            assert records["hubspot.companies"][link["a_id"]]["created_at"] <= other["created_at"]
    owners = set(records["hubspot.owner"])
    for kind in ("companies", "contacts", "deals", "notes", "tasks", "tickets"):
        found = records[f"hubspot.{kind}"]
        assert found
        assert {one["properties"]["hubspot_owner_id"] for one in found.values()} <= owners
    stages = {stage["id"] for one in records["hubspot.pipeline"].values() for stage in one["stages"]}
    renewals = [d for d in records["hubspot.deals"].values() if d["properties"]["pipeline"].isdecimal()]
    assert len(renewals) > 40 and {d["properties"]["dealstage"] for d in renewals} <= stages


def test_a_story_may_take_a_customer_as_it_wants_one(tmp_path: Path) -> None:
    world = load_module(WORLD)
    with BaseBuilder(tmp_path / "take.db", now=world.start(3), seed=3) as base:
        company = world.build(base, 3)
        mine = company.take(lambda one: one.buying and one.rep is company.persona)
        other = company.take(lambda one: one.buying and one.rep is company.persona)
        with pytest.raises(BadInput, match="no free customer"):
            company.take(lambda one: one is mine)
        world.finish(company)
    assert mine is not other and not mine.deals and mine.taken
