"""The page on grow products names every field and every word that a declaration may hold."""

from enum import StrEnum

import pytest

from tenure.prove.record import Tier
from tenure.schema.grow import (
    Asset,
    Audience,
    Basic,
    Behaviour,
    Plan,
    PlanCheck,
    PlanKind,
    PlanStep,
    Product,
    Rules,
    Seed,
    SeedKind,
    Stage,
    Subset,
)
from tenure.schema.shape import Shape
from tenure.scoring.grow.audit import BugKind
from tenure.workspace.product import SCRIPT_SECONDS, SEED_SCRIPT, SEEDING, START_SECONDS

from .conftest import ROOT

PAGE = (ROOT / "docs" / "write-a-grow-product.md").read_text("utf-8")


@pytest.mark.parametrize("shape", [Asset, Behaviour, Plan, PlanCheck, PlanStep, Product, Seed, Stage])
def test_every_field_is_on_the_page(shape: type[Shape]) -> None:
    assert [name for name in shape.model_fields if name not in PAGE] == []


@pytest.mark.parametrize("words", [Audience, Basic, PlanKind, Rules, SeedKind, Subset])
def test_every_word_is_on_the_page(words: type[StrEnum]) -> None:
    assert [word for word in words if f"`{word}`" not in PAGE] == []


def test_kinds_of_bugs_and_tiers_are_on_the_page() -> None:
    assert [kind.name for kind in BugKind if f"`{kind.name}`" not in PAGE] == []
    assert [tier for tier in Tier if f"| {tier} |" not in PAGE] == []


def test_what_a_product_is_given_is_what_the_page_says() -> None:
    assert f"answer HTTP within {START_SECONDS} seconds" in PAGE and SCRIPT_SECONDS == 10 * 60
    assert f"`{SEEDING}/{SEED_SCRIPT}` runs" in PAGE
