"""The reference agent."""

from decimal import Decimal

from tenure.oracle.hands import Notes
from tenure.oracle.operate import OperateHands, Target, button, css, sao, wiki, words

HOUSE = "http://orchard.localhost"
ACCOUNT = ("ines.brandt", "harbour-light-7")
LINES = css(".form-one2many").inside(sao.PANE)
PERRY_INSPECTION, LABEL_INSPECTION = "Quality Inspection,54", "Quality Inspection,14"
"""What the two alerts are about: the second inspection that this script makes, and one of last season."""
RECALL = ("Recall of 2 November 2026", "recall-2026-11-02")


async def solve(hands: OperateHands) -> None:
    notes = Notes(
        grower="",
        day="11/02/2026",
        left={"A-01-26084": "1120", "A-02-26084": "630", "A-03-26084": "730", "M-01-2608": "800"},
        delivered={"A-01": ("1120", "0.31"), "A-02": ("630", "0.27"), "A-03": ("1450", "0.35")},
        parent="[WH] Warehouse",
        stops="B-01-2608",
        came_out={"B-04-2606": "630", "B-03-2606": ""},
        musts={"B-04-2606": "M-02-2606", "B-03-2606": "M-03-2606"},
        until={"B-04-2606": "07/30/2027", "B-03-2606": "04/25/2028"},
        found={"B-04-2606": ("0.0", "2.1"), "B-03-2606": ("7.7", "3.3")},
        passed=("B-04-2606",),
        again="9 November 2026",
        later="11/13/2026",
        dates="best before 30 July 2027, paper copy until 2 January 2027",
    )
    await hands.step("read the handbook", _read, notes)
    await hands.step("enter the press house", _enter, notes)
    await hands.step("quarantine", _quarantine, notes)
    await hands.step("move", _move, notes)
    await hands.step("cancel", _cancel, notes)
    await hands.step("put off", _put_off, notes)
    await hands.step("bottle", _bottle, notes)
    await hands.step("inspect", _inspect, notes)
    await hands.step("complete", _complete, notes)
    await hands.step("alert", _alert, notes)
    await hands.step("settle", _settle, notes)
    await hands.step("write", _write, notes)
    await hands.step("dates", _dates, notes)


async def _read(hands: OperateHands, notes: Notes) -> None:
    await wiki.sign_in(hands, *ACCOUNT)
    await wiki.open_page(hands, "purchasing/tenders/contacts")
    cells = await hands.texts(css("td").inside(css("tr", having="Katja Usher")))
    notes.grower = cells[0].strip()
    await wiki.open_page(hands, "works/lab-bench")
    notes.owner = (await hands.text(css("#wiki-toc-owner + p"))).strip()
    await wiki.open_page(hands, "purchasing/claims")
    rule = await hands.text(css("li", having="decides where it is not clear"))
    notes.decides = rule.partition(" decides")[0].strip()


async def _enter(hands: OperateHands, notes: Notes) -> None:
    await sao.sign_in(hands, HOUSE, *ACCOUNT)


async def _quarantine(hands: OperateHands, notes: Notes) -> None:
    await sao.open_menu(hands, "Inventory & Stock / Configuration / Locations")
    await sao.new(hands)
    await hands.fill(sao.labelled("Name"), "Quarantine")
    await sao.complete(hands, sao.labelled("Parent"), notes.parent.partition("] ")[2], notes.parent)
    await sao.save(hands)


async def _move(hands: OperateHands, notes: Notes) -> None:
    await sao.open_menu(hands, "Inventory & Stock / Shipments / Internal Shipments")
    await sao.new(hands)
    await hands.fill(sao.labelled("Reference"), notes.grower)
    await sao.complete(hands, sao.labelled("From Location"), "Storage", "[STO] Storage Zone")
    await sao.complete(hands, sao.labelled("To Location"), "Quarantine")
    await sao.fill(hands, sao.labelled("Effective Date"), notes.day)
    await hands.click(css("button[title=New]").inside(LINES))
    for last, (lot, amount) in enumerate(notes.left.items(), 1 - len(notes.left)):
        await _product(hands, lot)
        await sao.complete(hands, sao.labelled("Lot", sao.DIALOG), lot)
        await sao.fill(hands, sao.labelled("Quantity", sao.DIALOG), amount, f"{int(amount):,}.00")
        if last:
            await hands.click(button("Add and New").inside(sao.DIALOG))
            await hands.wait(css(".badge", having=f"/ {len(notes.left) + last + 1}").inside(LINES))
    await sao.answer(hands, "Add")
    await sao.save(hands)
    await _through(hands, "Wait", "Assign", "Complete")
    await hands.tick("Move the delivery and its must to quarantine")


async def _product(hands: OperateHands, lot: str) -> None:
    """Choose a lot's product by its code."""
    await hands.fill(sao.labelled("Product", sao.DIALOG), lot.rpartition("-")[0])
    await hands.click(words(f"[{lot.rpartition('-')[0]}]").inside(css(".dropdown.open ul[role=listbox]")))


async def _through(hands: OperateHands, *buttons: str) -> None:
    """Take a record on from state to state."""
    for name in buttons:
        await sao.act(hands, name)
        if name != "Wait":
            await hands.wait(button(name, exact=True).inside(sao.PANE), gone=True)
        else:
            await hands.wait(button("Assign", exact=True).inside(sao.PANE))


async def _cancel(hands: OperateHands, notes: Notes) -> None:
    await _productions(hands, "Draft")
    await sao.open_line(hands, notes.stops)
    await sao.act(hands, "Cancel")
    await hands.wait(button("Draft", exact=True).inside(sao.PANE))
    await hands.tick("Cancel the bottling of that must")


async def _productions(hands: OperateHands, part: str) -> None:
    """Open a part of the list of productions."""
    await sao.open_menu(hands, "Productions / Productions", 1)
    await sao.show_part(hands, part)


async def _put_off(hands: OperateHands, notes: Notes) -> None:
    await _productions(hands, "Draft")
    await sao.open_line(hands, "B-01-2606")
    await sao.fill(hands, sao.labelled("Planned Date"), notes.later)
    await sao.save(hands)
    await hands.tick("Plan the dry cider for another day")


async def _bottle(hands: OperateHands, notes: Notes) -> None:
    for reference, must in notes.musts.items():
        await _productions(hands, "Draft")
        await sao.open_line(hands, reference)
        await sao.fill(hands, sao.labelled("Effective Date"), notes.day)
        await sao.fill(hands, sao.labelled("Effective Start Date"), notes.day)
        await _open_move(hands, "must")
        await sao.complete(hands, sao.labelled("Lot", sao.DIALOG), must)
        await sao.answer(hands, "Apply changes")
        await hands.click(Target("tab", "Output Materials", exact=True).inside(sao.PANE))
        await _open_move(hands, reference.rpartition("-")[0])
        await hands.fill(sao.labelled("Lot", sao.DIALOG), reference)
        await hands.click(words("Create...", exact=True).inside(css(".dropdown.open ul[role=listbox]")))
        until = sao.labelled("Shelf Life Expiration Date", sao.DIALOG)
        await hands.wait(until)
        await sao.fill(hands, until, notes.until[reference])
        await sao.answer(hands, "Save")
        if notes.came_out[reference]:
            await sao.fill(hands, sao.labelled("Quantity", sao.DIALOG), notes.came_out[reference])
        await sao.answer(hands, "Apply changes")
        await _through(hands, "Wait", "Assign", "Run")
        await sao.close_tab(hands)
    await hands.tick("Enter the juice and the perry as bottled")


async def _open_move(hands: OperateHands, having: str) -> None:
    """Open a movement of a production's list, by a text in its line."""
    await hands.click(css("td.selection-state input").inside(sao.line(having)))
    await hands.click(css("button[title=Open]").inside(LINES))
    await hands.wait(sao.labelled("Lot", sao.DIALOG))


async def _inspect(hands: OperateHands, notes: Notes) -> None:
    await sao.open_menu(hands, "Quality / Inspections")
    for reference, (alcohol, pressure) in notes.found.items():
        await sao.new(hands)
        await sao.complete(hands, sao.labelled("Control"), "Bottling check")
        origin = css(".form-reference").inside(sao.PANE)
        await hands.choose(css("select").inside(origin), "Production")
        await hands.fill(css("input").inside(origin), reference)
        await hands.click(words(f"[{reference}]").inside(css(".dropdown.open ul[role=listbox]")))
        await hands.fill(sao.labelled("Alcohol"), alcohol)
        await hands.fill(sao.labelled("Pressure"), pressure)
        await hands.click(sao.labelled("Label"))
        await sao.act(hands, "Process")
        await hands.wait(button("Process", exact=True).inside(sao.PANE), gone=True)


async def _complete(hands: OperateHands, notes: Notes) -> None:
    for reference in notes.passed:
        await _productions(hands, "Running")
        await sao.open_line(hands, reference)
        await sao.act(hands, "Complete")
        await sao.answer(hands, "OK")
        await hands.wait(button("Complete", exact=True).inside(sao.PANE), gone=True)
    await hands.tick("Inspect both, and complete what has passed")


async def _alert(hands: OperateHands, notes: Notes) -> None:
    await sao.open_menu(hands, "Quality / Alerts")
    await sao.open_line(hands, PERRY_INSPECTION)
    await hands.fill(sao.labelled("Title"), "Bottling check of B-03-2606")
    await hands.fill(css("textarea").inside(sao.PANE), f"{notes.owner} checks it again on {notes.again}")
    await sao.act(hands, "Process")
    await hands.wait(button("Resolve", exact=True).inside(sao.PANE))
    await sao.close_tab(hands)


async def _settle(hands: OperateHands, notes: Notes) -> None:
    await sao.open_menu(hands, "Quality / Alerts")
    await sao.open_line(hands, LABEL_INSPECTION)
    await _through(hands, "Process", "Resolve")
    await hands.tick("See to the two alerts")


async def _write(hands: OperateHands, notes: Notes) -> None:
    moved = "\n".join(
        f"- {lot}: {amount} {'l' if lot.startswith('M') else 'kg'}"
        for lot, amount in sorted(notes.left.items())
    )
    claim = sum((Decimal(kilograms) * Decimal(at) for kilograms, at in notes.delivered.values()), Decimal(0))
    end = f"Claim: {claim:.2f} euros\nDecides: {notes.decides}"
    await hands.open(wiki.ADDRESS, new_tab=True)
    text = f"Grower: {notes.grower}\n\n{moved}\n\n{end}"
    await wiki.create(hands, "works/recall-drill", *RECALL, text, "Sprayed too late")
    await hands.tick("Write the recall down in the handbook")


async def _dates(hands: OperateHands, notes: Notes) -> None:
    for reference in notes.passed:
        await wiki.append(hands, "works/best-before-dates", f"\n\n{reference}: {notes.dates}", "Bottled")
    await hands.tick("Write the best-before date down")
