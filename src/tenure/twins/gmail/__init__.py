"""Gmail: mailboxes, search, threads, drafts, and delivery between the world's accounts."""

from tenure.twins.gmail.twin import TWIN

__all__ = ["TWIN"]
