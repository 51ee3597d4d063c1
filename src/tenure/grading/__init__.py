"""Grading: checks over end states, judges, footprints, and the scorecard they add up to."""

from tenure.grading.check import Checks, Question, Saw, derived, instructed, recorded
from tenure.grading.footprint import strays
from tenure.grading.grade import grade, load_checks
from tenure.grading.judge import Judge

__all__ = [
    "Checks",
    "Judge",
    "Question",
    "Saw",
    "derived",
    "grade",
    "instructed",
    "load_checks",
    "recorded",
    "strays",
]
