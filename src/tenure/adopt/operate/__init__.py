"""Adoption of released SaaS-Bench tasks: each folder of theirs becomes an operate task folder of ours.

The verifier is kept as it is, and read without running it. A dry run of it, which ``tenure.grading.operate``
makes in a sandbox, completes what the source alone does not tell.
"""

from tenure.adopt.operate.folder import AdoptedTask, Release, adopt, declared, refusal, with_checks, write
from tenure.schema.sites import Site, site_of, sites

__all__ = [
    "AdoptedTask",
    "Release",
    "Site",
    "adopt",
    "declared",
    "refusal",
    "site_of",
    "sites",
    "with_checks",
    "write",
]
