"""Writes ``inputs/agreement.pdf``: a letter, and its annex as a scan corrected by hand. Run it here."""

import random
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw, ImageFilter, ImageFont
from pypdf import PdfReader, PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

LETTER = """
# GREAT NESS EDITIONS
Lighthouse Street 9, Great Ness

To Harbourline, Events                                                               27 October 2026

# Agreement on "Salt and Rope", a reading aboard

# 1 The evening
On 18 December 2027, from 19:00 to 20:15, authors read in the cabin of Harbourline's Lantern Boat Tour.
The seats are sold as part of that event; the reading has no event of its own.

# 2 Seats and prices
There are three kinds of seat. The price of each is the sum of its parts, in euros:
|Kind|House|Reading fee|Book
|Reading seat|11.00|2.40|-
|School seat|5.50|half of 2.40|-
|Seat with book|11.00|2.40|18.90 less 10 per cent
Whoever buys a Seat with book must be asked for the "Name for the dedication" and cannot leave it out;
nobody else is asked.

# 3 Chairs and the door
How many chairs the cabin has stands in the annex. Everybody with a paid Cabin ticket of the tour keeps a
chair. All other chairs are places of the reading, and the three kinds of seat share them.
The list for the cabin door has whoever may go in: the three kinds of seat and the Cabin tickets, paid ones
alone. Tickets that are not paid yet, or were cancelled, count for nothing, here and below.

# 4 Titles on show
Of list A in the annex every title is shown. Of list B, in its order, one title is shown from 20 paid tickets
of the tour on (Deck and Cabin together), two from 28 on, three from 32 on, and four from 40 on. What is
written by hand in the annex holds; what is struck out is not shown.

# 5 Guests
Our guests are the authors of all titles on show, both of them where there are two, and Dirk Keller of our
house, with one companion.
(a) A guest who is named on a paid ticket of the tour, whoever ordered it, keeps that ticket for nothing: its
price becomes 0.00, and what was paid for it is paid back to whoever ordered.
(b) Every other guest gets a voucher for a Reading seat at 0.00. It keeps the place back from sale, and is
good for one seat, with a companion for two, until 11 December 2027, 20:00. Its code is GNE and the guest's
name, as in GNE-IDA-SAND; its tag is Salt and Rope.

# 6 Your catalogue
(a) Since 1 October 2026 the list of Tolland & Daughters is ours: titles on show that you have under that
press belong under Great Ness Editions. Titles of other presses are shown by their leave and stay there.
(b) The annex gives the ISBN of the edition that is in print. Where yours of a title on show is another, ours
holds.
(c) The rights in the title that is struck out have gone back to its author. It gets the category
"rights reverted" beside those that it has, and stands on no shelf that is open to everyone.

For Great Ness Editions: Saskia Quist                                   For Harbourline: Lidia Calder
"""
LISTS = {
    "LIST A": (
        ("Bell Street", "9786993384754"),
        ("The Anchor House", "9788753157264"),
        ("Where the Ferry Was", "9783304172581"),
        ("The Last Rope of Marrow Hill", "9782260431633"),
    ),
    "LIST B": (
        ("Where the Anchor Was", "9789585087996"),
        ("Where the Bell Was", "9789390273669"),
        ("A Gull Inheritance", "9783304172147"),
        ("Where the Salt Was", "9781501411519"),
        ("The Fog House", "9788102450855"),
    ),
}
BY_HAND = {"Bell Street": "9783304172062", "The Anchor House": "rights gone back"}
WIDE, HIGH = 595, 842


def letter() -> DecodedStreamObject:
    """The first page's drawing: lines of text, headings in bold, a table of four columns."""
    drawn, y = ["BT"], HIGH - 44
    for line in LETTER.strip().split("\n"):
        font = "/Bold" if line.startswith("# ") else "/Plain"
        cells = line[1:].split("|") if line.startswith("|") else [line.removeprefix("# ")]
        for column, text in enumerate(cells):
            inner = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
            drawn.append(f"{font} 9.5 Tf 1 0 0 1 {56 + 110 * column} {y} Tm ({inner}) Tj")
        y -= 15 if line else 9
    page = DecodedStreamObject()
    page.set_data("\n".join([*drawn, "ET"]).encode("ascii"))
    return page


def annex() -> Image.Image:
    """The second page: typed, corrected by hand, and scanned a little askew."""
    random.seed(20271218)
    paper = Image.new("L", (1240, 1754), 246)
    pen, font = ImageDraw.Draw(paper), ImageFont.load_default(30)
    pen.text((150, 150), "ANNEX to the agreement of 27 October 2026", 50, ImageFont.load_default(36))
    pen.text((150, 270), "Chairs in the cabin:", 50, font)
    pen.text((470, 270), "40", 50, font)
    _strike(pen, 465, 510, 290)
    _write(paper, (540, 258), "44, counted on board")
    y = 390
    for name, titles in LISTS.items():
        pen.text((150, y), name, 50, ImageFont.load_default(34))
        for n, (title, isbn) in enumerate(titles, 1):
            y += 76
            pen.text((150, y), f"{name[-1]}{n}", 50, font)
            pen.text((240, y), title, 50, font)
            pen.text((690, y), isbn, 50, font)
            if title in BY_HAND:
                _strike(pen, 235 if BY_HAND[title][0].isalpha() else 685, 905, y + 20)
                _write(paper, (915, y - 12), BY_HAND[title])
        y += 130
    _write(paper, (150, y + 40), "S. Quist      L. Calder")
    noise = Image.effect_noise(paper.size, 16).point(lambda value: min(255, value + 118))
    scanned = Image.blend(paper.rotate(0.7, fillcolor=232), noise, 0.14)
    return scanned.filter(ImageFilter.GaussianBlur(0.8))


def _strike(pen: ImageDraw.ImageDraw, left: int, right: int, y: int) -> None:
    for shift in (-3, 4):
        pen.line((left, y + shift, right, y - shift), 70, 3)


def _write(paper: Image.Image, at: tuple[int, int], words: str) -> None:
    """Write by hand: no two signs stand alike."""
    x, font = at[0], ImageFont.load_default(34)
    for sign in words:
        glyph = Image.new("L", (60, 70), 0)
        ImageDraw.Draw(glyph).text((14, 10), sign, 255, font)
        glyph = glyph.rotate(random.uniform(-14, 6), Image.Resampling.BICUBIC)
        paper.paste(92, (x, at[1] + random.randint(-3, 3)), glyph)
        x += round(font.getlength(sign)) + 2


def write(path: Path) -> None:
    """Write the document."""
    document, scan = PdfWriter(), BytesIO()
    page = document.add_blank_page(WIDE, HIGH)
    fonts = {
        NameObject(name): DictionaryObject(
            {
                NameObject("/Type"): NameObject("/Font"),
                NameObject("/Subtype"): NameObject("/Type1"),
                NameObject("/BaseFont"): NameObject(base),
                NameObject("/Encoding"): NameObject("/WinAnsiEncoding"),
            }
        )
        for name, base in (("/Plain", "/Helvetica"), ("/Bold", "/Helvetica-Bold"))
    }
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): DictionaryObject(fonts)})
    page[NameObject("/Contents")] = document._add_object(letter())
    annex().save(scan, "PDF", resolution=150, quality=60)
    document.append(PdfReader(scan))
    document.write(path)


if __name__ == "__main__":
    write(Path(__file__).parent / "inputs" / "agreement.pdf")
