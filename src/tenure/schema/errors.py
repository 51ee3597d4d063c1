"""Errors that people see: one line that says what is wrong, where, and what to do.

``TenureError``
    ``BadInput``   the caller's input is wrong; exit status 2
    ``Fault``      a part of Tenure, or something under it, failed; exit status 1
"""


class TenureError(Exception):
    """An error whose text is meant for a person: one line, with what to do about it."""

    exit_status = 1


class BadInput(TenureError):
    """The input is wrong: an unknown task, a broken folder, a corrupt file, a missing key."""

    exit_status = 2


class Fault(TenureError):
    """Something that should have worked did not; it never counts against an agent."""
