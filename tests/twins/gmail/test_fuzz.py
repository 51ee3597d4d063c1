"""Nothing that a client sends makes the twin fail inside."""

import base64
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tenure.twins.gmail.mcp import TOOLS
from tenure.twins.gmail.rest import DOCUMENT, OPERATIONS
from tenure.twins.gmail.text import html_text, snippet
from tenure.world import Gateway

from .make import ADA, ME, Client, build, open_world, token

FIRST = f"{0xA1:016x}"
PIECES = (
    *(
        b"Content-Type: multipart/mixed; boundary=x\r\n",
        b"Content-Type: text/html; charset=idna\r\n",
        b"\r\n",
        b"--x\r\n",
    ),
    *(
        b"--x--\r\n",
        b"Subject: =?utf-8?q?a=0ABcc:_evil=40x.test?=\n",
        b"Content-Transfer-Encoding: base64\r\n",
        b"To: a@b.test\r\n",
    ),
    *(
        b"Content-Type: message/rfc822\r\n",
        b"Date: Mon, 1 Jan 0001 00:00:00 +2359\r\n",
        b"%%%\xff\xfe\x00",
        b"\xc3\x28: \xc3\xa9\n",
    ),
    *(
        b"Content-Disposition: attachment; filename=\xff\xfe\r\n",
        b"Content-Type: \xffx/\xfey\r\n",
        b"<![foo[ x",
        b"References: <a> <b\r\n",
    ),
    *(
        b"Content-Type: text/plain; charset=\xff\x00\r\n",
        b"Content-ID: <\xff>\r\n",
        b"From: =?x?b?" + b"a" * 9 + b"?=\n",
    ),
)


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    world, gateway = open_world(build(tmp_path_factory.mktemp("fuzz") / "base.db"))
    yield gateway
    world.close()


def many(examples: int) -> settings:
    return settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))


@many(200)
@given(st.one_of(st.binary(max_size=200), st.lists(st.sampled_from(PIECES), max_size=12).map(b"".join)))
def test_any_letter_can_be_kept_and_shown(gateway: Gateway, data: bytes) -> None:
    ada = Client(gateway)
    status, made = ada.send("POST", f"{ME}/messages", {"raw": base64.urlsafe_b64encode(data).decode()})
    assert status == 200 or not data.strip()
    if status == 200:
        for form in ("full", "metadata", "raw"):
            ada.ok("GET", f"/messages/{made['id']}", format=form)
        whole = base64.urlsafe_b64decode(ada.ok("GET", f"/messages/{made['id']}", format="raw")["raw"])
        assert b"\nBcc:" not in whole.partition(b"\r\n\r\n")[0]
        ada.send("POST", f"{ME}/messages/send", {"raw": base64.urlsafe_b64encode(data).decode()})


def test_a_letter_nested_beyond_reason_is_one_part(gateway: Gateway) -> None:
    head = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(3000)
    )
    ada = Client(gateway)
    made = ada.ok("POST", "/messages", {"raw": base64.urlsafe_b64encode(head).decode()})
    assert "parts" not in ada.ok("GET", f"/messages/{made['id']}")["payload"]


SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**63), 2**64 - 1), st.floats(), st.text(max_size=12)
)
NAMES = sorted(
    {name for schema in DOCUMENT.content["schemas"].values() for name in schema.get("properties", {})}
)
BODIES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.one_of(st.sampled_from(NAMES), st.text(max_size=4)), inner, max_size=4),
    ),
    max_leaves=8,
)
QUERIES = st.dictionaries(
    st.sampled_from(
        (
            "q",
            "labelIds",
            "maxResults",
            "pageToken",
            "format",
            "startHistoryId",
            "fields",
            "alt",
            "internalDateSource",
        )
    ),
    st.one_of(
        st.text(max_size=12),
        st.integers(-5, 2**70).map(str),
        st.sampled_from(("after:99999999999999999999", "INBOX")),
    ),
    max_size=3,
)


@many(200)
@given(
    st.sampled_from(sorted(OPERATIONS)),
    BODIES,
    QUERIES,
    st.sampled_from((FIRST, "x", "Label_1", "INBOX", "r1", "%00", "é")),
)
def test_any_request_is_answered_or_refused(
    gateway: Gateway, operation: str, body: object, query: dict, id: str
) -> None:
    method = DOCUMENT.methods[operation]
    path = method.path.replace("{userId}", "me").replace("{messageId}", FIRST)
    path = path.replace("{id}", id).replace("{sendAsEmail}", "ada@acme.test")
    status, answer = Client(gateway).send(method.http, path, body, **query)
    assert status in (200, 204, 400, 404, 409)
    if status >= 400:
        assert answer["error"]["code"] == status and answer["error"]["errors"][0]["reason"]


@many(200)
@given(
    st.sampled_from([f"{ME}/messages", f"{ME}/drafts", f"{ME}/messages/send", "/batch"]),
    st.binary(max_size=80),
    st.booleans(),
    st.data(),
)
def test_any_upload_or_batch_is_answered_or_refused(
    gateway: Gateway, path: str, body: bytes, whole: bool, data: st.DataObject
) -> None:
    kind = data.draw(
        st.sampled_from(
            ["multipart/related; boundary=x", "multipart/mixed; boundary=x", "multipart/mixed", ""]
        )
    )
    body = b"--x\r\n\r\n" + body + b"\r\n--x\r\n\r\nGET / HTTP/1.1\r\n\r\n\r\n--x--" if whole else body
    prefix = "" if path == "/batch" else "/upload"
    upload = data.draw(st.sampled_from(["media", "multipart", "resumable", "x"]))
    status, _ = Client(gateway).send(
        "POST", prefix + path, body, headers={"content-type": kind}, uploadType=upload
    )
    assert status in (200, 400)


@many(200)
@given(st.sampled_from(TOOLS), BODIES, st.data())
def test_any_tool_call_is_answered_or_refused(
    gateway: Gateway, tool, body: object, data: st.DataObject
) -> None:
    known = tool.schema["properties"]
    fitting = {
        name: data.draw(
            st.lists(st.sampled_from(("INBOX", "Label_1", "x@y.test", "é\n")), max_size=3)
            if schema["type"] == "array"
            else st.sampled_from(
                (1, 2.0, True, "x", FIRST, "a\nBcc: evil@x.test", "Label_1", {"textColor": "#000"})
            )
        )
        for name, schema in known.items()
        if data.draw(st.booleans())
    }
    arguments = data.draw(st.sampled_from([fitting, body]))
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": tool.name, "arguments": arguments},
    }
    client = Client(gateway, secret=token(ADA))
    status, answer = client.send("POST", "/mcp/v1", message, host="gmailmcp.googleapis.com")
    assert status == 200 and ("result" in answer or "error" in answer)


@many(200)
@given(st.text(alphabet="<>![]-/ab&;=\"'\n?", max_size=60))
def test_any_html_has_a_text(source: str) -> None:
    snippet(html_text(source))


def test_a_subject_cannot_add_a_header(gateway: Gateway) -> None:
    arguments = {"to": ["bo@acme.test"], "subject": "a\r\nBcc: evil@x.test", "body": "x"}
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "create_draft", "arguments": arguments},
    }
    status, answer = Client(gateway).send("POST", "/mcp/v1", message, host="gmailmcp.googleapis.com")
    text = answer["result"]["content"][0]["text"]
    assert status == 200 and "bccRecipients" not in text and "a Bcc: evil@x.test" in text
