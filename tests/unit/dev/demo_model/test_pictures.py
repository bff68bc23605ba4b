"""Answers of the demo model on pictures and files, in the requests of every provider's adapter."""

import json
from urllib.parse import unquote, urlsplit

import pytest

from dev.demo_model.http import Request
from dev.demo_model.model import DemoModel
from dev.demo_model.pictures import pixels, shown_pictures
from dev.demo_model.protocols.__init__ import all_protocols
from flexchat.deadline import Deadline
from flexchat.messages import Message, ToolCall, ToolOutput, assistant, user
from functions.chat.providers.base import ChatOptions
from functions.chat.providers.fallback import Candidate
from functions.chat.providers.profiles import ModelProfile
from tests.contract.wire_script import Playback, Wire, exchanges, retry_policy
from tests.contract.wires import WIRES
from tests.pictures import GIF, JPEG, WEBP, image, pdf, png

EVERY_WIRE = pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.type)


def request_of(wire: Wire, *messages: Message) -> Request:
    """Request of an adapter with `messages`."""
    playback = Playback([exchanges(wire, "plain_hello")[0].answer])
    provider = wire.provider(playback, retry=retry_policy(0, []), timeout_ms=60_000)
    profile = ModelProfile(vision=True, pdf=True, result_images=True)
    Candidate(provider, wire.model, profile).generate_chat(
        messages, ChatOptions(Deadline.after(30), tools=wire.tools())
    )
    (sent,) = playback.requests
    headers = {name.lower(): value for name, value in sent.headers.items()}
    return Request("POST", unquote(urlsplit(sent.url).path), headers, sent.content)


@EVERY_WIRE
def test_a_picture_is_described_by_its_type_and_its_pixels(wire: Wire) -> None:
    request = request_of(wire, user("What is it?", [image(png(20, 10))]))

    answer = DemoModel(all_protocols(), wait=lambda _seconds: None).answer(request)

    assert answer.status == 200
    assert "I see a PNG picture of 20 by 10 pixels." in str(json.loads(answer.body))


@EVERY_WIRE
def test_the_pictures_of_the_latest_messages_are_described(wire: Wire) -> None:
    call = ToolCall("call_1", "get_weather", {"location": "Rome"}, '{"location":"Rome"}')
    output = ToolOutput("call_1", "get_weather", "a map", images=(image(JPEG, "image/jpeg"),))
    before = (user("Look", [image()]), assistant("Red."))

    assert shown_pictures(request_of(wire, *before, user("And now?")).body) == ()
    after = (user("Map?"), Message("assistant", (call,)), Message("tool", (output,)))
    assert shown_pictures(request_of(wire, *before, *after).body) == ("a JPEG picture of 5 by 3 pixels",)
    if wire.type != "ollama":
        assert shown_pictures(request_of(wire, user("Sum it up", [pdf()])).body) == ("a PDF file",)


@EVERY_WIRE
def test_the_pictures_of_a_result_are_no_new_question(wire: Wire) -> None:
    arguments = {"location": "Rome"}
    question = user(f"[demo:call=get_weather {json.dumps(arguments)}] What is the weather?")
    call = ToolCall("call_1", "get_weather", {**arguments}, json.dumps(arguments))
    output = ToolOutput("call_1", "get_weather", '{"temperature": 20}', images=(image(),))
    request = request_of(wire, question, Message("assistant", (call,)), Message("tool", (output,)))

    answer = DemoModel(all_protocols(), wait=lambda _seconds: None).answer(request)

    assert "I see a PNG picture" in answer.body.decode()
    assert "20" in answer.body.decode()


def test_pixels_are_those_of_the_header() -> None:
    assert [pixels(each) for each in (png(7, 9), JPEG, GIF, WEBP, b"\xff\xd8\xff\xe0\x00")] == [
        (7, 9),
        (5, 3),
        (2, 1),
        (0, 0),
        (0, 0),
    ]
