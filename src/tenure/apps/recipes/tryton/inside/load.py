"""Loads the generated books through Tryton's own client library, day by day in their order."""

import datetime
import json
import sqlite3
import sys
from decimal import Decimal
from pathlib import Path

from proteus import Model, Wizard, config
from trytond.modules.account.tests.tools import create_chart, create_fiscalyear, get_accounts
from trytond.modules.account_invoice.tests.tools import set_fiscalyear_invoice_sequences
from trytond.modules.company.tests.tools import create_company, get_company
from trytond.pool import Pool

DATABASE = "harbourline"
agent, agent_password = sys.argv[1:]
data = json.load(sys.stdin)
# In memory: each of some thousand transactions would wait for the disk.
held, quick = Path("/app/data") / f"{DATABASE}.sqlite", Path("/dev/shm") / f"{DATABASE}.sqlite"


def copied(source, target):
    with sqlite3.connect(source) as one, sqlite3.connect(target) as other:
        one.backup(other)


copied(held, quick)
settings = Path("/app/trytond.conf").read_text().replace("/app/data", "/dev/shm")
Path("/tmp/load.conf").write_text(settings)
config.set_trytond(DATABASE, user="admin", config_file="/tmp/load.conf")
now = datetime.date.fromisoformat(data["began"])
# Documents bear the day on which they were made, not the one on which they are loaded.
Pool(DATABASE).get("ir.date").today = classmethod(lambda cls, timezone=None: now)


def made(kind, **values):
    record = Model.get(kind)(**values)
    record.save()
    return record


def only(kind, *domain):
    (found,) = Model.get(kind).find(list(domain), limit=1)
    return found


# The company, its year and its books.
create_company(party=made("party.party", name=data["company"]), currency=data["currency"])
company = get_company()
create_chart(company)
accounts = get_accounts(company)
first, last = datetime.date(data["year"], 1, 1), datetime.date(data["year"], 12, 31)
for year in (data["year"], data["year"] + 1):
    span = first.replace(year=year), last.replace(year=year)
    fiscal = set_fiscalyear_invoice_sequences(create_fiscalyear(company, today=span))
    fiscal.name, fiscal.start_date, fiscal.end_date = str(year), *span
    fiscal.save()
    fiscal.click("create_period")
taxes = {}
for rate in data["vat"]:
    percent = f"{Decimal(rate) * 100:.0f} %"
    taxes[rate] = made(
        "account.tax",
        name=f"VAT {percent}",
        description=f"VAT {percent}",
        type="percentage",
        rate=Decimal(rate),
        invoice_account=accounts["tax"],
        credit_note_account=accounts["tax"],
    )
journal = only("account.journal", ("type", "=", "cash"))
journal.name = "Bank"
journal.save()
method = made(
    "account.invoice.payment.method",
    name="Bank transfer",
    journal=journal,
    credit_account=accounts["cash"],
    debit_account=accounts["cash"],
)
terms = {}
for days in (14, 30, 60):
    term = Model.get("account.invoice.payment_term")(name=f"{days} days")
    term.lines.new(type="remainder").relativedeltas.new(days=days)
    term.save()
    terms[term.name] = term

# Partners and products.
parties = {}
for one in data["partners"]:
    party = Model.get("party.party")(name=one["name"], code=one["code"])
    address = party.addresses[0] if party.addresses else party.addresses.new()
    address.party_name, address.street_unstructured, address.city = one["contact"], one["street"], one["town"]
    for kind in ("email", "phone"):
        mechanism = party.contact_mechanisms.new()
        mechanism.type, mechanism.value = kind, one[kind]
    field = "customer_payment_term" if one["kind"] == "customer" else "supplier_payment_term"
    setattr(party, field, terms[one["terms"]])
    party.save()
    parties[one["name"]] = party
kinds = {}
for one in data["products"]:
    kind, rate = one["kind"], one["vat"]
    if kind not in kinds:
        account = Model.get("product.category")(name=f"{kind.capitalize()}, VAT {Decimal(rate) * 100:.0f} %")
        account.accounting = True
        account.account_expense, account.account_revenue = accounts["expense"], accounts["revenue"]
        account.customer_taxes.append(Model.get("account.tax")(taxes[rate].id))
        account.supplier_taxes.append(Model.get("account.tax")(taxes[rate].id))
        account.save()
        kinds[kind] = account, made("product.category", name=kind.capitalize())
products = {}
for one in data["products"]:
    account, shown = kinds[one["kind"]]
    template = Model.get("product.template")(name=one["name"], code=one["code"])
    template.default_uom = only("product.uom", ("name", "=", one["unit"]))
    template.type = "service" if one["kind"] == "service" else "goods"
    template.salable, template.purchasable = True, one["bought"]
    template.list_price = Decimal(one["price"])
    template.account_category = account
    template.categories.append(Model.get("product.category")(shown.id))
    template.products[0].cost_price = Decimal(one["cost"])
    template.save()
    products[one["code"]] = template.products[0]
    for offer in one["suppliers"]:
        supplier = Model.get("purchase.product_supplier")(template=template, party=parties[offer["name"]])
        supplier.prices.new(quantity=0, unit_price=Decimal(offer["price"]))
        supplier.save()
inventory = Model.get("stock.inventory")(date=now, location=only("stock.location", ("code", "=", "STO")))
for code, quantity in data["stock"].items():
    inventory.lines.new(product=products[code], quantity=float(quantity))
inventory.save()
inventory.click("confirm")

# People and projects.
staff = {}
for one in data["employees"]:
    party = made("party.party", name=one["name"])
    since = datetime.date.fromisoformat(one["since"])
    staff[one["name"]] = made("company.employee", party=party, company=company, start_date=since)
desk = made("company.employee", party=made("party.party", name="Ines Brandt"), company=company)
user = Model.get("res.user")(name="Ines Brandt", login=agent, password=agent_password)
user.email = f"{agent}@{data['domain']}"
for group in Model.get("res.group").find([("name", "!=", "Administration")]):
    user.groups.append(group)
user.companies.append(Model.get("company.company")(company.id))
user.company = company
user.employees.append(Model.get("company.employee")(desk.id))
user.employee = desk
user.save()
done = only("project.work.status", ("name", "=", "Done"))
for one in data["projects"]:
    project = Model.get("project.work")(name=one["name"], type="project", company=company)
    for number, (name, hours) in enumerate(zip(one["tasks"], one["hours"], strict=True)):
        task = project.children.new(name=name, type="task", effort_duration=datetime.timedelta(hours=hours))
        if number < one["done"]:
            task.status, task.progress = done, 1.0
    project.save()


# Orders, each step on its day.
def ordered(kind, one):
    order = Model.get(f"{kind}.{kind}")(party=parties[one["partner"]], reference=one["reference"])
    setattr(order, f"{kind}_date", now)
    for line in one["lines"]:
        held = order.lines.new()
        held.product = products[line["code"]]
        held.quantity = float(line["quantity"])
        if kind == "purchase" and held.unit_price is None:
            held.unit_price = products[line["code"]].cost_price
    order.save()
    if one["state"] != "draft":
        order.click("cancel" if one["state"] == "cancelled" else "quote")
    if one["state"] in ("processing", "delivered"):
        order.click("confirm")
    one["order"] = order


def delivered(kind, one):
    order = one["order"]
    order.reload()
    if kind == "purchase":
        shipment = Model.get("stock.shipment.in")(supplier=order.party, effective_date=now)
        for move in order.moves:
            shipment.incoming_moves.append(Model.get("stock.move")(move.id))
        shipment.save()
        steps = ("receive", "do")
    else:
        shipment = order.shipments[0] if order.shipments else None
        steps = ("assign_force", "pick", "pack", "do")
    if shipment is not None:
        shipment.effective_date = now
        shipment.save()
        for step in steps:
            shipment.click(step)
    order.reload()
    for invoice in order.invoices:
        invoice.invoice_date = now
        if kind == "purchase":
            invoice.reference = f"R{one['reference'][3:]}"
        invoice.save()
        invoice.click("post")


def paid(kind, one):
    order = one["order"]
    order.reload()
    for invoice in order.invoices:
        pay = Wizard("account.invoice.pay", [invoice])
        pay.form.payment_method = method
        pay.form.date = now
        pay.execute("choice")


events = []
for kind, orders in (("purchase", data["purchases"]), ("sale", data["sales"])):
    for number, one in enumerate(orders):
        for rank, (field, act) in enumerate((("date", ordered), ("delivered", delivered), ("paid", paid))):
            if one[field]:
                events.append((one[field], rank, kind, number, act, one))
for day, _, kind, _, act, one in sorted(events, key=lambda event: event[:4]):
    now = datetime.date.fromisoformat(day)
    act(kind, one)
copied(quick, held)
