"""Records whose every free text is an attack on the report or on its reader."""

from tenure.schema import AttemptRecord

ATTACKS = (
    "<script>window.pwned = 1</script>",
    "</script></style></title><script>window.pwned = 2</script>",
    '"><img src=x onerror="window.pwned = 3">',
    "' onmouseover='window.pwned = 4' x='",
    "javascript:window.pwned=5",
    "{{ 7 * 191 }}{% for x in () %}",
    "<!--<script>",
    '=HYPERLINK("http://evil.invalid","pay")',
    "a\x00b\x1b[31mred\u202egnirts\u2028\x85end",
    "../../../../etc/passwd",
    "https://evil.invalid/?q=1",
    "x" * 1_000_000,
)


def poison(record: AttemptRecord, text: str) -> AttemptRecord:
    """The same record with ``text`` in place of every free text, keys included."""
    data = record.model_dump(mode="json")
    row = {"agent": text, "model": text, "settings": text, "commit": text, "sandbox": text, "image": text}
    data["row"] |= row | {"task_hashes": [[text, text]]}
    data |= {"task": text, "title": text, "started": text, "ended": text}
    data |= {"instruction": text, "answer": text, "error": text}
    data["provenance"] |= {k: row[k] for k in ("model", "commit", "sandbox", "image")}
    data["provenance"] |= {"task_hash": text, "world_hash": text, "proof_hash": text}
    data["provenance"] |= {"settings": {text: text}, "versions": {text: text}}
    data["transcript"] = [
        {"role": text, "text": text, "calls": [{"tool": text, "arguments": {text: text}}, text]},
        {"role": text, "text": {text: [text]}, "tool": text, "calls": text},
        {text: text},
    ]
    for entry in data["journal"]:
        entry |= {
            "actor": text,
            "kind": text,
            "id": text,
            "at": 10**18,
            "fields": {text: [text, {text: text}]},
        }
    for c in data["connections"]:
        c |= dict.fromkeys(("host", "method", "path", "actor", "tool", "fault"), text)
        c["records"] = [[text, text]] * 4
    card = data["scorecard"]
    card |= {"task": text, "version": text, "reason": text, "strays": [text], "patterns": [text]}
    for f in card["findings"]:
        f |= dict.fromkeys(("check", "says", "saw", "error"), text)
        f["expects"] = [{"fact": text, "source": "record", "records": [text]}]
        f["verdicts"] = [{"judge": text, "passed": None, "reason": text}] * 2
    return AttemptRecord.model_validate(data)
