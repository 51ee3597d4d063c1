"""A static site from exported attempts: it opens from disk, and needs no server and no network."""

from tenure.report.collect import collect
from tenure.report.site import write_report

__all__ = ["collect", "write_report"]
