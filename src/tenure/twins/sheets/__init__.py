"""Sheets: spreadsheets with values, formulas and formats, over Drive's file and permission records."""

from tenure.twins.sheets.twin import TWIN

__all__ = ["TWIN"]
