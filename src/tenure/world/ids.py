"""Ids: a function of (seed, kind, n), so that equal work makes equal worlds."""

import hashlib


def digest(seed: int, kind: str, n: int, size: int = 8) -> bytes:
    """``size`` bytes that only (seed, kind, n) decide."""
    return hashlib.blake2b(f"{seed}/{kind}/{n}".encode(), digest_size=size).digest()


def hex_id(seed: int, kind: str, n: int, digits: int = 16) -> str:
    """Lower-case hex of the given length; never starts with a zero."""
    text = digest(seed, kind, n, (digits + 1) // 2).hex()[:digits]
    return "1" + text[1:] if text.startswith("0") else text


def decimal_id(seed: int, kind: str, n: int, digits: int = 11) -> str:
    """A decimal id that grows with ``n``, with seed-dependent low digits."""
    low = int.from_bytes(digest(seed, kind, n, 4), "big") % 100
    return str(int("2" + "0" * (digits - 1)) + n * 100 + low)
