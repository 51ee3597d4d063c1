"""A browser that a grader's scripts drive, observed from outside."""

from tenure.grading.grow.browser.place import missing, open_browser
from tenure.grading.grow.browser.session import SECONDS, Browser, Seen

__all__ = ["SECONDS", "Browser", "Seen", "missing", "open_browser"]
