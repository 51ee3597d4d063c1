"""The conversation over all stages: summarised by the builder's own model, and nothing else of it lost.

Each test guards one thing that Inspect's handler does not see to by itself.
"""

import re
from collections import Counter
from pathlib import Path

import pytest
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageTool, ChatMessageUser, Model
from inspect_ai.tool import ToolCall

from support.endpoint import CHAT, MESSAGES, Endpoint, Heard, Said
from support.grown import SHELF, build, records, run_of
from support.machines import isolated
from tenure.engine.grow.builder import conversation
from tenure.engine.grow.builder.conversation import THRESHOLD, Conversation, threshold_of
from tenure.engine.models import open_model
from tenure.oracle import Action
from tenure.schema import Ending
from tenure.schema.folder import find_grow

MODELS = ("openai/gpt-4o", "anthropic/claude-sonnet-4-5")
PRDS = {p.path.name: re.sub(r"<!--.*-->\n+", "", p.prd) for p in find_grow(str(SHELF)).stages}
SUMMARY = "THE STORY SO FAR"


class Talker:
    """A model that runs three commands a stage; the second of its turns fills the context.

    Attributes:
        heard: The requests of its turns, by stage.
        summaries: The requests of its summaries.
    """

    def __init__(self, full: int = 250_000, summary: str = SUMMARY) -> None:
        self.full, self.summary = full, summary
        self.turns: Counter[str] = Counter()
        self.heard: dict[str, list[Heard]] = {stage: [] for stage in PRDS}
        self.summaries: list[Heard] = []

    def __call__(self, heard: Heard) -> Said:
        if "create a detailed summary of the conversation" in heard.said[-1][1]:
            self.summaries.append(heard)
            return Said(self.summary, tokens=(1_000, 500))
        stage = re.findall(r"/requests/([\w-]+)/prd\.md too\.", words(heard))[-1]
        self.turns[stage] += 1
        self.heard[stage].append(heard)
        turn = self.turns[stage]
        if turn > 3:
            return Said(f"{stage} is done.")
        command = Action("bash", {"command": f"echo output {turn} of {stage}"})
        return Said(calls=(command,), tokens=(self.full if turn == 2 else 100, 20))


def words(heard: Heard) -> str:
    return "\n".join(text for _, text in heard.said)


@isolated
@pytest.mark.parametrize("name", MODELS)
def test_past_the_threshold_the_older_part_is_summarised_in_every_stage(name: str, tmp_path: Path) -> None:
    talker = Talker()
    with Endpoint(talker) as endpoint:
        ended, folder = build(run_of(tmp_path, name, base_url=endpoint.base_url(name)))
        paths = {path for path, _, _ in endpoint.requests}
        assert paths <= {CHAT, MESSAGES}, "no other request: the provider neither counts nor compacts"
        assert not any("context_management" in body for _, _, body in endpoint.requests)
        # Anthropic refuses a history of calls without tools; OpenAI's models would call one.
        without = sum(not body.get("tools") for _, _, body in endpoint.requests)
        assert without == (0 if name.startswith("anthropic/") else 3)
    made = records(folder)
    assert [(r.ending, r.steps, r.summaries) for r in made] == [(Ending.DONE, 4, 1)] * 3, (
        "no summary is a step"
    )
    assert ended.usage.steps == 12
    assert ended.usage.input_tokens == 3 * (250_300 + 1_000), "summaries are paid for"
    assert ended.usage.output_tokens == 3 * (4 * 20 + 500)
    assert len(talker.summaries) == 3
    for stage, heard in talker.heard.items():
        full, short = words(heard[1]), words(heard[2])
        assert f"output 1 of {stage}" in full
        assert f"output 1 of {stage}" not in short and f"output 2 of {stage}" not in short
        assert SUMMARY in short
        assert short.count(PRDS[stage]) == 1, "the request under way stands as it was, once"
        assert heard[2].said[0][0] == "system" or name.startswith("anthropic/")
    last = words(talker.heard["03-deposit"][2])
    assert "output 3 of 02-lending" not in last and PRDS["02-lending"] not in last
    assert last.count(SUMMARY) == 1, "an older summary goes into the next one"
    assert SUMMARY in words(talker.summaries[1])


@isolated
def test_below_the_threshold_nothing_is_summarised(tmp_path: Path) -> None:
    talker = Talker(full=THRESHOLD // 2)
    with Endpoint(talker) as endpoint:
        _, folder = build(run_of(tmp_path, MODELS[0], base_url=endpoint.base_url(MODELS[0])))
    assert not talker.summaries
    assert "output 1 of 01-things" in words(talker.heard["03-deposit"][-1])
    assert [record.summaries for record in records(folder)] == [0, 0, 0]


@isolated
def test_a_summary_that_does_not_fit_exhausts_the_context_and_ends_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conversation, "THRESHOLD", 6_000)
    talker = Talker(summary="at length " * 4_000)
    with Endpoint(talker) as endpoint:
        ended, folder = build(run_of(tmp_path, MODELS[0], base_url=endpoint.base_url(MODELS[0])))
    assert ended.ending is Ending.CONTEXT_EXHAUSTED and not ended.error
    assert [record.stage for record in records(folder)] == ["01-things"]


@isolated
def test_a_summary_is_asked_for_again_when_the_network_breaks_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tenure.engine.build.patience.SHORTEST", 0.01)
    talker, broken = Talker(), [True, True]

    def model(heard: Heard) -> Said:
        said = talker(heard)
        if said.text == SUMMARY and broken:
            broken.pop()
            return Said(status=529, error={"type": "overloaded_error", "message": "Overloaded"})
        return said

    with Endpoint(model) as endpoint:
        ended, folder = build(run_of(tmp_path, MODELS[0], base_url=endpoint.base_url(MODELS[0])))
    assert ended.ending is Ending.DONE
    assert [(record.steps, record.summaries) for record in records(folder)] == [(4, 1)] * 3
    assert ended.usage.input_tokens == 3 * (250_300 + 1_000)


@isolated
@pytest.mark.parametrize(("calls", "ending"), [(2, Ending.DONE), (99, Ending.CONTEXT_EXHAUSTED)])
def test_a_summary_without_words_is_asked_for_again_and_never_taken(
    calls: int, ending: Ending, tmp_path: Path
) -> None:
    talker, left = Talker(), [calls]

    def model(heard: Heard) -> Said:
        said = talker(heard)
        if said.text != SUMMARY or not left[0]:
            return said
        left[0] -= 1
        return Said(calls=(Action("bash", {"command": "ls"}),), tokens=said.tokens)

    with Endpoint(model) as endpoint:
        ended, folder = build(run_of(tmp_path, MODELS[1], base_url=endpoint.base_url(MODELS[1])))
    assert ended.ending is ending
    made, asked = records(folder), len(talker.summaries)
    assert (made[0].steps, made[0].summaries, asked) == ((4, 1, 5) if ending is Ending.DONE else (2, 0, 3))
    assert ended.usage.output_tokens == ended.usage.steps * 20 + asked * 500, "each is paid for"


@pytest.fixture
def model() -> Model:
    return open_model("openai/gpt-4o", base_url="http://127.0.0.1:9/v1")


def test_a_smaller_window_is_summarised_earlier() -> None:
    small, large = (open_model(name, base_url="http://127.0.0.1:9") for name in MODELS)
    assert threshold_of(small) < 128_000
    assert threshold_of(large) <= THRESHOLD
    assert threshold_of(open_model("openai/a-name-to-come", base_url="http://127.0.0.1:9")) == THRESHOLD


def called(*ids: str) -> ChatMessageAssistant:
    return ChatMessageAssistant(
        content="", tool_calls=[ToolCall(id=one, function="bash", arguments={}) for one in ids]
    )


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ([called("a")], 1),
        ([called("a", "b"), ChatMessageTool(content="x", tool_call_id="a")], 1),
        ([called("a"), ChatMessageTool(content="x", tool_call_id="a")], 3),
        ([called("a"), ChatMessageTool(content="x", tool_call_id="a"), called("b")], 3),
        ([ChatMessageAssistant(content="Done.")], 2),
        ([], 1),
    ],
)
def test_calls_that_a_cut_left_without_a_result_are_dropped_before_the_next_request(
    model: Model, said: list[ChatMessage], kept: int
) -> None:
    talk = Conversation(model, "system", [])
    talk.messages += said
    at = talk.request("the next one", lambda output: None, lambda seconds: None)
    assert (at, len(talk.messages), talk.messages[-1].text) == (kept, kept + 1, "the next one")


@pytest.mark.anyio
@pytest.mark.parametrize("name", MODELS)
async def test_a_resumed_conversation_sees_what_the_killed_one_saw(name: str, anyio_backend: str) -> None:
    """From its view alone: the summary is not made again, and what it replaced does not come back."""
    talker = Talker()
    with Endpoint(talker) as endpoint:
        model = open_model(name, base_url=endpoint.base_url(name))
        first = Conversation(model, "The system prompt.", [])
        ask_for(first, "01-things")
        for _ in range(3):
            output = await first.ask(model, first.messages, [])
            first.messages += [output.message, answer_to(output.message)]
        again = Conversation(model, "Another.", [], view=copies(first.view))
        for talk in (first, again):
            ask_for(talk, "02-lending")
            await talk.ask(model, talk.messages, [])
    assert len(talker.summaries) == 1
    before, after = talker.heard["02-lending"]
    assert before.said == after.said
    assert SUMMARY in words(after) and "The system prompt." in str(endpoint.requests[-1][2])


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def ask_for(talk: Conversation, stage: str) -> None:
    text = f"This is the next request. Its text is in /h/requests/{stage}/prd.md too.\n{PRDS[stage]}"
    talk.request(text, lambda output: None, lambda seconds: None)


def answer_to(message: ChatMessageAssistant) -> ChatMessage:
    if not message.tool_calls:
        return ChatMessageUser(content="Go on.")
    return ChatMessageTool(content="output", tool_call_id=message.tool_calls[0].id, function="bash")


def copies(messages: list[ChatMessage]) -> list[ChatMessage]:
    """Messages as they come back from a file."""
    return [type(message).model_validate_json(message.model_dump_json()) for message in messages]
