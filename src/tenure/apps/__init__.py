"""Real SaaS: recipes that install, fill, run, ask and restore an app, each in a machine of its own."""

from tenure.apps.opened import Apps, Installed, install, open_apps
from tenure.apps.recipe import Recipe, find_recipe, read_recipe, recipes
from tenure.apps.running import RunningApp
from tenure.apps.snapshot import SEED, Snapshot

__all__ = [
    "SEED",
    "Apps",
    "Installed",
    "Recipe",
    "RunningApp",
    "Snapshot",
    "find_recipe",
    "install",
    "open_apps",
    "read_recipe",
    "recipes",
]
