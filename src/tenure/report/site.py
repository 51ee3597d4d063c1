"""Writing the report: a folder of pages that opens from disk, with its downloads beside it."""

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tenure.report import build, carry, grow, operate
from tenure.report.downloads import to_csv
from tenure.report.pages import AttemptPage, Page, SuitePages, write_page
from tenure.report.text import script_json
from tenure.schema import AttemptRecord, BadInput, Row, Suite
from tenure.scoring import Plan, merge
from tenure.scoring.suites import Part, by_suite

SUITES = {
    Suite.CARRY: carry.pages,
    Suite.OPERATE: operate.pages,
    Suite.BUILD: build.pages,
    Suite.GROW: grow.pages,
}
SCREENS = "screens"
"""Folder of an attempt's screenshots within its own."""
PICTURES = frozenset({".webp", ".png"})
PAGES = ("index.html", "comparison.html", *(f"{suite}.html" for suite in SUITES))
MARK = Path("data") / "report.json"
"""The file that tells an earlier report, which may be overwritten, from somebody's folder."""


def write_report(
    records: Sequence[AttemptRecord],
    out: Path,
    *,
    planned: Mapping[Row, Plan] | None = None,
    title: str | None = None,
    folders: Sequence[Path] = (),
    notes: Sequence[str] = (),
) -> Path:
    """Write the report of attempts as a static site.

    The site needs no server and no network. The first suite's leaderboard is ``index.html``, another
    suite's a page of its own beside it. ``attempts/`` holds a page and the full record of each
    attempt, ``data/`` the tables.

    Args:
        records: Attempts of any number of rows and suites; repeated copies count once.
        out: Folder to write; one that holds an earlier report is replaced.
        planned: Row → task → attempts planned, as ``score_rows`` takes it.
        title: The report's heading; the suites' names without one.
        folders: Folders below which the attempts' screenshots are; each goes into its page.
        notes: What was left out, a line each, as ``collect`` says it.

    Returns:
        The path of ``index.html``.

    Raises:
        BadInput: ``out`` holds something else than a report, or the records cannot be scored.
    """
    records = sorted(merge(records), key=lambda r: (r.task, r.row.model_dump_json(), r.attempt))
    parts = _parts(records, planned or {}, _screens(folders))
    title = title or " and ".join(part.name for part in parts).capitalize()
    homes = {part.name: f"{part.name.lower()}.html" if n else "index.html" for n, part in enumerate(parts)}

    _make_room(out)
    for part in parts:
        common = {"title": title, "home": homes[part.name], "homes": homes, "suite": part.name}
        readout = script_json({a.view.page: a.view.readout for a in part.attempts})
        _write(out / homes[part.name], write_page(part.home, **common, notes=notes, readout=readout))
        for name, page in part.beside.items():
            _write(out / name, write_page(page, **common))
        for attempt in part.attempts:
            _attempt(out / "attempts", attempt, common)
        for name, table in part.tables.items():
            # The byte-order mark makes spreadsheets read UTF-8 as such.
            _write(out / "data" / f"{name}.csv", "\ufeff" + to_csv(table))
    document = {"title": title, "notes": list(notes), **{p.name.lower(): p.document for p in parts}}
    _write(out / MARK, json.dumps(document, indent=1) + "\n")
    return out / "index.html"


def _parts(
    records: Sequence[AttemptRecord], planned: Mapping[Row, Plan], screens: Mapping[str, Path]
) -> list[SuitePages]:
    """The pages of every suite that has an attempt or a plan; of carry alone when none has."""
    parts = by_suite(records, planned) or {Suite.CARRY: Part([], {})}
    return [SUITES[suite](part.records, part.planned, screens) for suite, part in parts.items()]


def _attempt(folder: Path, attempt: AttemptPage, common: Mapping[str, Any]) -> None:
    page = folder / attempt.view.page
    _write(page.with_suffix(".html"), write_page(Page(attempt.template, {"a": attempt.view}), **common))
    _write(page.with_suffix(".json"), attempt.view.record.model_dump_json(indent=1))


def _screens(folders: Sequence[Path]) -> dict[str, Path]:
    """Screenshots by name, which is a hash of what they show."""
    found = (path for folder in folders for path in folder.rglob(f"{SCREENS}/*"))
    return {path.name: path for path in found if path.suffix in PICTURES}


def _make_room(out: Path) -> None:
    if out.exists() and (not out.is_dir() or any(out.iterdir())) and not (out / MARK).is_file():
        raise BadInput(f"{out}: holds something else than a report; name an empty or a new folder")
    for name in ("attempts", "data"):
        shutil.rmtree(out / name, ignore_errors=True)
        (out / name).mkdir(parents=True)
    for name in PAGES:
        (out / name).unlink(missing_ok=True)


def _write(path: Path, content: str) -> None:
    path.write_text(content, encoding="utf-8", newline="\n")
