"""A browser that a grader's scripts drive, observed from outside."""

from tenure.grading.grow.browser.place import SECONDS, Browser, Seen, missing, open_browser

__all__ = ["SECONDS", "Browser", "Seen", "missing", "open_browser"]
