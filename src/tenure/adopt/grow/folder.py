"""From a released product to a grow task folder of ours, scored by ViBench 1.0's own rules."""

import hashlib
import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from tenure.adopt.anomaly import Anomaly, Findings
from tenure.adopt.grow.plan import Assets, Kept, adopt_plan
from tenure.adopt.grow.released import ReleasedPlan, V1Rules
from tenure.adopt.grow.source import File, Layout, Source, read_source, slug, text_of
from tenure.schema.build import first_error
from tenure.schema.errors import BadInput
from tenure.schema.grow import Asset, Audience, Plan, Product, Rules, Stage
from tenure.schema.toml import to_toml
from tenure.schema.words import Suite

MARK = "adopted.json"
"""Of a folder that an adoption wrote, which another may replace."""
WRITTEN = ("stages", "plans", "released", "assets")
"""Folders that are made anew when an earlier adoption is replaced."""
PARTS: dict[tuple[Audience, ...], str] = {(Audience.BUILDER,): "builder", (Audience.SEEDER,): "seeder"}
"""Who gets an asset → the folder below ``assets/``; ``tests`` for seeder and grader together."""
_PLANS = TypeAdapter(tuple[ReleasedPlan, ...])


@dataclass(frozen=True)
class Adopted:
    """An adopted product, not yet written.

    Attributes:
        product: The declaration.
        stages: Folder name, declaration and PRD, in order.
        plans: As adopted.
        assets: Path below ``assets/`` and file.
        anomalies: What was odd.
        source: What was read.
    """

    product: Product
    stages: tuple[tuple[str, Stage, File], ...]
    plans: tuple[Kept, ...]
    assets: tuple[tuple[str, File], ...]
    anomalies: tuple[Anomaly, ...]
    source: Source


def adopt(folder: Path) -> Adopted:
    """Read a released product of either layout.

    Args:
        folder: ``prds/APP`` or ``prds-multiagent/APP``.

    Raises:
        BadInput: The folder holds no product, or a file in it is broken.
    """
    found = Findings()
    source = read_source(folder, found)
    assets = [(_placed(audience, file), audience, file) for audience, file in source.assets]
    given = Assets(
        seeder=tuple(name for name, audience, _ in assets if Audience.SEEDER in audience),
        grader=tuple(name for name, audience, _ in assets if Audience.GRADER in audience),
    )
    try:
        stages = _stages(source, assets, found)
        plans = tuple(
            adopt_plan(part, file, _features(part, source), given, found) for part, file in source.plans
        )
        product = Product(
            suite=Suite.GROW,
            name=source.name,
            title=f"Adopted {source.name}",
            version="1-0",
            canary="adopted-" + hashlib.sha256(source.name.encode()).hexdigest(),
            domain="adopted from ViBench 1.0",
            rules=Rules.V1,
            setup="setup-environment.sh",
            start="start-server.sh",
        )
    except ValidationError as error:
        raise BadInput(f"{folder}: cannot be adopted: {first_error(error)}") from error
    if not plans:
        raise BadInput(f"{folder}: holds no test plan")
    twice = next((k.plan.id for n, k in enumerate(plans) if k.plan.id in {p.plan.id for p in plans[:n]}), "")
    if twice:
        raise BadInput(f"{folder}: two test plans are called {twice}; rename one")
    placed = tuple((name, file) for name, _, file in assets)
    return Adopted(product, stages, plans, placed, tuple(found.all), source)


def write(adopted: Adopted, out: Path) -> Path:
    """Write an adopted product as a grow task folder; ``adopted.json`` keeps what was odd.

    PRDs, plans as released (``released/``) and assets are written byte for byte.

    Raises:
        BadInput: ``out`` holds something else than an earlier adoption.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())) and not (out / MARK).is_file():
        raise BadInput(f"{out}: holds something else than an adopted task; name an empty or a new folder")
    about = {
        "rules": V1Rules().model_dump(mode="json"),
        "layout": adopted.source.layout,
        "files": adopted.source.hashes,
        "anomalies": [one.model_dump(mode="json") for one in adopted.anomalies],
        "plans": [kept.released.model_dump(mode="json") for kept in adopted.plans],
    }
    files = {"task.toml": _toml(adopted.product)}
    for name, stage, prd in adopted.stages:
        files[f"stages/{name}/stage.toml"] = _toml(stage)
        files[f"stages/{name}/prd.md"] = prd.data
    for kept, (_, file) in zip(adopted.plans, adopted.source.plans, strict=True):
        files[f"plans/{kept.plan.id}.toml"] = _toml(kept.plan, without="id")
        files[f"released/{file.name}"] = file.data
    for name, file in adopted.assets:
        files[f"assets/{name}"] = file.data
    files[MARK] = (json.dumps(about, ensure_ascii=False, indent=1) + "\n").encode()
    for part in WRITTEN:
        shutil.rmtree(out / part, ignore_errors=True)
    for name, data in files.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return out


def read_released(folder: Path) -> tuple[ReleasedPlan, ...]:
    """What the plans of an adopted folder say beyond ours: parts, points, what is fatal.

    Raises:
        BadInput: The folder was not written by an adoption, or its record is damaged.
    """
    try:
        held: Any = json.loads((folder / MARK).read_bytes())
        return _PLANS.validate_python(held["plans"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{folder}/{MARK}: holds no adopted plans ({error})") from error


def _stages(
    source: Source, assets: list[tuple[str, tuple[Audience, ...], File]], found: Findings
) -> tuple[tuple[str, Stage, File], ...]:
    """The MVP and the features. Each feature is built on the MVP, or on all before it."""
    names = [slug(prd.stem) for prd in source.prds]
    stages = []
    for n, prd in enumerate(source.prds):
        text_of(prd, found)
        before = names[:1] if source.layout is Layout.APART else names[:n][-1:]
        stage = Stage(
            title=names[n].removeprefix("feature_").replace("_", " ").replace("-", " ").capitalize(),
            depends_on=tuple(before) if n else (),
            features={names[n]: names[n]},
            assets=() if n else tuple(Asset(file=name, audience=who) for name, who, _ in assets),
        )
        stages.append((f"{n + 1:02}-{names[n]}", stage, prd))
    return tuple(stages)


def _features(part: str, source: Source) -> tuple[str, ...]:
    """The features that a plan's build has."""
    if not part:
        return tuple(slug(prd.stem) for prd in source.prds)
    first = slug(source.prds[0].stem)
    return (first,) if slug(part) == first else (first, slug(part))


def _placed(audience: tuple[Audience, ...], file: File) -> str:
    top, _, below = file.name.partition("/")
    return f"{PARTS.get(audience, 'tests')}/{below or top}"


def _toml(shape: Product | Stage | Plan, without: str = "") -> bytes:
    held = shape.model_dump(mode="json", exclude_defaults=True)
    return to_toml({key: value for key, value in held.items() if key != without}).encode()
