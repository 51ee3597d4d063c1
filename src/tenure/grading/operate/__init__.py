"""Grading of the operate suite: released verifiers in a sandbox, and checks of our own over evidence.

``state`` and ``content`` hold what checks of our own are made of.
"""

from tenure.apps.containers import Container, MachineContainer, ReleasedApp
from tenure.grading.operate.containers import Broker, StubContainer
from tenure.grading.operate.grade import Answers, grade, load_answers
from tenure.grading.operate.lines import Line, Printed, Score, read_records
from tenure.grading.operate.released import Asked, Record, VerifierRun, discovered, findings_of
from tenure.grading.operate.verifier import DryRun, dry_runs, run_verifier

__all__ = [
    "Answers",
    "Asked",
    "Broker",
    "Container",
    "DryRun",
    "Line",
    "MachineContainer",
    "Printed",
    "Record",
    "ReleasedApp",
    "Score",
    "StubContainer",
    "VerifierRun",
    "discovered",
    "dry_runs",
    "findings_of",
    "grade",
    "load_answers",
    "read_records",
    "run_verifier",
]
