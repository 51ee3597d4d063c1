import json

import pytest

from tenure.report import collect
from tenure.schema import BadInput

from .fixtures import make_records


def save(folder, records):
    for n, record in enumerate(records):
        place = folder / f"attempt-{n}"
        place.mkdir(parents=True)
        (place / "attempt.json").write_text(record.model_dump_json())
    return folder


def test_folders_of_several_machines_merge(tmp_path):
    records = make_records()[:6]
    one, two = save(tmp_path / "one", records[:4]), save(tmp_path / "two", records[2:])
    found = collect([one, two])
    assert sorted(found, key=records.index) == records
    assert collect([one, one]) == collect([one])


def test_conflicting_attempts_are_refused(tmp_path):
    record = make_records()[0]
    save(tmp_path, [record, record.model_copy(update={"answer": "another"})])
    with pytest.raises(BadInput, match="recorded twice and the records differ in answer"):
        collect([tmp_path])


@pytest.mark.parametrize("content", ["", "{", "[]", '{"suite": "carry"}', "\x00", '{"a": "\\ud800"}'])
def test_a_corrupt_file_is_named(tmp_path, content):
    (tmp_path / "attempt.json").write_text(content)
    with pytest.raises(BadInput) as caught:
        collect([tmp_path])
    assert str(tmp_path / "attempt.json") in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_unknown_field_is_an_error(tmp_path):
    data = make_records()[0].model_dump(mode="json") | {"extra": 1}
    (tmp_path / "attempt.json").write_text(json.dumps(data))
    with pytest.raises(BadInput, match=r"attempt\.json: not an attempt record \(extra: "):
        collect([tmp_path])


def test_a_missing_or_empty_folder_is_named(tmp_path):
    with pytest.raises(BadInput, match="no such folder"):
        collect([tmp_path / "none"])
    with pytest.raises(BadInput, match=r"holds no attempt\.json"):
        collect([tmp_path])
