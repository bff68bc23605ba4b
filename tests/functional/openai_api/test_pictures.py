"""Pictures and files in chat completions and responses, by OpenAI's own client."""

from typing import Any, Final

import pytest
from mypy_boto3_dynamodb import DynamoDBClient
from mypy_boto3_s3 import S3Client

from flexchat.deadline import Deadline
from flexchat.errors import ModelError
from flexchat.messages import Document, Image, Message, Part, Text, ToolOutput
from tests.functional.chat.harness import configuration
from tests.functional.chat.scripted_provider import text_completion
from tests.functional.openai_api.openai_client import Service, service
from tests.functional.openai_api.response_service import WEATHER, client_turn
from tests.functional.openai_api.response_service import Service as ResponseService
from tests.functional.openai_api.test_completions import ask, rejected
from tests.pictures import GIF, JPEG, PDF, base64, data_url, image, png

PICTURE: Final = {"type": "image_url", "image_url": {"url": data_url(png()), "detail": "low"}}
TEXT: Final = {"type": "text", "text": "What is it?"}
BLIND: Final = configuration(rule={"model": "gpt-3.5-turbo"})


def of_user(*parts: Any) -> list[dict[str, Any]]:
    return [{"role": "user", "content": [*parts]}]


def seen(asked: Service | ResponseService, request: int = -1) -> list[Message]:
    """Messages of a request to the model, without the system prompt."""
    model = asked.chat.model if isinstance(asked, Service) else asked.model
    return [message for message in model.seen[request] if message.role != "system"]


def asked_parts(asked: Service | ResponseService) -> tuple[Part, ...]:
    return seen(asked)[-1].parts


@pytest.mark.parametrize("stream", [False, True])
def test_a_picture_of_a_completion_reaches_the_model(stream: bool) -> None:
    asked = service([text_completion("Red.")])

    answer: Any = ask(asked, messages=of_user(TEXT, PICTURE), stream=stream)

    if stream:
        answer = "".join(chunk.choices[0].delta.content or "" for chunk in answer if chunk.choices)
        assert answer == "Red."
    assert asked_parts(asked) == (Text("What is it?"), image(detail="low"))


@pytest.mark.parametrize("stream", [False, True])
def test_a_picture_of_a_response_reaches_the_model(stream: bool) -> None:
    asked = ResponseService([text_completion("Red.")])
    parts = [{"type": "input_text", "text": "What is it?"}, {"type": "input_image", "image_url": data_url(png())}]
    create: Any = asked.client.responses.create

    answer = create(model="flexchat", input=of_user(*parts), stream=stream, store=False)

    if stream:
        assert [event.response.output_text for event in answer if event.type == "response.completed"] == ["Red."]
    assert asked_parts(asked) == (Text("What is it?"), image())


def test_pictures_of_the_history_are_sent_too() -> None:
    asked = service([text_completion("Red.")])
    history = [*of_user(TEXT, PICTURE), {"role": "assistant", "content": "Red."}, {"role": "user", "content": "Sure?"}]

    ask(asked, messages=history)

    assert [message.parts for message in seen(asked)] == [
        (Text("What is it?"), image(detail="low")),
        (Text("Red."),),
        (Text("Sure?"),),
    ]


def test_a_message_with_a_picture_alone_is_answered() -> None:
    asked = service([text_completion("Red.")])

    ask(asked, messages=of_user(PICTURE))

    assert asked_parts(asked) == (image(detail="low"),)


def test_a_text_file_is_text_with_its_name() -> None:
    asked = service([text_completion("A shop.")])
    file = {"type": "file", "file": {"filename": "notes.md", "file_data": data_url(b"# A shop", "text/markdown")}}

    ask(asked, messages=of_user(file, TEXT))

    assert asked_parts(asked) == (Text("--- notes.md ---\n# A shop\n--- end of notes.md ---\n"), Text("What is it?"))


def test_a_pdf_file_is_a_file_for_a_model_that_reads_it() -> None:
    asked = service([text_completion("A page.")])
    file = {"type": "file", "file": {"filename": "report.pdf", "file_data": base64(PDF)}}

    ask(asked, messages=of_user(file, TEXT))

    (sent, _) = asked_parts(asked)
    assert isinstance(sent, Document)
    assert (sent.media_type, sent.name, sent.data) == ("application/pdf", "report.pdf", base64(PDF))


@pytest.mark.parametrize(
    ("url", "code", "message"),
    [
        ("data:image/png;base64,%%%", "invalid_base64_image", "is not valid base64"),
        (
            data_url(b"<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml"),
            "unsupported_image_media_type",
            "SVG",
        ),
        (data_url(b"BM\x00\x00", "image/bmp"), "unsupported_image_media_type", "send PNG, JPEG, WebP or GIF"),
        (data_url(b""), "empty_image_file", "is empty"),
        (data_url(PDF), "unsupported_image_media_type", "its content is no picture"),
        (data_url(b"text", "text/plain"), None, "is no picture; send a file as a part of the type 'file'"),
        ("http://example.com/red.png", "invalid_image_url", "send a data URL"),
        ("file:///etc/passwd", "invalid_image_url", "send a data URL"),
        ("data:image/png,%89", "unsupported_image_media_type", "its content is no picture"),
    ],
)
def test_a_picture_that_cannot_be_used_is_refused(url: str, code: str | None, message: str) -> None:
    asked = service()

    error = rejected(asked, messages=of_user(TEXT, {"type": "image_url", "image_url": {"url": url}}))

    assert (error.status_code, error.code, error.param) == (400, code, "messages[0].content[1].image_url.url")
    assert message in error.message


def test_more_than_50_pictures_are_refused() -> None:
    error = rejected(service(), messages=of_user(*[PICTURE] * 51))

    assert (error.status_code, "at most 50" in error.message) == (400, True)


def test_a_body_of_more_than_5_mib_is_refused() -> None:
    error = rejected(service(), messages=of_user(TEXT, {"type": "text", "text": "x" * 6_000_000}))

    assert error.status_code == 413


def test_a_picture_of_3_mb_is_accepted() -> None:
    asked = service([text_completion("Red.")])
    large = png(padding=3_000_000)

    ask(asked, messages=of_user({"type": "image_url", "image_url": {"url": data_url(large)}}))

    (sent,) = asked_parts(asked)
    assert isinstance(sent, Image)
    assert sent.size == len(large)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("place", ["message", "history"])
def test_a_model_without_vision_refuses_pictures_in_a_sentence_that_names_it(place: str, stream: bool) -> None:
    asked = service(config=BLIND)
    later: list[Any] = [{"role": "assistant", "content": "Red."}, {"role": "user", "content": "Sure?"}]

    error = rejected(asked, messages=of_user(TEXT, PICTURE) + (later if place == "history" else []), stream=stream)

    assert (error.status_code, error.code, error.type) == (400, None, "invalid_request_error")
    assert "openai:gpt-3.5-turbo does not read pictures: leave them out, or choose a model that does" in error.message
    assert asked.chat.model.seen == []


def test_a_profile_says_whether_a_model_sees() -> None:
    config = BLIND | {"llms": {"openai": {"type": "openai", "api_key": "k", "profiles": {"gpt-3*": {"vision": True}}}}}
    asked = service([text_completion("Red.")], config)

    ask(asked, messages=of_user(TEXT, PICTURE))

    assert asked_parts(asked)[1] == image(detail="low")


def test_a_provider_that_refuses_a_picture_is_the_same_error() -> None:
    refusal = ModelError("no vision", type="unsupported_content", provider="openai", status=400)
    asked = service([refusal], configuration(rule={"model": "my-model"}))

    error = rejected(asked, messages=of_user(TEXT, PICTURE))

    assert (error.status_code, error.code) == (400, None)
    assert "the model does not read these pictures or files" in error.message


def test_a_fallback_without_vision_is_skipped() -> None:
    overloaded = ModelError("busy", type="overloaded", provider="openai", status=529)
    rule = {"fallbacks": ["openai:gpt-3.5-turbo", "openai:gpt-4.1"]}
    asked = service([overloaded, text_completion("Red.")], configuration(rule=rule))

    answer: Any = ask(asked, messages=of_user(TEXT, PICTURE))

    assert answer.flexchat["model"] == "openai:gpt-4.1"


def test_pictures_of_a_tool_message_reach_the_model() -> None:
    tool = {"type": "function", "function": {"name": "draw", "parameters": {"type": "object"}}}
    asked = service([text_completion("Red.")])
    call = {"id": "c1", "type": "function", "function": {"name": "draw", "arguments": "{}"}}
    history = [
        {"role": "user", "content": "Draw"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": [{"type": "text", "text": "here"}, PICTURE]},
    ]

    ask(asked, messages=history, tools=[tool])

    (output,) = seen(asked)[-1].parts
    assert output == ToolOutput("c1", "draw", "here\n[image/png, 70 bytes]", images=(image(detail="low"),))


def test_pictures_of_a_function_call_output_reach_the_model(dynamodb: DynamoDBClient, s3: S3Client) -> None:
    asked = ResponseService(
        [client_turn(("get_weather", {"city": "Rome"})), text_completion("Sunny.")], dynamodb, s3=s3
    )
    first = asked.create("Map?", tools=[WEATHER])
    (call,) = [item for item in first.output if item.type == "function_call"]
    output = [{"type": "input_image", "image_url": data_url(JPEG, "image/jpeg")}]

    asked.create(
        [{"type": "function_call_output", "call_id": call.call_id, "output": output}],
        previous_response_id=first.id,
        tools=[WEATHER],
    )

    (sent,) = seen(asked)[-1].parts
    assert isinstance(sent, ToolOutput)
    assert (sent.content, [picture.data for picture in sent.images]) == (
        f"[image/jpeg, {len(JPEG)} bytes]",
        [base64(JPEG)],
    )


def test_a_stored_response_has_a_reference_and_its_picture_is_sent_again(
    dynamodb: DynamoDBClient, s3: S3Client
) -> None:
    asked = ResponseService(
        [text_completion("Red."), text_completion("Yes."), text_completion("Gone?")], dynamodb, s3=s3
    )
    first = asked.create(of_user({"type": "input_image", "image_url": data_url(png())}))

    second = asked.create("Sure?", previous_response_id=first.id)

    assert [part.data for part in seen(asked)[0].images] == [base64(png())]
    stored = [found.get("Key", "") for found in s3.list_objects_v2(Bucket="flexchat-test-files").get("Contents", [])]
    assert len(stored) == 1
    assert f"/responses/{first.id}/" in stored[0]
    assert base64(png()) not in str(dynamodb.scan(TableName="flexchat-test-chats")["Items"])
    asked.client.responses.delete(first.id)
    assert s3.list_objects_v2(Bucket="flexchat-test-files")["KeyCount"] == 0
    asked.create("And now?", previous_response_id=second.id)
    assert seen(asked)[0].parts == (Text("[image/png, 70 bytes]\n"),)


def test_a_picture_at_an_address_is_fetched_and_never_passed_on(dynamodb: DynamoDBClient, s3: S3Client) -> None:
    fetched: list[str] = []

    def fetch(url: str, _deadline: Deadline) -> bytes:
        fetched.append(url)
        return png()

    asked = ResponseService([text_completion("Red."), text_completion("Yes.")], dynamodb, s3=s3, fetch=fetch)
    part = {"type": "input_image", "image_url": "https://pictures.example/red.png?signature=secret"}
    first = asked.create(of_user(part, {**part, "detail": "low"}))
    asked.create("Sure?", previous_response_id=first.id)

    assert fetched == [part["image_url"]]
    assert [picture.data for picture in seen(asked)[0].images] == [base64(png())] * 2
    assert "pictures.example" not in str(dynamodb.scan(TableName="flexchat-test-chats")["Items"])


def test_a_picture_that_cannot_be_fetched_is_named_by_its_host() -> None:
    url = "https://pictures.example/red.png?signature=secret"

    error = rejected(service(), messages=of_user({"type": "image_url", "image_url": {"url": url}}))

    assert (error.status_code, error.code) == (400, "failed_to_download_image")
    assert "the file at 'pictures.example' could not be fetched" in error.message
    assert "secret" not in error.message


@pytest.mark.parametrize(
    ("part", "place"),
    [
        ({"type": "input_audio", "input_audio": {"data": "", "format": "wav"}}, "messages[0].content[0].type"),
        ({"type": "image_url"}, "messages[0].content[0].image_url"),
        (
            {"type": "image_url", "image_url": {"url": data_url(GIF), "detail": "tiny"}},
            "messages[0].content[0].image_url.detail",
        ),
        ({"type": "file", "file": {}}, "messages[0].content[0].file.file_data"),
        ({"type": "file", "file": {"file_id": "file-1"}}, "messages[0].content[0].file.file_id"),
    ],
)
def test_a_part_of_another_form_is_refused_with_its_path(part: dict[str, Any], place: str) -> None:
    error = rejected(service(), messages=of_user(part))

    assert (error.status_code, error.param) == (400, place)


def test_pictures_are_for_messages_of_the_user() -> None:
    error = rejected(service(), messages=[{"role": "system", "content": [PICTURE]}, *of_user(TEXT)])

    assert error.param == "messages[0].content[0].type"
    assert "send pictures and files in messages of the user" in error.message
