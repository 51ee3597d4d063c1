"""Draws ``inputs/receipt.png``: a photograph of a till receipt, a little askew. Run it in this folder."""

import random
from pathlib import Path

from PIL import Image, ImageDraw, ImageFilter, ImageFont

LINES = (
    "ZINNOBER TOOLS",
    "Ropewalk 14 - Saltmere",
    "",
    "Receipt no. 20418",
    "29 October 2026   16:42",
    "",
    "1 Label printer LP-270",
    "                     289.00",
    "4 Label rolls 62 mm  x 10.40",
    "                      41.60",
    "                    -------",
    "TOTAL EUR            330.60",
    "incl. VAT             52.79",
    "",
    "Paid by card  ****4471",
    "Thank you!",
)


def draw(path: Path) -> None:
    """Draw it; always the same."""
    random.seed(20418)
    font = ImageFont.load_default(22)
    paper = Image.new("L", (460, 40 + 36 * len(LINES)), 238)
    pen = ImageDraw.Draw(paper)
    for n, line in enumerate(LINES):
        for column, sign in enumerate(line):
            pen.text((30 + 14 * column, 24 + 36 * n), sign, fill=random.randint(30, 80), font=font)
    table = Image.new("L", (720, 820), 96)
    turned = paper.rotate(4, expand=True, fillcolor=96)
    table.paste(turned, ((720 - turned.width) // 2, (820 - turned.height) // 2))
    table.filter(ImageFilter.GaussianBlur(0.7)).convert("P").save(path, optimize=True)


if __name__ == "__main__":
    draw(Path(__file__).parent / "inputs" / "receipt.png")
