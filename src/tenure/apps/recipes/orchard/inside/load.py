"""Loads what standard input says (JSON of ``data.py``) through Tryton's own client library, day by day."""

import datetime
import json
import sqlite3
import sys
from decimal import Decimal

from proteus import Model, config
from trytond.modules.company.tests.tools import create_company, get_company
from trytond.pool import Pool

agent, password = sys.argv[1:]
told = json.load(sys.stdin)
config.set_trytond("orchard", user="admin", config_file="/tmp/load.conf")
now = datetime.date.fromisoformat(told["deliveries"][0]["day"])
# Documents bear the day on which they were made, not the one on which they are loaded.
Pool("orchard").get("ir.date").today = classmethod(lambda cls, timezone=None: now)


def made(kind, **values):
    record = Model.get(kind)(**values)
    record.save()
    return record


def only(kind, *domain):
    (found,) = Model.get(kind).find(list(domain), limit=1)
    return found


create_company(party=made("party.party", name=told["company"]), currency="EUR")
company = get_company()
config.get_config()._context = Model.get("res.user").get_preferences(True, {})
growers = {}
for one in told["growers"]:
    party = Model.get("party.party")(name=one["name"])
    address = party.addresses[0] if party.addresses else party.addresses.new()
    address.party_name, address.street_unstructured, address.city = one["contact"], one["street"], one["town"]
    party.save()
    growers[one["name"]] = party
for one in told["employees"]:
    since = datetime.date.fromisoformat(one["since"])
    made("company.employee", party=made("party.party", name=one["name"]), company=company, start_date=since)
user = Model.get("res.user")(name="Ines Brandt", login=agent, password=password)
for group in Model.get("res.group").find([("name", "!=", "Administration")]):
    user.groups.append(group)
user.companies.append(Model.get("company.company")(company.id))
user.company = company
user.save()

# What comes in, what is made of it, and by which recipe.
products = {}
for kind, unit, name in (
    ("apples", "Kilogram", "Apples"),
    ("packing", "Unit", "Packing"),
    ("musts", "Liter", "Musts"),
    ("bottled", "Unit", "Bottled"),
):
    category = made("product.category", name=name)
    for one in told[kind]:
        template = Model.get("product.template")(name=one["name"], code=one["code"], type="goods")
        template.default_uom = only("product.uom", ("name", "=", unit))
        template.producible = kind in ("musts", "bottled")
        template.categories.append(Model.get("product.category")(category.id))
        if kind == "bottled":
            template.expiration_state, template.shelf_life_state = "none", "optional"
            template.shelf_life_time = one["keeps"]
        template.save()
        products[one["code"]] = template.products[0]


def recipe(name, code, parts, quantity):
    bom = Model.get("production.bom")(name=name)
    for part, amount in parts:
        bom.inputs.new(product=products[part], quantity=amount)
    bom.outputs.new(product=products[code], quantity=quantity)
    bom.save()
    made("product.product-production.bom", product=products[code], bom=bom)
    return bom


recipes = {
    one["code"]: recipe(f"{one['name']}, pressing", one["code"], one["of"], 100.0) for one in told["musts"]
}
for one in told["bottled"]:
    parts = ((one["of"], 0.75), *((each["code"], 1.0) for each in told["packing"]))
    recipes[one["code"]] = recipe(f"{one['name']}, bottling", one["code"], parts, 1.0)
storage = only("stock.location", ("code", "=", "STO"))
inventory = Model.get("stock.inventory")(date=now, location=storage)
for one in told["packing"]:
    inventory.lines.new(product=products[one["code"]], quantity=float(one["stock"]))
inventory.save()
inventory.click("confirm")

# What is looked at, and within which bounds it must be.
checks = {}
for name, category, points in (
    (
        "Must check",
        "Musts",
        (("sugar", "float", 10.0, 15.0), ("acidity", "float", 3.2, 4.2), ("clean", "boolean", 0, 0)),
    ),
    (
        "Bottling check",
        "Bottled",
        (("alcohol", "float", 0.0, 8.5), ("pressure", "float", 1.5, 3.2), ("label", "boolean", 0, 0)),
    ),
):
    control = Model.get("quality.control")(name=name, company=company, frequency=1.0)
    control.operations = ["production:do"]
    control.product_category = only("product.category", ("name", "=", category))
    for point, kind, low, high in points:
        held = control.points.new(name=point, string=point.title(), type_=kind)
        if kind == "float":
            held.tolerance_lower, held.tolerance_upper = low, high
    control.save()
    checks[name] = control
lots = {}


def delivered(one):
    shipment = Model.get("stock.shipment.in")(supplier=growers[one["grower"]], effective_date=now)
    shipment.reference = f"D-{one['day'].replace('-', '')}"
    shipment.save()
    supplier = only("stock.location", ("code", "=", "SUP"))
    for line in one["lines"]:
        product = products[line["code"]]
        lots[line["lot"]] = made("stock.lot", number=line["lot"], product=product)
        move = shipment.incoming_moves.new(product=product, quantity=float(line["kilograms"]))
        move.from_location, move.to_location = supplier, shipment.warehouse.input_location
        move.lot = lots[line["lot"]]
        move.company = company
        move.currency, move.unit_price = company.currency, Decimal(0)
    shipment.save()
    for step in ("receive", "do"):
        shipment.click(step)


def run(one):
    production = Model.get("production")(product=products[one["code"]], quantity=float(one["quantity"]))
    production.bom = recipes[one["code"]]
    production.planned_date = now
    production.reference = one["lot"]
    production.save()
    if one["state"] == "draft":
        return
    lot = made("stock.lot", number=one["lot"], product=products[one["code"]])
    if one.get("best_before"):
        lot.shelf_life_expiration_date = datetime.date.fromisoformat(one["best_before"])
        lot.save()
    lots[one["lot"]] = lot
    used = {each["code"]: each["lot"] for each in one["inputs"]}
    for move in production.inputs:
        if move.product.code in used:
            move.lot = lots[used[move.product.code]]
    for move in production.outputs:
        move.lot = lot
    production.effective_start_date = production.effective_date = now
    production.save()
    for step in ("wait", "assign_force", "run"):
        production.click(step)
    inspection = Model.get("quality.inspection")(control=checks[one["check"]], origin=production)
    inspection.points = one["found"]
    inspection.save()
    inspection.click("process")
    if inspection.state == "failed":
        inspection.click("pass_")
    production.reload()
    production.click("do")


events = [(one["day"], 0, number, delivered, one) for number, one in enumerate(told["deliveries"])]
events += [(one["day"], 1, number, run, one) for number, one in enumerate(told["runs"])]
for day, _, _, act, one in sorted(events, key=lambda event: event[:3]):
    now = datetime.date.fromisoformat(day)
    act(one)
# All that was done in memory; a plain copy would miss what still stands in the log beside it.
with sqlite3.connect("/dev/shm/orchard.sqlite") as quick, sqlite3.connect("/app/data/orchard.sqlite") as kept:
    quick.backup(kept)
