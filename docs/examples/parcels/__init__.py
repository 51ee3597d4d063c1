"""Parcels: an invented carrier, as small as a twin can be."""

from parcels.twin import TWIN

__all__ = ["TWIN"]
