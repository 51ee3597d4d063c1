import sqlite3
from typing import Any

import pytest

from tenure.grading.operate.wiki import PAGES, lines, text, untouched
from tenure.schema.evidence import Evidence, Got

TABLES = """
CREATE TABLE wiki_urlpath (id, parent_id, slug, article_id);
CREATE TABLE wiki_article (id, current_revision_id);
CREATE TABLE wiki_articlerevision (id, title, content, deleted);
INSERT INTO wiki_urlpath VALUES (1, NULL, NULL, 10), (2, 1, 'works', 20), (3, 2, 'press', 30),
  (4, 1, 'press', 40);
INSERT INTO wiki_article VALUES (10, 100), (20, 200), (30, 301), (40, 400);
INSERT INTO wiki_articlerevision VALUES (100, 'Handbook', 'First', 0), (200, 'Works', 'Second', 0),
  (300, 'Press', 'As it was', 0), (301, 'Press', 'Two  words' || char(13, 10, 13, 10) || 'here ', 0),
  (400, 'Press', 'Gone', 1);
"""


def _evidence() -> Evidence:
    with sqlite3.connect(":memory:") as database:
        database.executescript(TABLES)
        database.row_factory = sqlite3.Row
        rows = tuple(dict(row) for row in database.execute(PAGES))
    return Evidence(got={"pages": Got(rows=rows)})


def test_pages_have_paths_and_their_newest_text():
    paths = {row["id"]: row["path"] for row in _evidence().rows("pages")}
    assert paths == {1: "", 2: "works", 3: "works/press", 4: "press"}
    assert text(_evidence(), "works/press") == "Two  words\n\nhere"
    assert lines(_evidence(), "works/press") == ["Two words", "here"]
    assert text(_evidence(), "") == "First"


def test_what_is_not_there_or_deleted_says_nothing():
    assert text(_evidence(), "press") == ""
    assert text(_evidence(), "works/presses") == ""


def _with(page: str, **values: Any) -> Evidence:
    """The handbook with a page that is changed."""
    rows = tuple({**row, **values} if row["path"] == page else row for row in _evidence().rows("pages"))
    return Evidence(got={"pages": Got(rows=rows)})


def test_a_page_that_is_written_on_may_have_another_text_and_a_new_one_may_be_there():
    new = {"id": 9, "path": "works/lab", "title": "Lab", "content": "", "deleted": 0}
    after = Evidence(got={"pages": Got(rows=(*_with("works", content="More").rows("pages"), new))})
    assert untouched(_evidence(), after, written=["works"], new=["works/lab"]).ok
    assert not untouched(_evidence(), after, written=["works"]).ok
    assert not untouched(_evidence(), after, new=["works/lab"]).ok


@pytest.mark.parametrize(
    "change", [{"title": "Labour"}, {"deleted": 1}, {"path": "labour"}], ids=lambda change: next(iter(change))
)
def test_all_else_of_a_page_that_is_written_on_must_stay(change: dict[str, Any]):
    assert not untouched(_evidence(), _with("works", **change), written=["works"]).ok
