"""What the reading room and the box office must hold at the end."""

from decimal import Decimal
from typing import Any

from tenure.grading.check import Saw
from tenure.grading.operate import Answers, calibre_web, pretix
from tenure.grading.operate.calibre_web import on_shelf
from tenure.grading.operate.state import one_row, same, same_rows
from tenure.grading.values import number, plain
from tenure.schema.evidence import Evidence

Row = dict[str, Any]
TOUR, SHELF, PRESS, TAKEN_OVER = "lantern-tour", "Salt and Rope", "Great Ness Editions", "Tolland & Daughters"
LIST_A = {
    "Bell Street": "9783304172062",
    "Where the Ferry Was": "9783304172581",
    "The Last Rope of Marrow Hill": "9782260431633",
}
LIST_B = {
    "Where the Anchor Was": "9789585087996",
    "Where the Bell Was": "9789390273669",
    "A Gull Inheritance": "9783304172147",
    "Where the Salt Was": "9781501411519",
    "The Fog House": "9788102450855",
}
"""The annex: title → ISBN, without what is struck out."""
STRUCK, CATEGORY = "The Anchor House", "rights reverted"
CHAIRS, FROM_TICKETS = 44, (20, 28, 32, 40)
PRICES = {
    "Reading seat": Decimal("13.40"),
    "School seat": Decimal("6.70"),
    "Seat with book": Decimal("30.41"),
}
EDITOR = "Dirk Keller"
checks = Answers({**calibre_web.PROBES, **pretix.PROBES})


def _paid(before: Evidence) -> list[Row]:
    """The tickets of the tour that are paid and good."""
    tickets = [row for row in before.rows("tickets") if row["event"] == TOUR]
    return [row for row in tickets if row["status"] == "p" and not row["canceled"]]


def _of_list_b(before: Evidence) -> list[str]:
    return list(LIST_B)[: sum(len(_paid(before)) >= tickets for tickets in FROM_TICKETS)]


def _books(evidence: Evidence, titles: list[str]) -> dict[str, Row]:
    return {row["title"]: row for row in evidence.rows("books") if row["title"] in titles}


def _on_show(before: Evidence) -> dict[str, Row]:
    return _books(before, [*LIST_A, *_of_list_b(before)])


def _new(before: Evidence, after: Evidence, kind: str) -> list[Row]:
    known = {row["id"] for row in before.rows(kind)}
    return [row for row in after.rows(kind) if row["id"] not in known]


def _identifiers(book: Row) -> dict[str, str]:
    return dict(one.split(":", 1) for one in (book["identifiers"] or "").split(", ") if ":" in one)


def _isbn(book: Row) -> str:
    return "".join(filter(str.isalnum, _identifiers(book).get("isbn", "")))


def _of_old_press(before: Evidence) -> list[str]:
    """The titles on show of the press that was taken over."""
    return [title for title, row in _on_show(before).items() if row["publisher"] == TAKEN_OVER]


def _of_old_edition(before: Evidence) -> list[str]:
    """The titles on show whose edition in print is another."""
    annex = LIST_A | LIST_B
    return [title for title, row in _on_show(before).items() if _isbn(row) != annex[title]]


@checks("shelf")
def shelf(before: Evidence, after: Evidence) -> Saw:
    found = {row["id"]: row for row in after.rows("shelves") if row["name"] == SHELF}
    return one_row(list(found.values()), {"name": SHELF}, {"is_public": 1, "keeper": "ines.brandt"})


def _shelved(after: Evidence, titles: list[str], before: Evidence) -> Saw:
    there = on_shelf(after, SHELF)
    missing = [title for title, row in _books(before, titles).items() if there.count(row["id"]) != 1]
    return Saw(bool(titles) and not missing, f"{len(there)} books are there; not there: {missing}")


@checks("list-a")
def list_a(before: Evidence, after: Evidence) -> Saw:
    return _shelved(after, list(LIST_A), before)


@checks("list-b")
def list_b(before: Evidence, after: Evidence) -> Saw:
    seen = _shelved(after, _of_list_b(before), before)
    further = _books(before, [*LIST_B][len(_of_list_b(before)) :])
    too_many = [title for title, row in further.items() if row["id"] in on_shelf(after, SHELF)]
    return Saw(seen.ok and not too_many, f"{seen.text}; too many: {too_many}")


@checks("nothing-else")
def nothing_else(before: Evidence, after: Evidence) -> Saw:
    there = on_shelf(after, SHELF)
    strangers = set(there) - {row["id"] for row in _on_show(before).values()}
    return Saw(bool(there) and not strangers, f"{len(there)} books, {sorted(strangers)} are not on show")


@checks("editions")
def editions(before: Evidence, after: Evidence) -> Saw:
    annex, old = LIST_A | LIST_B, _of_old_edition(before)
    found = {title: _isbn(row) for title, row in _books(after, old).items()}
    return Saw(bool(old) and found == {title: annex[title] for title in old}, str(found))


@checks("press")
def press(before: Evidence, after: Evidence) -> Saw:
    old = _of_old_press(before)
    found = {title: row["publisher"] for title, row in _books(after, old).items()}
    return Saw(bool(old) and found == dict.fromkeys(old, PRESS), str(found))


@checks("reverted")
def reverted(before: Evidence, after: Evidence) -> Saw:
    was, now = (
        {plain(tag) for row in _books(one, [STRUCK]).values() for tag in (row["tags"] or "").split(",")}
        for one in (before, after)
    )
    return Saw(now == was | {CATEGORY}, ", ".join(sorted(now)))


def _places(evidence: Evidence) -> list[Row]:
    """Places on shelves that are open to everyone."""
    return [row for row in evidence.rows("shelves") if row["is_public"]]


@checks("withdrawn")
def withdrawn(before: Evidence, after: Evidence) -> Saw:
    (book,) = (row["id"] for row in _books(before, [STRUCK]).values())
    left = [row["name"] for row in _places(after) if row["book_id"] == book]
    shelves = {row["id"] for row in _places(before) if row["book_id"] == book}
    was, now = (
        [row for row in _places(one) if row["id"] in shelves and row["book_id"] != book]
        for one in (before, after)
    )
    seen = same_rows(was, now, key="place")
    return Saw(not left and seen.ok, f"stands on {left}; {seen.text}")


@checks("seats")
def seats(before: Evidence, after: Evidence) -> Saw:
    new = _new(before, after, "products")
    wrong = [
        seen.text
        for name, price in PRICES.items()
        if not (seen := one_row(new, {"name": name}, {"price": price, "event": TOUR, "tax": None})).ok
    ]
    return Saw(len(new) == len(PRICES) and not wrong, "; ".join(wrong) or f"{len(new)} new products")


@checks("places")
def places(before: Evidence, after: Evidence) -> Saw:
    taken = [row for row in _paid(before) if row["product"] == "Cabin"]
    expects = {"name": "Reading", "size": CHAIRS - len(taken), "products": ", ".join(sorted(PRICES))}
    return one_row(_new(before, after, "quotas"), {}, {**expects, "event": TOUR})


@checks("question")
def question(before: Evidence, after: Evidence) -> Saw:
    expects = {"question": "Name for the dedication", "type": "S", "required": 1, "event": TOUR}
    return one_row(_new(before, after, "questions"), {}, {**expects, "products": "Seat with book"})


@checks("door")
def door(before: Evidence, after: Evidence) -> Saw:
    expects = {"name": "Cabin door", "all": 0, "unpaid": 0, "event": TOUR}
    products = ", ".join(sorted([*PRICES, "Cabin"]))
    return one_row(_new(before, after, "lists"), {}, {**expects, "products": products})


def _guests(before: Evidence) -> list[str]:
    """The authors of what is on show, and the editor."""
    authors = [name for row in _on_show(before).values() for name in row["authors"].split(", ")]
    return [*dict.fromkeys(authors), EDITOR]


def _held(before: Evidence) -> list[Row]:
    """The guests' paid tickets."""
    return [row for row in _paid(before) if row["guest"] in _guests(before)]


@checks("freed")
def freed(before: Evidence, after: Evidence) -> Saw:
    held = _held(before)
    free, orders = {row["id"] for row in held}, {row["order"] for row in held}
    wrong = []
    for row in before.rows("tickets"):
        if row["order"] in orders and row["event"] == TOUR:
            expects = {**row, "price": 0 if row["id"] in free else row["price"]}
            seen = one_row(after.rows("tickets"), {"id": row["id"]}, expects)
            wrong += [] if seen.ok else [f"{row['guest']}: {seen.text}"]
    added = [row for row in _new(before, after, "tickets") if row["order"] in orders]
    return Saw(bool(held) and not wrong and not added, "; ".join(wrong) or f"{len(held)} tickets")


@checks("refunded")
def refunded(before: Evidence, after: Evidence) -> Saw:
    new, wrong = _new(before, after, "refunds"), []
    for row in _held(before):
        expects = {"state": "done", "provider": "manual", "amount": number(row["price"])}
        seen = one_row(new, {"order": row["order"]}, expects)
        wrong += [] if seen.ok else [f"{row['order']}: {seen.text}"]
    return Saw(not wrong, "; ".join(wrong) or f"{len(new)} refunds")


def _code(guest: str) -> str:
    return f"GNE-{guest.replace(' ', '-')}".upper()


def _usages(before: Evidence, after: Evidence) -> dict[str, Any]:
    return {row["code"].upper(): row["usages"] for row in _new(before, after, "vouchers")}


@checks("invited")
def invited(before: Evidence, after: Evidence) -> Saw:
    seated = {row["guest"] for row in _held(before)}
    wanted = {_code(guest): 1 for guest in _guests(before) if guest not in seated and guest != EDITOR}
    found = {code: usages for code, usages in _usages(before, after).items() if code != _code(EDITOR)}
    return Saw(bool(wanted) and found == wanted, str(found))


@checks("companion")
def companion(before: Evidence, after: Evidence) -> Saw:
    found = _usages(before, after).get(_code(EDITOR))
    return Saw(same(found, 2), f"{found} seats")


@checks("terms")
def terms(before: Evidence, after: Evidence) -> Saw:
    new = _new(before, after, "vouchers")
    expects = {"event": TOUR, "tag": SHELF, "effect": "set", "value": 0, "reserved": 1}
    wrong = [
        f"{row['code']}: {row['effect']} {row['value']}, {row['product']}, {row['tag']}, {row['until']}"
        for row in new
        if not all(same(row[name], value) for name, value in expects.items())
        or row["product"] != "Reading seat"
        or str(row["until"])[:16].replace("T", " ") != "2027-12-11 20:00"
    ]
    return Saw(bool(new) and not wrong, "; ".join(wrong) or f"{len(new)} vouchers")


@checks("other-books")
def other_books(before: Evidence, after: Evidence) -> Saw:
    edited, press, edition = [*_on_show(before), STRUCK], _of_old_press(before), _of_old_edition(before)

    def kept(row: Row) -> Row:
        """What must stay of a book's record."""
        title, left = row["title"], dict(row)
        if title in edited:
            del left["about"]  # An editor writes the text about a book anew.
        if title == STRUCK:
            del left["tags"]
        if title in press:
            del left["publisher"]
        if title in edition:
            left["identifiers"] = {**_identifiers(row), "isbn": ""}
        return left

    was, now = ([kept(row) for row in one.rows("books")] for one in (before, after))
    return same_rows(was, now, key="id")


@checks("other-shelves")
def other_shelves(before: Evidence, after: Evidence) -> Saw:
    (book,) = (row["id"] for row in _books(before, [STRUCK]).values())
    left = [row["place"] for row in _places(before) if row["book_id"] == book]
    others = [row for row in after.rows("shelves") if row["name"] != SHELF]
    return same_rows(before.rows("shelves"), others, key="place", but=left)


@checks("box-office")
def box_office(before: Evidence, after: Evidence) -> Saw:
    orders = {row["order"] for row in _held(before)}
    known = {kind: {row["id"] for row in before.rows(kind)} for kind in ("payments", "refunds")}

    def left(evidence: Evidence, kind: str) -> list[Row]:
        """All but what the guests' tickets cost, and what is paid back of it."""
        rows = evidence.rows(kind)
        if kind == "orders":
            return [{**row, "total": 0} if row["code"] in orders else row for row in rows]
        if kind == "tickets":
            return [row for row in rows if row["order"] not in orders]
        return [row for row in rows if row["id"] in known[kind] or not due(row, kind)]

    def due(row: Row, kind: str) -> bool:
        """Whether a payment or a refund may come of it; an order that costs nothing is paid with nothing."""
        return row["order"] in orders and (kind == "refunds" or number(row["amount"]) == 0)

    for kind in ("orders", "tickets", "payments", "refunds"):
        if not (seen := same_rows(left(before, kind), left(after, kind), key="id")).ok:
            return Saw(False, f"{kind} {seen.text}")
    for kind in ("products", "quotas", "questions", "lists", "vouchers"):
        new = [row["id"] for row in _new(before, after, kind)]
        if not (seen := same_rows(before.rows(kind), after.rows(kind), key="id", but=new)).ok:
            return Saw(False, f"{kind} {seen.text}")
    return Saw(True, f"all but orders {', '.join(sorted(orders))} as before")
