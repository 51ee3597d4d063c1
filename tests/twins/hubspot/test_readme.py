"""The README's table is up to date, and counts what it says it counts."""

from tenure.twins.hubspot.readme import OPERATIONS, README, part, rows
from tenure.twins.hubspot.rest import ROUTES
from tenure.twins.wire.readme import renewed
from twins.hubspot.sdk import listing


def test_the_operations_are_those_of_the_installed_client() -> None:
    assert OPERATIONS.read_text() == listing()


def test_the_readme_is_up_to_date() -> None:
    assert README.read_text() == renewed(README.read_text(), part())


def test_every_route_is_counted_once() -> None:
    assert sum(row.implemented for row in rows()) == len(ROUTES.routes)
