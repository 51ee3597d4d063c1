"""Outside commands on the real hostnames."""

from pathlib import Path

from support import toy
from support.outside import run_client


def test_curl_reads_a_note(tmp_path: Path) -> None:
    base = toy.build(tmp_path / "base.db")
    url = f"https://{toy.HOST}/notes/n0"
    found = run_client(
        base, [toy.SPEC], ["curl", "-sS", "-H", f"Authorization: Bearer {toy.TOKEN}", url]
    ).check()
    assert found.stdout == '{"id":"n0","title":"first"}'
    assert [(c.host, c.path, c.status, c.records) for c in found.connections] == [
        (toy.HOST, "/notes/n0", 200, (("toy.note", "n0"),))
    ]
