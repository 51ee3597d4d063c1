"""Writing the report: a folder of pages that opens from disk, with its downloads beside it."""

import shutil
from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from tenure.report import text
from tenure.report.downloads import attempts_table, checks_table, rows_table, to_csv, to_json
from tenure.report.views import AttemptView, RowView, attempt_views, row_views, task_views
from tenure.schema import AttemptRecord, BadInput, Outcome, Row
from tenure.scoring import PATTERNS, Plan, merge, score_rows

SCREENS = "screens"
"""Folder of an attempt's screenshots within its own."""
MARK = Path("data") / "report.json"
"""The file that tells an earlier report, which may be overwritten, from somebody's folder."""


def write_report(
    records: Sequence[AttemptRecord],
    out: Path,
    *,
    planned: Mapping[Row, Plan] | None = None,
    title: str = "Carry",
    folders: Sequence[Path] = (),
) -> Path:
    """Write the report of carry attempts as a static site.

    The site needs no server and no network. ``attempts/`` holds a page and the full record of each
    attempt, ``data/`` the tables.

    Args:
        records: Attempts of any number of rows; repeated copies count once.
        out: Folder to write; one that holds an earlier report is replaced.
        planned: Row → task → attempts planned, as ``score_rows`` takes it.
        title: The report's heading.
        folders: Folders below which the attempts' screenshots are; each goes into its page.

    Returns:
        The path of ``index.html``.

    Raises:
        BadInput: ``out`` holds something else than a report, or the records cannot be scored.
    """
    records = sorted(merge(records), key=lambda r: (r.task, r.row.model_dump_json(), r.attempt))
    scores = score_rows(records, planned=planned)
    rows = row_views(scores, records)
    attempts = attempt_views(rows, records, _screens(folders))

    _make_room(out)
    for attempt in attempts:
        page = out / "attempts" / attempt.page
        _write(page.with_suffix(".html"), _page("attempt.html", title=title, a=attempt))
        _write(page.with_suffix(".json"), attempt.record.model_dump_json(indent=1))
    tables = attempts_table(records), checks_table(records), rows_table(scores)
    for name, table in zip(("attempts", "checks", "rows"), tables, strict=True):
        # The byte-order mark makes spreadsheets read UTF-8 as such.
        _write(out / "data" / f"{name}.csv", "\ufeff" + to_csv(table))
    _write(out / MARK, to_json(title, scores, tables[0], tables[1]))
    index = out / "index.html"
    _write(index, _page("index.html", title=title, **_index(rows, attempts, records)))
    return index


def _screens(folders: Sequence[Path]) -> dict[str, Path]:
    """Screenshots by name, which is a hash of what they show."""
    return {path.name: path for folder in folders for path in folder.rglob(f"{SCREENS}/*.webp")}


def _index(
    rows: Sequence[RowView], attempts: Sequence[AttemptView], records: Sequence[AttemptRecord]
) -> dict[str, Any]:
    counts = {outcome: sum(view.score.counts[outcome] for view in rows) for outcome in Outcome}
    return {
        "rows": rows,
        "tasks": task_views(rows, records),
        "patterns": PATTERNS,
        "counts": counts,
        "planned": sum(counts.values()),
        "started": min((r.started for r in records), default=""),
        "ended": max((r.ended for r in records), default=""),
        "largest_k": max((k for view in rows for k in view.score.unbiased_pass_at), default=0),
        "readout": text.script_json({a.page: _readout(a) for a in attempts}),
    }


def _readout(attempt: AttemptView) -> dict[str, str]:
    """What the matrix says about the square under the pointer."""
    record, usage = attempt.record, attempt.record.usage
    cell = attempt.siblings[record.attempt - 1]
    return {
        "title": text.visible(f"{text.brief(record.title)}, attempt {record.attempt}"),
        "row": text.visible(f"{attempt.row.label} · {attempt.row.also}"),
        "outcome": record.outcome.replace("_", " "),
        "label": text.visible(text.brief(cell.label)),
        "usage": f"{usage.steps} steps · {text.minutes(usage.seconds / 60)} min · {text.money(usage.cost)}",
    }


def _make_room(out: Path) -> None:
    if out.exists() and (not out.is_dir() or any(out.iterdir())) and not (out / MARK).is_file():
        raise BadInput(f"{out}: holds something else than a report; name an empty or a new folder")
    for name in ("attempts", "data"):
        shutil.rmtree(out / name, ignore_errors=True)
        (out / name).mkdir(parents=True)


def _write(path: Path, content: str) -> None:
    path.write_text(content, encoding="utf-8", newline="\n")


def _page(template: str, **values: Any) -> str:
    return _environment().get_template(template).render(**values)


@cache
def _environment() -> Environment:
    """Templates that escape and make visible every value; only our own style and script are markup."""
    env = Environment(
        loader=PackageLoader("tenure.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=text.page_safe,
    )
    shown = (
        "brief",
        "clip",
        "show",
        "pretty",
        "percent",
        "spread",
        "count",
        "short_count",
        "minutes",
        "money",
        "picture",
        "world_time",
    )
    env.filters.update({name: getattr(text, name) for name in shown})
    for name in ("style.css", "script.js"):
        content = "\n" + files("tenure.report").joinpath("templates", name).read_text("utf-8")
        digest = b64encode(sha256(content.encode()).digest()).decode()
        stem = name.partition(".")[0]
        env.globals |= {stem: Markup(content), f"{stem}_hash": digest}
    env.globals |= {"Outcome": Outcome, "PATTERNS": PATTERNS}
    return env
