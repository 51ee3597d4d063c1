"""Some thousand records: what an answer costs."""

import time
from collections.abc import Callable, Iterator

import pytest

from tenure.twins.hubspot.records import Contact, Deal, associate
from tenure.world import Record
from twins.hubspot.make import CONTACTS, DAY, DEALS, NOW, Api, build, where

MANY = 3_000


def _more() -> Iterator[Record]:
    for n in range(100, 100 + MANY):
        at = NOW - DAY + n
        contact = Contact.of(n, at=at, email=f"p{n}@x.test", firstname=f"F{n}", lastname=f"L{n % 50}")
        deal = Deal.of(n, at=at, dealname=f"D{n}", amount=n, pipeline="default", dealstage="closedwon")
        yield from (contact, deal, associate(deal, contact))


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Api:
    return Api(build(tmp_path_factory.mktemp("big") / "base.db", _more()), checks=False)


def best(run: Callable[[], object]) -> float:
    """Milliseconds of the fastest of five runs: what other work on the machine disturbs least."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        run()
        times.append((time.perf_counter() - start) * 1000)
    return min(times)


def test_reads_that_an_index_serves_do_not_grow_with_the_account(big: Api) -> None:
    def read() -> None:
        big("GET", CONTACTS, query="limit=10&after=2000&associations=deals")
        big("GET", f"{CONTACTS}/p1500@x.test", query="idProperty=email")
        assert big.search("contacts", where("email", "EQ", "P1500@x.test")) == ["1500"]
        assert big.search("deals", where("associations.contact", "EQ", "1500")) == ["1500"]

    assert best(read) < 30


def test_a_search_that_looks_at_every_record_stays_quick(big: Api) -> None:
    def scan() -> None:
        found = big.search("deals", where("amount", "GTE", "3090"), sorts=["-amount"], limit=3)
        assert found == ["1", "3099", "3098"]

    def words() -> None:
        assert big.search("contacts", query="f100 l0") == ["100", "1000"]

    def computed() -> None:
        assert big.search("deals", where("hs_is_closed_won", "EQ", "false")) == ["1", "3"]

    assert best(scan) < 150
    assert best(computed) < 200
    assert best(words) < 150


def test_writes_do_not_grow_with_the_account(big: Api) -> None:
    numbers = iter(range(1_000))

    def write() -> None:
        made = big("POST", CONTACTS, {"properties": {"email": f"w{next(numbers)}@x.test"}}, status=201)
        big("PATCH", f"{DEALS}/{200}", {"properties": {"description": made["id"]}})

    assert best(write) < 30
