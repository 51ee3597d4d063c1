"""What a spreadsheet's locale decides: separators, order of dates, currency, default patterns."""

from typing import NamedTuple


class Locale(NamedTuple):
    """One locale.

    Attributes:
        decimal: Decimal separator. Where it is a comma, ``;`` separates a formula's arguments.
        group: Thousands separator, as written.
        order: Order of a numeric date: ``MDY``, ``DMY`` or ``YMD``.
        date: Pattern of an entered date.
        time: Pattern of an entered time.
        currency: Symbol.
        before: The symbol stands before the number.
    """

    decimal: str
    group: str
    order: str
    date: str
    time: str
    currency: str
    before: bool

    @property
    def money(self) -> str:
        """Pattern of an amount with decimals."""
        return self.amount("#,##0.00")

    def amount(self, number: str) -> str:
        """Pattern of an amount around a number's pattern."""
        symbol = f'"{self.currency}"'
        return f"{symbol}{number}" if self.before else f"{number} {symbol}"


_AM_PM, _PLAIN = "h:mm:ss am/pm", "hh:mm:ss"
_THIN = "\u202f"
_LOCALES = {
    "en_US": Locale(".", ",", "MDY", "m/d/yyyy", _AM_PM, "$", True),
    "en_GB": Locale(".", ",", "DMY", "dd/mm/yyyy", _PLAIN, "£", True),
    "en_IE": Locale(".", ",", "DMY", "dd/mm/yyyy", _PLAIN, "€", True),
    "en_AU": Locale(".", ",", "DMY", "dd/mm/yyyy", _AM_PM, "$", True),
    "en_CA": Locale(".", ",", "YMD", "yyyy-mm-dd", _AM_PM, "$", True),
    "de_DE": Locale(",", ".", "DMY", "dd.mm.yyyy", _PLAIN, "€", False),
    "de_AT": Locale(",", ".", "DMY", "dd.mm.yyyy", _PLAIN, "€", True),
    "de_CH": Locale(".", "’", "DMY", "dd.mm.yyyy", _PLAIN, "CHF", True),
    "fr_FR": Locale(",", _THIN, "DMY", "dd/mm/yyyy", _PLAIN, "€", False),
    "es_ES": Locale(",", ".", "DMY", "d/m/yyyy", _PLAIN, "€", False),
    "it_IT": Locale(",", ".", "DMY", "dd/mm/yyyy", _PLAIN, "€", False),
    "nl_NL": Locale(",", ".", "DMY", "d-m-yyyy", _PLAIN, "€", True),
    "pt_BR": Locale(",", ".", "DMY", "dd/mm/yyyy", _PLAIN, "R$", True),
    "ja_JP": Locale(".", ",", "YMD", "yyyy/mm/dd", "h:mm:ss", "¥", True),
}
LOCALES = tuple(_LOCALES)
"""Every locale that parsing and rendering know."""


def locale(name: str) -> Locale:
    """A locale by name (``de_DE``); a language alone takes its first, unknown ones are American."""
    if name in _LOCALES:
        return _LOCALES[name]
    language = name.partition("_")[0]
    return next(
        (found for key, found in _LOCALES.items() if key.startswith(f"{language}_")), _LOCALES["en_US"]
    )
