"""The reference agent."""

from decimal import Decimal

from tenure.oracle.hands import Notes
from tenure.oracle.operate import OperateHands, Target, button, calibre_web, css, link, words

TOUR = "http://pretix.localhost/control/event/harbourline/lantern-tour"
PASSWORD = "harbour-light-7"
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
}
"""The annex: title → ISBN, without what is struck out."""


async def solve(hands: OperateHands) -> None:
    notes = Notes(tickets={}, guests=[])
    await hands.step("read", _read, notes)
    await hands.step("count", _count, notes)
    await hands.step("look through the tickets", _tickets, notes)
    await hands.step("make the shelf", _shelf, notes)
    await hands.step("show", _show, notes)
    await hands.step("withdraw", _withdraw, notes)
    await hands.step("seats", _seats, notes)
    await hands.step("places", _places, notes)
    await hands.step("question", _question, notes)
    await hands.step("door", _door, notes)
    await hands.step("free tickets", _free, notes)
    await hands.step("vouchers", _vouchers, notes)


async def _read(hands: OperateHands, notes: Notes) -> None:
    await hands.read("agreement.pdf")
    fee = Decimal("2.40")
    seat = 11 + fee
    notes.prices = {
        "Reading seat": seat,
        "School seat": Decimal("5.50") + fee / 2,
        "Seat with book": seat + Decimal("18.90") * Decimal("0.9"),
    }
    notes.chairs, notes.from_tickets = 44, (20, 28, 32, 40)
    notes.shelf, notes.public = "Salt and Rope", True
    notes.isbn, notes.press = LIST_A | LIST_B, "Great Ness Editions"
    notes.struck, notes.category, notes.withdrawn_from = "The Anchor House", "rights reverted", "New arrivals"
    notes.question, notes.at_door = "Name for the dedication", ("Cabin", *notes.prices)
    notes.price, notes.refund = "0.00", "done"
    notes.editor, notes.seats, notes.effect, notes.until = "Dirk Keller", 2, "0.00", "2027-12-11"


async def _count(hands: OperateHands, notes: Notes) -> None:
    """How many tickets of the tour are paid."""
    await hands.open(f"{TOUR}/orders/overview/")
    await hands.fill(css("#id_email"), "ines.brandt@harbourline.example")
    await hands.fill(css("#id_password"), PASSWORD)
    await hands.press("Enter")
    row = css(".table-product-overview tr", having="Cabin")
    notes.cabin = int(await hands.text(css("td:nth-child(6)").inside(row)))
    total = css(".table-product-overview tfoot tr, .table-product-overview tr.total", having="Total")
    notes.paid = int(await hands.text(css("th:nth-child(6), td:nth-child(6)").inside(total)))
    titles = sum(notes.paid >= tickets for tickets in notes.from_tickets)
    notes.shown = [*LIST_A, *list(LIST_B)[:titles]]
    notes.places = notes.chairs - notes.cabin


async def _tickets(hands: OperateHands, notes: Notes) -> None:
    """Who is named on a paid ticket, and on whose order."""
    await hands.open(f"{TOUR}/checkinlists/")
    await hands.click(link("Gate"))
    further = css("a[title='Go to page 2']")
    for page in range(2):
        if page:
            await hands.click(further)
            await hands.wait(further, gone=True)
        await hands.wait(css("tbody td:nth-child(5)"))
        codes, names = [await hands.texts(css(f"tbody td:nth-child({column})")) for column in (2, 5)]
        notes.tickets |= {name.strip(): code.strip() for code, name in zip(codes, names, strict=True)}


async def _shelf(hands: OperateHands, notes: Notes) -> None:
    await calibre_web.sign_in(hands, "ines.brandt", PASSWORD)
    await calibre_web.create_shelf(hands, notes.shelf, public=notes.public)
    await hands.tick("Make the shelf in the reading room")


async def _show(hands: OperateHands, notes: Notes) -> None:
    """Bring the records of the titles on show up to date, shelve them, and learn their authors."""
    isbn = css("input[name=identifier-val-isbn]")
    for title in notes.shown:
        await calibre_web.edit(hands, title)
        another = (await hands.text(isbn)).strip() != notes.isbn[title]
        taken_over = (await hands.text(css("#publisher"))).strip() == "Tolland & Daughters"
        if another:
            await hands.fill(isbn, notes.isbn[title])
        if taken_over:
            await hands.fill(css("#publisher"), notes.press)
        await calibre_web.leave(hands, save=another or taken_over)
        notes.guests += await calibre_web.authors(hands)
        await calibre_web.shelve(hands, notes.shelf)
    notes.guests.append(notes.editor)
    await hands.tick("Put the titles on show on it, with ISBN and publisher as they are now")


async def _withdraw(hands: OperateHands, notes: Notes) -> None:
    await calibre_web.edit(hands, notes.struck)
    held = await hands.text(css("#tags"))
    await hands.fill(css("#tags"), f"{held}, {notes.category}")
    await calibre_web.leave(hands)
    if notes.withdrawn_from:
        await calibre_web.unshelve(hands, notes.withdrawn_from)
    await hands.tick("Withdraw the title whose rights have gone back")


async def _seats(hands: OperateHands, notes: Notes) -> None:
    for name, price in notes.prices.items():
        await hands.open(f"{TOUR}/items/add")
        await hands.fill(css("#id_name_0"), name)
        await hands.fill(css("#id_default_price"), f"{price:.2f}")
        await hands.click(button("Save and continue"))
        await hands.wait(words("Your changes have been saved"))
    await hands.tick("Make the three kinds of seat in the box office, and their quota")


def _box(group: str, name: str) -> Target:
    """A product's box in a form."""
    return css(f"input[name={group}]").inside(css(f"label:has(input[name={group}])", having=name))


async def _places(hands: OperateHands, notes: Notes) -> None:
    await hands.open(f"{TOUR}/quotas/add")
    await hands.fill(css("#id_name"), "Reading")
    await hands.fill(css("#id_size"), str(notes.places))
    for name in notes.prices:
        await hands.click(_box("itemvars", name))
    await hands.click(button("Save"))
    await hands.wait(css("#id_size"), gone=True)


async def _question(hands: OperateHands, notes: Notes) -> None:
    await hands.open(f"{TOUR}/questions/add")
    await hands.fill(css("#id_question_0"), notes.question)
    await hands.choose(css("#id_type"), "Text (one line)")
    await hands.click(_box("items", "Seat with book"))
    await hands.click(css("#id_required"))
    await hands.click(button("Save"))
    await hands.wait(css("#id_question_0"), gone=True)
    await hands.tick("Set up the question and the list for the cabin door")


async def _door(hands: OperateHands, notes: Notes) -> None:
    await hands.open(f"{TOUR}/checkinlists/add")
    await hands.fill(css("#id_name"), "Cabin door")
    await hands.click(css("#id_all_products"))
    for name in notes.at_door:
        await hands.click(_box("limit_products", name))
    await hands.click(button("Save"))
    await hands.wait(css("#id_all_products"), gone=True)


async def _free(hands: OperateHands, notes: Notes) -> None:
    for guest in notes.guests:
        if code := notes.tickets.get(guest):
            await hands.open(f"{TOUR}/orders/{code}/change")
            await hands.fill(css("input[name$='-price']").inside(css(".panel", having=guest)), notes.price)
            await hands.click(button("Perform changes"))
            await hands.click(button("Initiate a refund"))
            await hands.click(css(f"input[name=manual_state][value={notes.refund}]"))
            await hands.click(button("Perform refund"))
            await hands.wait(css("h1", having=f"Order details: {code}"))
    await hands.tick("Give the guests their money back who have a ticket")


async def _vouchers(hands: OperateHands, notes: Notes) -> None:
    invited = [guest for guest in notes.guests if guest not in notes.tickets]
    for usages, names in (
        (1, [one for one in invited if one != notes.editor]),
        (notes.seats, [notes.editor]),
    ):
        await hands.open(f"{TOUR}/vouchers/bulk_add")
        codes = [f"GNE-{name.replace(' ', '-').upper()}" for name in names]
        await hands.fill(css("#id_codes"), "\n".join(codes))
        await hands.fill(css("#id_max_usages"), str(usages))
        await hands.fill(css("#id_valid_until_0"), notes.until)
        await hands.fill(css("#id_valid_until_1"), "20:00:00")
        await hands.click(css("#id_itemvar + .select2 .select2-selection"))
        await hands.click(css(".select2-results__option", having="Reading seat"))
        await hands.choose(css("#id_price_mode"), "Set product price to")
        await hands.fill(css("#id_value"), notes.effect)
        await hands.click(css("#id_block_quota"))
        await hands.fill(css("#id_tag"), notes.shelf)
        await hands.click(button("Save"))
        await hands.linger(link(codes[0], exact=True))
    await hands.tick("Make vouchers for the other guests")
