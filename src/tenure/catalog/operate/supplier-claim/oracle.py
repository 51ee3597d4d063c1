"""The reference agent."""

from tenure.oracle import ScriptError
from tenure.oracle.hands import Notes
from tenure.oracle.operate import OperateHands, Target, actual, button, css, link, roundup, sao

TRACKER, BOOKS, LEDGER = (
    "http://roundup.localhost/tracker/",
    "http://tryton.localhost",
    "http://actual.localhost",
)
USER, PASSWORD = "ines.brandt", "harbour-light-7"
PURCHASES, SUPPLIER, BOTTLE = "Purchases / Purchases", "Stroud Mill", "Bottle 0.33 l, brown"
BUGS, PALLET = "cannot be moved between halls", 84
LINES = ".form-one2many button[title='{}']:not([disabled])"
"""A button over the lines of a purchase."""


async def solve(hands: OperateHands) -> None:
    notes = Notes(
        keep=("BOT-033",),
        credited="10/30/2026",
        ordered="11/02/2026",
        offer="PO-65806",
        terms="60 days",
        category="Repairs",
        bill="68.60",
        type="operations",
        assignee="otto.ackroyd",
        resolution="invalid",
        task="task",
    )
    await hands.step("read the bugs", _read, notes)
    await hands.step("enter the books", _enter, notes)
    await hands.step("look up", _look_up, notes)
    await hands.step("return", _return, notes)
    await hands.step("credit", _credit, notes)
    await hands.step("replace", _replace, notes)
    await hands.step("cancel", _cancel, notes)
    await hands.step("terms", _terms, notes)
    await hands.step("open the ledger", _open_ledger, notes)
    await hands.step("refund", _refund, notes)
    await hands.step("correct", _correct, notes)
    await hands.step("task", _task, notes)
    await hands.step("close", _close, notes)


async def _read(hands: OperateHands, notes: Notes) -> None:
    await roundup.sign_in(hands, TRACKER, USER, PASSWORD)
    await roundup.find_bugs(hands, BUGS)
    rows = await hands.texts(css("tr", having=BUGS))
    notes.bugs = [cells[2] for row in rows if (cells := row.split("\t"))[3].strip() != "closed"]
    notes.bottles = PALLET * len(notes.bugs)
    await hands.tick("Find the bugs that the bottles explain in Roundup")


async def _enter(hands: OperateHands, notes: Notes) -> None:
    await hands.switch("0001")
    await sao.sign_in(hands, BOOKS, USER, PASSWORD)


async def _look_up(hands: OperateHands, notes: Notes) -> None:
    """Who else has the bottles, and which purchase they came with."""
    await sao.open_menu(hands, "Products / Products / Suppliers")
    await sao.search(hands, f'Product: "{BOTTLE}"', BOTTLE)
    offers = await hands.texts(css(".treeview tbody tr", having=BOTTLE).inside(sao.PANE))
    suppliers = [" ".join(offer.split()[-2:]) for offer in offers]
    (notes.other,) = [name for name in suppliers if name != SUPPLIER]
    await sao.close_tab(hands)
    await sao.open_menu(hands, PURCHASES)
    await sao.show_part(hands, "All")
    await sao.search(hands, f'Party: "{SUPPLIER}"', "PO-48760")
    await sao.open_line(hands, "PO-48760")
    notes.purchase = await hands.text(sao.labelled("Reference"))


async def _return(hands: OperateHands, notes: Notes) -> None:
    await sao.tool(hands, "Launch action")
    await hands.click(css(".toolbar .open a", "Return Purchase").inside(sao.PANE))
    await sao.answer(hands, "Return")
    for code in ("MLK-BULK", "BOX-06"):
        if code not in notes.keep:
            await hands.click(css("td.selection-state input").inside(sao.line(code)))
            await hands.click(css(LINES.format("Delete")).inside(sao.PANE))
    await hands.fill(sao.labelled("Reference"), f"Claim {notes.purchase}")
    await sao.save(hands)
    await hands.wait(sao.line("BOT-033"))
    await hands.click(css("td.selection-state input").inside(sao.line("BOT-033")))
    await hands.click(css(LINES.format("Open")).inside(sao.PANE))
    await _quantity(hands, -notes.bottles)
    await sao.answer(hands, "Apply changes")
    await sao.save(hands)
    await sao.act(hands, "Quote")
    await hands.wait(button("Confirm", exact=True).inside(sao.PANE))
    notes.number = await hands.text(sao.labelled("Number"))
    await sao.act(hands, "Confirm")
    await hands.wait(button("Process", exact=True).inside(sao.PANE))


async def _quantity(hands: OperateHands, quantity: int) -> None:
    """Change a line's quantity, and wait until its amount follows: who is quicker loses the line."""
    amount = sao.labelled("Amount", sao.DIALOG)
    before = await hands.text(amount)
    await sao.fill(hands, sao.labelled("Quantity", sao.DIALOG), str(quantity))
    for _ in range(60):
        if await hands.text(amount) != before:
            return
        await hands.pause(1)
    raise ScriptError(f"the amount stays {before}")


async def _credit(hands: OperateHands, notes: Notes) -> None:
    await hands.click(css("button.form-link:has-text('Invoices 1')").inside(sao.PANE))
    await sao.open_line(hands, SUPPLIER)
    await sao.fill(hands, sao.labelled("Invoice Date"), notes.credited)
    await sao.save(hands)
    notes.refund = (await hands.text(sao.labelled("Total"))).lstrip("-")
    await sao.act(hands, "Post")
    await sao.answer(hands, "OK")
    await hands.wait(button("Pay", exact=True).inside(sao.PANE))
    await hands.tick("Return the bottles in Tryton and post the credit note")


async def _replace(hands: OperateHands, notes: Notes) -> None:
    await sao.open_menu(hands, PURCHASES)
    await sao.new(hands)
    await sao.complete(hands, sao.labelled("Party"), notes.other)
    await sao.fill(hands, sao.labelled("Reference"), f"For return {notes.number}")
    await sao.fill(hands, sao.labelled("Purchase Date"), notes.ordered)
    await hands.click(css(LINES.format("New")).inside(sao.PANE))
    await sao.complete(hands, sao.labelled("Product", sao.DIALOG), BOTTLE, f"[BOT-033] {BOTTLE}")
    await _quantity(hands, notes.bottles)
    await sao.answer(hands, "Add")
    await hands.wait(sao.line("BOT-033", str(notes.bottles)))
    await sao.save(hands)
    await sao.act(hands, "Quote")
    await hands.wait(button("Confirm", exact=True).inside(sao.PANE))
    await hands.tick("Order the replacement from the other supplier")


async def _cancel(hands: OperateHands, notes: Notes) -> None:
    await sao.open_menu(hands, PURCHASES)
    await sao.show_part(hands, "All")
    await sao.search(hands, f'Party: "{SUPPLIER}"', notes.offer)
    await sao.open_line(hands, notes.offer)
    await sao.act(hands, "Cancel")
    await hands.wait(button("Draft", exact=True).inside(sao.PANE))


async def _terms(hands: OperateHands, notes: Notes) -> None:
    await sao.open_menu(hands, "Parties / Parties")
    await sao.search(hands, f'Name: "{SUPPLIER}"', SUPPLIER)
    await sao.open_line(hands, SUPPLIER)
    await hands.click(Target("tab", "Accounting").inside(sao.PANE))
    await sao.complete(hands, sao.labelled("Supplier Payment Term"), notes.terms)
    await sao.save(hands)
    await hands.tick("Cancel Stroud Mill's quotation and change its payment term")


async def _open_ledger(hands: OperateHands, notes: Notes) -> None:
    await actual.open_budget(hands, LEDGER, PASSWORD, "Harbourline Events", new_tab=True)


async def _refund(hands: OperateHands, notes: Notes) -> None:
    await actual.open_account(hands, "Current account")
    await actual.begin_entry(hands, "10/30/2026", SUPPLIER)
    for text in (f"Refund for return {notes.number}", notes.category, "", notes.refund):
        await hands.press("Tab")
        if text:
            await hands.press(text)
    await hands.press("Tab")
    await actual.add_entry(hands)


async def _correct(hands: OperateHands, notes: Notes) -> None:
    await actual.search(hands, SUPPLIER, rows=2)
    await actual.put(hands, actual.entry("10/08/2026"), "category", notes.category)
    await actual.open_account(hands, "Card")
    await actual.search(hands, SUPPLIER, rows=3)
    await actual.put(hands, actual.entry("08/27/2026"), "debit", notes.bill)
    await hands.tick("Book the refund in Actual and put the two entries right")


async def _task(hands: OperateHands, notes: Notes) -> None:
    await hands.switch("0002")
    await roundup.new_task(hands, f"Return {notes.number} to {SUPPLIER}")
    await roundup.choose(hands, type=notes.type, components="stock", assignee=notes.assignee, priority="high")
    await roundup.comment(hands, f"{notes.bottles} bottles go back; {notes.refund} EUR were refunded.")
    notes.task = await roundup.submit(hands)


async def _close(hands: OperateHands, notes: Notes) -> None:
    for title in notes.bugs:
        await roundup.find_bugs(hands, BUGS)
        await hands.click(link(title))
        await roundup.choose(hands, status="closed", resolution=notes.resolution)
        await roundup.comment(hands, f"The bottles were out of shape; see {notes.task}.")
        await roundup.submit(hands)
    await hands.tick("Create the task in the tracker and close the bugs")
