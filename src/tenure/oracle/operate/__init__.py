"""The oracle of operate tasks: hands over the 22 actions, and over the apps that several tasks use."""

from tenure.oracle.operate.hands import (
    OperateHands,
    Target,
    button,
    css,
    field,
    link,
    row,
    saying_so,
    words,
)

__all__ = ["OperateHands", "Target", "button", "css", "field", "link", "row", "saying_so", "words"]
