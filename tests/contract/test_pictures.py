"""Pictures and files in requests of every provider, validated by the types of its vendor."""

from collections.abc import Sequence
from typing import Any, Final, cast

import pytest

from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.messages import Message, Text, ToolCall, ToolOutput, assistant, system, user
from functions.chat.providers.base import ChatOptions
from functions.chat.providers.fallback import Candidate
from functions.chat.providers.profiles import ModelProfile
from tests.contract.wire_script import Playback, Wire, exchanges, retry_policy
from tests.contract.wires import WIRES
from tests.pictures import GIF, JPEG, PDF, WEBP, base64, image, pdf, png

SEES: Final = ModelProfile(vision=True, pdf=True, result_images=True)


def _sent(
    wire: Wire,
    messages: Sequence[Message],
    profile: ModelProfile = SEES,
    *,
    tools: bool = True,
    model: str | None = None,
) -> Any:
    """Return the body of a request, after its validation; `model` is not that of the wire."""
    playback = Playback([exchanges(wire, "plain_hello")[0].answer])
    provider = wire.provider(playback, retry=retry_policy(0, []), timeout_ms=60_000)
    options = ChatOptions(Deadline.after(30), tools=wire.tools() if tools else ())
    Candidate(provider, model or wire.model, profile).generate_chat(messages, options)
    if model is None:
        wire.check_request(playback.requests[0])
    return playback.requests[0].body


def _conversation(wire: Wire, body: Any) -> list[dict[str, Any]]:
    return cast("list[dict[str, Any]]", body["contents" if wire.type == "gemini" else "messages"])


def _last(wire: Wire, body: Any) -> dict[str, Any]:
    return _conversation(wire, body)[-1]


RED: Final = base64(png())

PICTURE: Final[dict[ProviderType, Any]] = {
    "openai": [
        {"type": "text", "text": "Look:"},
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{RED}", "detail": "low"}},
        {"type": "text", "text": "What is it?"},
    ],
    "anthropic": [
        {"type": "text", "text": "Look:"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": RED}},
        {"type": "text", "text": "What is it?"},
    ],
    "gemini": [{"text": "Look:"}, {"inlineData": {"mimeType": "image/png", "data": RED}}, {"text": "What is it?"}],
    "bedrock": [{"text": "Look:"}, {"image": {"format": "png", "source": {"bytes": RED}}}, {"text": "What is it?"}],
}
"""Content of a message with a picture between two texts."""


def test_a_picture_stays_at_its_place_between_the_texts(wire: Wire) -> None:
    message = Message("user", (Text("Look:"), image(detail="low"), Text("What is it?")))

    sent = _last(wire, _sent(wire, [system("Be short."), message], tools=False))

    if wire.type == "ollama":
        assert sent == {"role": "user", "content": "Look:\nWhat is it?", "images": [RED]}
    else:
        content = sent["parts" if wire.type == "gemini" else "content"]
        assert [_unmarked(part) for part in content if "cachePoint" not in part] == PICTURE[wire.type]


def _unmarked(part: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in part.items() if name != "cache_control"}


@pytest.mark.parametrize(
    ("content", "media_type"),
    [(JPEG, "image/jpeg"), (WEBP, "image/webp"), (GIF, "image/gif")],
    ids=["jpeg", "webp", "gif"],
)
def test_every_media_type_is_sent_or_named_where_the_provider_refuses_it(
    wire: Wire, content: bytes, media_type: str
) -> None:
    body = _sent(wire, [user("What is it?", [image(content, media_type)])])

    is_sent = base64(content) in str(body)
    assert is_sent is not (wire.type == "gemini" and media_type == "image/gif")
    assert is_sent or f"[{media_type}, {len(content)} bytes]" in str(body)


CALL: Final = ToolCall("call_1", "get_weather", {"location": "Paris"}, '{"location":"Paris"}')
RESULT: Final = ToolOutput("call_1", "get_weather", "a map [image/png, 70 bytes]", images=(image(),))


@pytest.mark.parametrize("tools", [True, False], ids=["tools", "no-tools"])
def test_pictures_of_a_result_reach_the_model(wire: Wire, tools: bool) -> None:
    history = [user("Map?"), Message("assistant", (CALL,)), Message("tool", (RESULT,))]

    body = _sent(wire, history, tools=tools)

    assert str(body).count(RED) == 1
    if wire.type in ("openai", "ollama"):
        assert _last(wire, body)["role"] == "user"
        assert "Pictures of the result of get_weather:" in str(_last(wire, body))


def test_a_picture_of_a_result_is_in_the_result_where_the_api_has_a_place_for_it(wire: Wire) -> None:
    history = [user("Map?"), Message("assistant", (CALL,)), Message("tool", (RESULT,))]

    last = _last(wire, _sent(wire, history))

    match wire.type:
        case "anthropic":
            source = {"type": "base64", "media_type": "image/png", "data": RED}
            assert last["content"][0]["content"] == [
                {"type": "text", "text": RESULT.content},
                {"type": "image", "source": source},
            ]
        case "bedrock":
            picture = {"image": {"format": "png", "source": {"bytes": RED}}}
            assert last["content"][0]["toolResult"]["content"] == [{"text": RESULT.content}, picture]
        case "gemini":
            response = last["parts"][0]["functionResponse"]
            assert response["parts"] == [{"inlineData": {"mimeType": "image/png", "data": RED}}]
        case _:
            assert last["role"] == "user"


def test_an_older_gemini_gets_the_pictures_of_a_result_in_a_message_of_the_user() -> None:
    (gemini,) = [wire for wire in WIRES if wire.type == "gemini"]
    history = [user("Map?"), Message("assistant", (CALL,)), Message("tool", (RESULT,))]

    last = _last(gemini, _sent(gemini, history, model="gemini-2.0-flash"))

    assert last == {
        "role": "user",
        "parts": [
            {"text": "Pictures of the result of get_weather:\n"},
            {"inlineData": {"mimeType": "image/png", "data": RED}},
        ],
    }


def test_results_of_parallel_calls_are_followed_by_their_pictures(wire: Wire) -> None:
    second = ToolCall("call_2", "get_weather", {"location": "Rome"}, '{"location":"Rome"}')
    results = [RESULT, ToolOutput("call_2", "get_weather", "sunny", images=(image(JPEG, "image/jpeg"),))]
    history = [user("Maps?"), Message("assistant", (CALL, second)), *(Message("tool", (each,)) for each in results)]

    body = str(_sent(wire, [*history, assistant("Done."), user("And now?")]))

    assert body.count(RED) == body.count(base64(JPEG)) == 1


FILE: Final[dict[ProviderType, Any]] = {
    "openai": {
        "type": "file",
        "file": {"filename": "report.pdf", "file_data": f"data:application/pdf;base64,{base64(PDF)}"},
    },
    "anthropic": {
        "type": "document",
        "source": {"type": "base64", "media_type": "application/pdf", "data": base64(PDF)},
        "title": "report.pdf",
    },
    "gemini": {"inlineData": {"mimeType": "application/pdf", "data": base64(PDF)}},
    "bedrock": {"document": {"format": "pdf", "name": "report", "source": {"bytes": base64(PDF)}}},
}


def test_a_pdf_file_is_sent_as_a_file(wire: Wire) -> None:
    last = _last(wire, _sent(wire, [Message("user", (pdf(), Text("Summarize it")))]))

    if wire.type == "ollama":
        assert last["content"] == f"[report.pdf, application/pdf, {len(PDF)} bytes]\nSummarize it"
    else:
        assert last["parts" if wire.type == "gemini" else "content"][0] == FILE[wire.type]


def test_a_message_with_a_file_alone_is_accepted_and_names_are_unique(wire: Wire) -> None:
    history = [Message("user", (pdf("a/b_c.pdf"),)), assistant("A file."), Message("user", (pdf("a/b_c.pdf"),))]

    body = _sent(wire, history)

    if wire.type == "bedrock":
        names = [
            block["document"]["name"] for each in body["messages"] for block in each["content"] if "document" in block
        ]
        assert names == ["a b c", "a b c (2)"]
        assert all("text" in str(each["content"]) for each in body["messages"])


def test_a_model_without_vision_gets_the_labels_of_earlier_pictures(wire: Wire) -> None:
    history = [user("Look", [image()]), assistant("Red."), user("Map?"), Message("assistant", (CALL,))]

    body = str(_sent(wire, [*history, Message("tool", (RESULT,))], ModelProfile(vision=False)))

    assert RED not in body
    assert body.count("[image/png, 70 bytes]") == 2


def test_the_newest_pictures_are_sent_where_a_request_has_too_many() -> None:
    (bedrock,) = [wire for wire in WIRES if wire.type == "bedrock"]
    history = [message for n in range(1, 23) for message in (user("?", [image(png(n, 1))]), assistant("Red."))]

    body = str(_sent(bedrock, [*history, user("And now?")]))

    assert [base64(png(n, 1)) in body for n in (1, 2, 3, 22)] == [False, False, True, True]
