"""Invented names: people, companies, places. Nothing here is drawn from real directories."""

import random
from collections import deque
from collections.abc import Container
from typing import NamedTuple


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


FIRST = _words(
    """
    Ada Adrian Agnes Aleksy Alina Amara Anders Anouk Anton Arjun Astrid Aurelia Baptiste Beatrix Bela
    Bram Brigid Callum Camilla Carla Casper Cato Celeste Chiara Cillian Clara Dagmar Damian Daria Declan
    Delphine Dennis Dorian Edda Edith Eero Elif Elina Elio Emeka Emil Enzo Esme Esther Fabian Farah
    Felicia Fergus Fiona Flora Frida Gareth Gemma Gerrit Gideon Greta Hamish Hana Hedda Helmut Ida Ilse
    Imani Imre Ines Ingmar Ione Isla Ivo Jana Janek Jasmin Jelle Joris Josefin Jude Julian Kaya Keira
    Kilian Klara Lars Leander Leona Levi Linnea Lotte Lucian Maeve Magda Malin Marek Marit Matteo Maud
    Meera Milan Mirela Moira Nadia Neve Niall Nils Noor Odette Oisin Olek Orla Oskar Otis Paola Pascal
    Petra Philippa Quentin Radek Rafael Ragna Renske Rhea Robin Roisin Rosa Rufus Sanne Selma Silas
    Simone Sinead Soren Stella Sunniva Sven Tamsin Tariq Tess Thea Tilda Tobias Una Valeria Viggo Willa
    Xavier Yara Yusuf Zelda Zoran
    """
)
LAST = _words(
    """
    Abernathy Achterberg Adeyemi Aldous Almgren Amberley Aspinall Auberon Baines Bakker Balcombe
    Barclift Beauvais Bellweather Bergstrand Birkenfeld Blackmoor Boersma Bramwell Brightwater
    Brockhurst Calloway Carrick Castellan Chandrika Clearwater Cobham Corrigan Cranwell Dahlquist
    Dalgleish Danvers Delacroix Devereux Dijkgraaf Dobrev Drummond Dunmore Eastwick Edelman Ekholm
    Ellingham Engstrand Fairbairn Falkenrath Farrowdale Fenwick Ferreira Finnegan Forsgren Fotheringay
    Galbraith Garrick Gellert Glanville Goodspeed Greaves Grimshaw Haagen Halloran Hammerich Hartnell
    Hathersage Havilland Heemstra Hollander Holmqvist Huxtable Ingleby Iversen Jagger Jansma Jarnefelt
    Jessop Kallio Kavanagh Kellaway Kerrigan Kingsmill Kolstad Kowal Kruithof Lachance Lanfear Larkspur
    Leclair Lindqvist Lockridge Lovelace Maartens Macready Malhotra Marchetti Marlowe Merriweather
    Moncrieff Montague Mulvaney Narayan Nethercott Nordahl Oakhurst Okonjo Oldenburg Ormond Osei
    Palmgren Pemberton Penhale Pettigrew Polanska Prendergast Quayle Quillfeather Rademaker Ravenscroft
    Redmayne Reinholt Rookwood Rosendahl Sallow Sandoval Scarsdale Seaborne Sheldrake Sivertsen Sorrell
    Stallard Steenbergen Strand Tamworth Tedesco Thackeray Thornbury Tolliver Trevelyan Underhay
    Valcourt Vanterpool Verhoeven Vinterberg Wadsworth Wainscott Wetherby Whitcombe Wilding Winterbourne
    Wyndham Yarrow Ysbrand Zandstra Zielinska
    """
)
STEM_HEAD = _words(
    """
    Alder Amber Ash Bar Bel Birch Black Bram Bright Brook Cald Carn Cedar Clear Copper Cran Dal Dun East
    Elm Ever Fair Fal Fern Fox Glen Gold Gran Green Hal Har Hart Haver Hawk Hazel Heather High Holm Iron
    Kel Kestrel Kings Lang Lark Lind Loch Lynd Mar Mead Mill Moor Nor North Oak Orm Otter Pen Pine
    Quarry Raven Red Rook Rowan Sand Sel Silver Slate Stan Stone Summer Swan Thorn Tarn Vale Wad West
    Wex White Wild Willow Win Wolf Wren
    """
)
STEM_TAIL = _words(
    """
    bank beck berg borne bridge brook bury by cliff combe cote croft dale den field fell ford gate grove
    ham haven holt hurst land leigh ley low lund march mead mere mond moor more mount ridge shaw shore
    side stead stone thorpe ton vale vik wall water well wick wold worth
    """
)
INDUSTRIES: dict[str, tuple[str, ...]] = {
    "LOGISTICS_AND_SUPPLY_CHAIN": ("Logistics", "Freight", "Haulage", "Cold Chain"),
    "FOOD_BEVERAGES": ("Foods", "Dairies", "Bakeries", "Provisions"),
    "MACHINERY": ("Machinery", "Pumps", "Engineering", "Conveyors"),
    "MEDICAL_DEVICES": ("Instruments", "Orthopaedics", "Imaging", "Diagnostics"),
    "RETAIL": ("Outfitters", "Homewares", "Garden Centres", "Booksellers"),
    "INSURANCE": ("Mutual", "Assurance", "Underwriting", "Brokers"),
    "UTILITIES": ("Water", "Grid Services", "Energy Supply", "Heat Networks"),
    "CONSTRUCTION": ("Timber", "Brickworks", "Glass", "Insulation"),
    "HOSPITALITY": ("Hotels", "Inns", "Catering", "Resorts"),
    "EDUCATION_MANAGEMENT": ("Academies", "Learning", "Training", "Colleges"),
}
CITIES = _words(
    """
    Arnhem Breda Cork Derry Dundee Esbjerg Exeter Galway Ghent Graz Haarlem Hull Inverness Kilkenny
    Leuven Limerick Linz Lund Malmo Namur Nantes Norwich Odense Oulu Perth Porto Rostock Sligo Tampere
    Tilburg Turku Utrecht Vigo Waterford Zwolle
    """
)
TITLES = {
    "use": (
        "Head of Operations",
        "Operations Manager",
        "Process Lead",
        "Planning Manager",
        "Service Manager",
    ),
    "buy": ("Procurement Manager", "Purchasing Officer", "Category Buyer", "Vendor Manager"),
    "sign": ("Finance Director", "Chief Financial Officer", "Managing Director", "Director of Finance"),
    "build": ("IT Manager", "Systems Engineer", "Application Manager", "Head of IT"),
}
PRODUCT_HEAD = ("Plan", "Route", "Stock", "Shift", "Desk", "Task", "Field", "Yard")
PRODUCT_TAIL = ("wise", "line", "loop", "board", "path", "frame", "mark", "pilot")


class Office(NamedTuple):
    """Where the persona works, and what follows from it.

    Attributes:
        city: City.
        zone: IANA time zone.
        currency: ISO code.
        tax: What the tax on a sale is called there.
        rate: Its rate in per cent.
        phone: Prefix of (fictional) telephone numbers.
    """

    city: str
    zone: str
    currency: str
    tax: str
    rate: int
    phone: str


OFFICES = (
    Office("Amsterdam", "Europe/Amsterdam", "EUR", "VAT", 21, "+31 20 555"),
    Office("Dublin", "Europe/Dublin", "EUR", "VAT", 23, "+353 1 555"),
    Office("Manchester", "Europe/London", "GBP", "VAT", 20, "+44 161 555"),
    Office("Antwerp", "Europe/Brussels", "EUR", "VAT", 21, "+32 3 555"),
    Office("Denver", "America/Denver", "USD", "sales tax", 8, "+1 303 555"),
)


class Namer:
    """Deals names out so that no full name, surname of a team, or company stem comes twice."""

    def __init__(self, rng: random.Random) -> None:
        """Draw from a seeded source."""
        self._rng = rng
        self._people: set[tuple[str, str]] = set()
        self._recent: deque[str] = deque(maxlen=24)
        self._stems: set[str] = set()

    def person(self, avoid: Container[str] = ()) -> tuple[str, str]:
        """A first and a last name that together are new.

        The first name is none of ``avoid`` and none of the last few, so that few conversations have
        two people of one name.
        """
        while True:
            name = (self._rng.choice(FIRST), self._rng.choice(LAST))
            if name not in self._people and name[0] not in avoid and name[0] not in self._recent:
                self._people.add(name)
                self._recent.append(name[0])
                return name

    def stem(self) -> str:
        """An invented place-like word, new in this world."""
        while True:
            head, tail = self._rng.choice(STEM_HEAD), self._rng.choice(STEM_TAIL)
            stem = head + tail
            if head.lower() != tail and stem not in self._stems and head[-2:].lower() != tail[:2]:
                self._stems.add(stem)
                return stem

    def business(self) -> tuple[str, str, str]:
        """A company's stem, its trade's word and its industry."""
        industry = self._rng.choice(list(INDUSTRIES))
        return self.stem(), self._rng.choice(INDUSTRIES[industry]), industry


def slug(text: str) -> str:
    """Lower-case letters and digits only."""
    return "".join(c for c in text.lower() if c.isalnum())
