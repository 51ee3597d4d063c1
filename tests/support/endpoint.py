"""A scripted model behind a local HTTP endpoint, in the three dialects that providers speak.

The real provider code talks to it: OpenAI's chat completions and responses, Anthropic's messages
(streamed when asked). What it answers is decided by a function of the conversation so far, so that
attempts in parallel do not disturb each other.
"""

import itertools
import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tenure.oracle import Action, Hands, Performance, load_solve
from tenure.schema.folder import find_task
from tenure.world import Response

EMPTY = "no choices"
"""A stop reason for an answer of chat completions that holds none."""
CHAT, RESPONSES, MESSAGES = "/v1/chat/completions", "/v1/responses", "/v1/messages"


@dataclass(frozen=True)
class Said:
    """What the scripted model answers.

    Attributes:
        text: Words.
        calls: Tool calls.
        refusal: Words of a refusal, as OpenAI marks it.
        stop: The dialect's own stop reason, when not the usual one.
        tokens: Read and written.
        status: HTTP status; above 299 the answer is ``error``.
        error: The error's fields.
        delay: Seconds before answering.
    """

    text: str = ""
    calls: tuple[Action, ...] = ()
    refusal: str = ""
    stop: str = ""
    tokens: tuple[int, int] = (100, 20)
    status: int = 200
    error: dict[str, Any] = field(default_factory=dict)
    delay: float = 0.0


@dataclass(frozen=True)
class Heard:
    """A conversation as the model gets it, whatever the dialect.

    Attributes:
        request: The first user message.
        results: The tools' results.
        users: How many user messages there are.
        said: Role and text of all messages.
    """

    request: str
    results: tuple[str, ...]
    users: int
    said: tuple[tuple[str, str], ...] = ()


Model = Callable[[Heard], Said]
_ids = itertools.count()
"""Coding command lines take a call whose id they know for one that they have done."""


def scripted(*answers: Said) -> Model:
    """Answers in turn, by the number of tool results and user messages; the last one for ever."""

    def model(heard: Heard) -> Said:
        return answers[min(len(heard.results) + heard.users - 1, len(answers) - 1)]

    return model


def oracle(task: Path, *, prefer: str = "rest") -> Model:
    """A model that does what the task's oracle does, found anew from the conversation each turn."""
    folder = find_task(str(task))

    def model(heard: Heard) -> Said:
        performance = Performance(load_solve(folder), Hands(heard.request, prefer=prefer))
        action = performance.send(None)
        for result in heard.results:
            action = performance.send(Response.parse(result))
        performance.close()
        return Said(calls=(action,)) if action else Said("Done.")

    return model


class Endpoint:
    """The server. Use as a context manager.

    Attributes:
        url: Where it listens, without ``/v1``.
        requests: (path, headers, body) of all requests.
    """

    def __init__(self, model: Model) -> None:
        self.requests: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                path = self.path.partition("?")[0]
                hear, speak = _DIALECTS[path]
                if isinstance(body.get("input"), str):  # Inspect asks what a responses endpoint can do.
                    self._answer(200, speak(Said("Yes."), body["model"]))
                    return
                endpoint.requests.append((path, {k.lower(): v for k, v in self.headers.items()}, body))
                said = model(hear(body))
                time.sleep(said.delay)
                if said.status > 299:
                    self._answer(said.status, {"type": "error", "error": said.error})
                elif body.get("stream"):
                    self._answer(200, _events(speak(said, body["model"])), "text/event-stream")
                else:
                    self._answer(200, speak(said, body["model"]))

            def _answer(self, status: int, value: Any, kind: str = "application/json") -> None:
                data = value.encode() if isinstance(value, str) else json.dumps(value).encode()
                self.send_response(status)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *words: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> "Endpoint":
        threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        ).start()
        return self

    def __exit__(self, *rest: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def base_url(self, model: str) -> str:
        """What ``--base-url`` is for a model of a provider."""
        return self.url if model.startswith("anthropic/") else f"{self.url}/v1"


def _text(content: Any) -> str:
    if isinstance(content, str) or content is None:
        return content or ""
    return "".join(part.get("text", "") for part in content)


def _heard(messages: Iterable[tuple[str, str]]) -> Heard:
    said = list(messages)
    users = [text for role, text in said if role == "user"]
    results = tuple(text for role, text in said if role == "tool")
    return Heard(users[0], results, len(users), tuple(said))


def _hear_chat(body: dict[str, Any]) -> Heard:
    return _heard((m["role"], _text(m.get("content"))) for m in body["messages"])


def _hear_responses(body: dict[str, Any]) -> Heard:
    def items() -> Iterator[tuple[str, str]]:
        for item in body["input"]:
            if item.get("type") == "function_call_output":
                yield "tool", _text(item["output"])
            elif "role" in item:
                yield item["role"], _text(item["content"])

    return _heard(items())


def _hear_messages(body: dict[str, Any]) -> Heard:
    def blocks() -> Iterator[tuple[str, str]]:
        for message in body["messages"]:
            if isinstance(message["content"], str):
                yield message["role"], message["content"]
                continue
            for block in message["content"]:
                if block["type"] == "tool_result":
                    yield "tool", _text(block["content"])
                elif block["type"] == "text":
                    yield message["role"], block["text"]

    return _heard(blocks())


def _speak_chat(said: Said, model: str) -> dict[str, Any]:
    read, written = said.tokens
    message: dict[str, Any] = {
        "role": "assistant",
        "content": said.text or None,
        "refusal": said.refusal or None,
    }
    if said.calls:
        message["tool_calls"] = [
            {
                "id": f"c{next(_ids)}",
                "type": "function",
                "function": {"name": c.tool, "arguments": json.dumps(c.arguments)},
            }
            for c in said.calls
        ]
    stop = said.stop or ("tool_calls" if said.calls else "stop")
    return {
        "id": "chat-1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [] if stop == EMPTY else [{"index": 0, "message": message, "finish_reason": stop}],
        "usage": {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written},
    }


def _speak_responses(said: Said, model: str) -> dict[str, Any]:
    read, written = said.tokens
    output: list[dict[str, Any]] = [
        {
            "type": "function_call",
            "id": f"f{n}",
            "call_id": f"c{next(_ids)}",
            "name": call.tool,
            "arguments": json.dumps(call.arguments),
            "status": "completed",
        }
        for n, call in enumerate(said.calls)
    ]
    if not output:
        part = (
            {"type": "refusal", "refusal": said.refusal}
            if said.refusal
            else {"type": "output_text", "text": said.text, "annotations": []}
        )
        output = [
            {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [part]}
        ]
    return {
        "id": "resp-1",
        "object": "response",
        "created_at": 1,
        "model": model,
        "status": "incomplete" if said.stop else "completed",
        "incomplete_details": {"reason": said.stop} if said.stop else None,
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": read,
            "output_tokens": written,
            "total_tokens": read + written,
            "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": 0},
        },
    }


def _speak_messages(said: Said, model: str) -> dict[str, Any]:
    read, written = said.tokens
    content: list[dict[str, Any]] = [{"type": "text", "text": said.text}] if said.text else []
    content += [
        {"type": "tool_use", "id": f"c{next(_ids)}", "name": call.tool, "input": call.arguments}
        for call in said.calls
    ]
    return {
        "id": "msg-1",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": said.stop or ("tool_use" if said.calls else "end_turn"),
        "stop_sequence": None,
        "usage": {"input_tokens": read, "output_tokens": written},
    }


def _events(message: dict[str, Any]) -> str:
    """A message of Anthropic's as the events of a stream."""
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}}
    ]
    for n, block in enumerate(message["content"]):
        if block["type"] == "text":
            start, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            start = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        events += [
            {"type": "content_block_start", "index": n, "content_block": start},
            {"type": "content_block_delta", "index": n, "delta": delta},
            {"type": "content_block_stop", "index": n},
        ]
    stop = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    events += [
        {
            "type": "message_delta",
            "delta": stop,
            "usage": {"output_tokens": message["usage"]["output_tokens"]},
        },
        {"type": "message_stop"},
    ]
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)


_DIALECTS = {
    CHAT: (_hear_chat, _speak_chat),
    RESPONSES: (_hear_responses, _speak_responses),
    MESSAGES: (_hear_messages, _speak_messages),
}
