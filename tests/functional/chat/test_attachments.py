"""Pictures and files of POST /api/chat: sent, stored with their session, read as text, and uploaded."""

import json
from base64 import b64decode
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import pytest
from mypy_boto3_dynamodb import DynamoDBClient
from mypy_boto3_s3 import S3Client

from flexchat.deadline import Deadline
from flexchat.errors import ModelError
from flexchat.messages import Document, Image, Message, Text, ToolOutput
from tests.aws import aws_client
from tests.functional.chat.background import deploy_with_background
from tests.functional.chat.harness import (
    CHATS_TABLE,
    FILES_BUCKET,
    SIGNING_SECRET,
    Chat,
    configuration,
    deploy,
    mock_tool,
)
from tests.functional.chat.scripted_provider import call_completion, text_completion
from tests.pictures import PDF, base64, data_url, image, png

PICTURE: Final = {"url": data_url(png()), "name": "red.png"}
SENT: Final = Image("image/png", base64(png()), 70, name="red.png")
WITH_PICTURE: Final = {"message": "What is it?", "attachments": [PICTURE]}
BLIND: Final = configuration(rule={"model": "gpt-3.5-turbo"})


def seen(chat: Chat, request: int = -1) -> list[Message]:
    return [message for message in chat.model.seen[request] if message.role != "system"]


def stored_keys(s3: S3Client) -> list[str]:
    return [found.get("Key", "") for found in s3.list_objects_v2(Bucket=FILES_BUCKET).get("Contents", [])]


def test_a_picture_reaches_the_model_before_the_text() -> None:
    chat = deploy([text_completion("Red.")], configuration())

    answer = chat.post(WITH_PICTURE)

    assert (answer.status, answer.body["content"]) == (200, "Red.")
    assert seen(chat)[-1].parts == (SENT, Text("What is it?"))


def test_pictures_of_the_history_are_sent() -> None:
    chat = deploy([text_completion("Yes.")], configuration())
    history = [{"role": "user", "content": "Look", "attachments": [PICTURE]}, {"role": "assistant", "content": "Red."}]

    chat.post({"message": "Sure?", "history": history})

    assert [message.parts for message in seen(chat)] == [
        (SENT, Text("Look")),
        (Text("Red."),),
        (Text("Sure?"),),
    ]


@pytest.mark.parametrize(
    ("attachment", "message"),
    [
        ({}, "must have either url or file_id"),
        ({"url": "data:image/png;base64,%"}, "url is not valid base64"),
        ({"url": data_url(b"<svg/>", "image/svg+xml")}, "url is an SVG drawing, which no model reads; send it as PNG"),
        ({"url": "http://a.example/b.png"}, "url begins with 'http://a.exa'; send a data URL"),
        ({"file_id": "nonsense"}, "file_id is 'nonsense'; send the id of a file"),
        ({"url": data_url(b"\x00\x01\x02", "")}, "url is of an unknown type; send a picture (PNG, JPEG, WebP or GIF)"),
    ],
)
def test_an_attachment_that_cannot_be_used_is_named(attachment: Any, message: str) -> None:
    answer = deploy([], configuration()).post({"message": "Hi", "attachments": [attachment]})

    assert (answer.status, answer.body["details"][0]["path"]) == (400, "attachments[0]")
    assert message in answer.body["details"][0]["message"]


def test_a_model_without_vision_refuses_pictures() -> None:
    answer = deploy([], BLIND).post(WITH_PICTURE)

    assert (answer.status, answer.body["error"]) == (400, "model_unsupported_content")
    assert answer.body["message"].startswith("openai:gpt-3.5-turbo does not read pictures")


def test_a_session_stores_a_reference_and_sends_the_picture_again(dynamodb: DynamoDBClient, s3: S3Client) -> None:
    chat = deploy([text_completion("Red."), text_completion("Yes.")], configuration(), dynamodb=dynamodb, s3=s3)

    chat.post({**WITH_PICTURE, "session_id": "s1"})
    chat.post({"message": "Sure?", "session_id": "s1"})

    (key,) = stored_keys(s3)
    assert (key.startswith("files/long/"), "/sessions/s1/" in key) == (True, True)
    assert [part.data for part in seen(chat)[0].images] == [base64(png())]
    assert seen(chat)[0].text == "What is it?"
    assert base64(png())[:40] not in str(dynamodb.scan(TableName=CHATS_TABLE)["Items"])


def test_the_messages_of_a_session_show_their_pictures(dynamodb: DynamoDBClient, s3: S3Client) -> None:
    chat = deploy([text_completion("Red.")], configuration(), dynamodb=dynamodb, s3=s3)
    chat.post({**WITH_PICTURE, "session_id": "s1"})

    messages = chat.get("/api/sessions/s1/messages").body["messages"]

    assert messages[0]["content"] == "What is it?"
    file = stored_keys(s3)[0].rpartition("/")[2]
    assert messages[0]["attachments"] == [
        {"id": file, "type": "image", "media_type": "image/png", "name": "red.png", "size": 70}
    ]
    assert "attachments" not in messages[1]


def test_deleting_a_session_deletes_its_pictures_alone(dynamodb: DynamoDBClient, s3: S3Client) -> None:
    chat = deploy([text_completion("Red.")] * 3, configuration(), dynamodb=dynamodb, s3=s3)
    for session, principal in (("s1", "ann"), ("s10", "ann"), ("s1", "bob")):
        chat.post({**WITH_PICTURE, "session_id": session}, principal=principal)

    chat.request("DELETE", "/api/sessions/s1", principal="ann")

    assert sorted(key.split("/sessions/")[1].split("/")[0] for key in stored_keys(s3)) == ["s1", "s10"]


def test_a_picture_that_is_no_longer_stored_becomes_its_label(dynamodb: DynamoDBClient, s3: S3Client) -> None:
    chat = deploy([text_completion("Red."), text_completion("Yes.")], configuration(), dynamodb=dynamodb, s3=s3)
    chat.post({**WITH_PICTURE, "session_id": "s1"})
    s3.delete_object(Bucket=FILES_BUCKET, Key=stored_keys(s3)[0])

    chat.post({"message": "Sure?", "session_id": "s1"})

    assert seen(chat)[0].parts == (Text("[red.png, image/png, 70 bytes]\n"), Text("What is it?"))


def test_a_session_without_a_bucket_goes_on_with_labels(dynamodb: DynamoDBClient) -> None:
    chat = deploy([text_completion("Red."), text_completion("Yes.")], configuration(), dynamodb=dynamodb)

    first = chat.post({**WITH_PICTURE, "session_id": "s1"})
    chat.post({"message": "Sure?", "session_id": "s1"})

    assert first.status == 200
    assert seen(chat, 0)[-1].images == (SENT,)
    assert seen(chat)[0].parts[0] == Text("[red.png, image/png, 70 bytes]\n")


def test_a_model_without_vision_continues_a_session_with_labels(dynamodb: DynamoDBClient, s3: S3Client) -> None:
    chat = deploy([text_completion("Red.")], configuration(), dynamodb=dynamodb, s3=s3)
    chat.post({**WITH_PICTURE, "session_id": "s1"})
    blind = deploy([text_completion("It was red.")], BLIND, dynamodb=dynamodb, s3=s3)
    blind.requests = 1

    answer = blind.post({"message": "What was it?", "session_id": "s1"})

    assert answer.status == 200
    assert seen(blind)[0].parts[0] == Text("[red.png, image/png, 70 bytes]\n")


def test_a_partial_answer_keeps_its_picture_by_reference(dynamodb: DynamoDBClient, s3: S3Client) -> None:
    secretsmanager = aws_client("secretsmanager")
    secretsmanager.create_secret(Name=SIGNING_SECRET, SecretBinary=b"k" * 32)
    failed = ModelError("gone", type="overloaded", provider="openai", status=529)
    script = [call_completion(("get_weather", {"location": "Rome"})), failed, text_completion("Sunny.")]
    config = configuration(tools=[mock_tool()])
    chat = deploy(script, config, dynamodb=dynamodb, s3=s3, secretsmanager=secretsmanager)
    first = chat.post(WITH_PICTURE)

    second = chat.post({"resume_token": first.body["resume_token"]})

    assert second.body["content"] == "Sunny."
    assert [part.data for part in seen(chat)[0].images] == [base64(png())]
    assert all(key.startswith("files/short/") for key in stored_keys(s3))


def upload(chat: Chat, s3: S3Client, content: bytes, name: str = "red.png", **caller: Any) -> str:
    """Upload a file as the form of the route does, and return its id."""
    form = chat.post({"name": name, "size": len(content)}, path="/api/files", **caller).body
    metadata = {field.removeprefix("x-amz-meta-"): value for field, value in form["fields"].items() if "meta" in field}
    s3.put_object(Bucket=FILES_BUCKET, Key=form["fields"]["key"], Body=content, Metadata=metadata)
    return form["id"]


def test_an_upload_is_a_form_for_one_file_of_its_size(dynamodb: DynamoDBClient, s3: S3Client) -> None:
    chat = deploy([], configuration(), dynamodb=dynamodb, s3=s3, now=lambda: 1_700_000_000.0)

    answer = chat.post({"name": "Bericht März.pdf", "size": 12_000_000}, path="/api/files")

    assert answer.status == 201
    assert answer.body["url"].startswith("https://")
    fields = answer.body["fields"]
    policy = json.loads(b64decode(fields["policy"]))["conditions"]
    assert ["content-length-range", 1, 12_000_000] in policy
    assert fields["key"].endswith(f"/uploads/{answer.body['id']}")
    assert parse_qs(f"name={fields['x-amz-meta-name']}") == {"name": ["Bericht März.pdf"]}
    assert answer.body["expires_at"] == "2023-11-14T22:28:20.000000+00:00"


@pytest.mark.parametrize("body", [{"name": "a.png", "size": 20_000_001}, {"name": "", "size": 1}, {"name": "a.png"}])
def test_an_upload_that_is_too_large_or_has_no_name_is_refused(body: Any, s3: S3Client) -> None:
    assert deploy([], configuration(), s3=s3).post(body, path="/api/files").status == 400


def test_an_uploaded_file_is_named_by_its_id(dynamodb: DynamoDBClient, s3: S3Client) -> None:
    chat = deploy([text_completion("Red.")], configuration(), dynamodb=dynamodb, s3=s3)
    file_id = upload(chat, s3, png())

    chat.post({"message": "What is it?", "attachments": [{"file_id": file_id, "detail": "high"}], "session_id": "s1"})

    (sent, _) = seen(chat)[-1].parts
    assert isinstance(sent, Image)
    assert (sent.data, sent.detail, sent.name) == (base64(png()), "high", "red.png")
    assert len([key for key in stored_keys(s3) if "/sessions/s1/" in key]) == 1


def test_only_the_owner_may_use_an_upload(dynamodb: DynamoDBClient, s3: S3Client) -> None:
    chat = deploy([], configuration(), dynamodb=dynamodb, s3=s3)
    file_id = upload(chat, s3, png(), principal="ann")

    answer = chat.post({"message": "Hi", "attachments": [{"file_id": file_id}]}, principal="bob")

    assert (answer.status, answer.body["error"]) == (400, "image_file_not_found")
    assert f"{file_id} is not uploaded, has expired, or belongs to another token" in answer.body["message"]


def reader(text: str, **reply: Any) -> Any:
    """Retrieval function whose readers return `text`."""

    def handle(event: Any, _context: Any) -> Any:
        assert event["operation"] == "read"
        return {"version": 1, "text": text[: event["max_characters"]], "characters": len(text), **reply}

    return handle


def pdf_chat(handler: Any, *script: Any, model: str = "gpt-4-turbo", rule: Any = None, **deployment: Any) -> Chat:
    config = configuration(rule={"model": model, **(rule or {})})
    return deploy(list(script), config, handlers={"internal": handler}, **deployment)


REPORT: Final = {
    "message": "Sum it up",
    "attachments": [{"url": data_url(PDF, "application/pdf"), "name": "report.pdf"}],
}


def test_a_pdf_is_text_for_a_model_that_reads_no_files() -> None:
    chat = pdf_chat(reader("Profits rose."), text_completion("Up."))

    answer = chat.post(REPORT)

    assert seen(chat)[-1].parts[0] == Text("--- report.pdf ---\nProfits rose.\n--- end of report.pdf ---\n")
    assert "warnings" not in answer.body
    (event,) = [event for event in chat.lambdas.executed if event.get("operation") == "read"]
    assert (event["name"], event["content"]) == ("report.pdf", base64(PDF))


def test_a_long_text_is_cut_with_a_warning() -> None:
    chat = pdf_chat(reader("x" * 300_000), text_completion("Long."))

    answer = chat.post(REPORT)

    assert answer.body["warnings"] == [
        "the text of the file 'report.pdf' was cut: the model got 128000 of its 300000 characters"
    ]


def test_a_file_that_cannot_be_read_is_named_in_a_warning() -> None:
    chat = pdf_chat(reader("", error="it contains no text"), text_completion("What?"))

    answer = chat.post(REPORT)

    assert answer.body["warnings"] == ["the file 'report.pdf' could not be read: it contains no text"]
    assert seen(chat)[-1].parts[0] == Text(f"[report.pdf, application/pdf, {len(PDF)} bytes]\n")


def test_a_pdf_has_its_text_for_a_fallback_that_reads_no_files() -> None:
    overloaded = ModelError("busy", type="overloaded", provider="openai", status=529)
    rule = {"fallbacks": ["openai:gpt-4-turbo"]}
    chat = pdf_chat(reader("Profits rose."), overloaded, text_completion("Up."), model="gpt-4o", rule=rule)

    chat.post(REPORT)

    first, second = (seen(chat, request)[-1].parts[0] for request in (0, 1))
    assert isinstance(first, Document)
    assert second == Text("--- report.pdf ---\nProfits rose.\n--- end of report.pdf ---\n")


def test_a_large_file_is_read_from_the_bucket(dynamodb: DynamoDBClient, s3: S3Client) -> None:
    chat = pdf_chat(reader("Profits rose."), text_completion("Up."), dynamodb=dynamodb, s3=s3)
    content = PDF + b" " * 4_000_001
    file_id = upload(chat, s3, content, "report.pdf")

    chat.post({"message": "Sum it up", "attachments": [{"file_id": file_id}]})

    (event,) = [event for event in chat.lambdas.executed if event.get("operation") == "read"]
    assert (event["content"], event["key"] in stored_keys(s3)) == ("", True)


def test_a_background_run_has_the_pictures_of_its_request(dynamodb: DynamoDBClient) -> None:
    chat = deploy_with_background([text_completion("Red.")], configuration(), dynamodb)

    run = chat.post(WITH_PICTURE, headers={"Prefer": "respond-async"})
    chat.deliver()

    assert (run.status, base64(png()) in str(chat.background.queued)) == (202, False)
    assert seen(chat)[-1].images == (SENT,)


def test_no_line_of_the_log_has_bytes_or_addresses(
    dynamodb: DynamoDBClient, s3: S3Client, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    from flexchat.observability import logger

    def fetch(_url: str, _deadline: Deadline) -> bytes:
        return png(3, 3)

    logger.setLevel("DEBUG")
    try:
        chat = deploy([text_completion("Red.")] * 2, configuration(), dynamodb=dynamodb, s3=s3, fetch=fetch)
        file_id = upload(chat, s3, png(4, 4))
        address = {"url": "https://pictures.example/red.png?signature=canary"}
        chat.post({"message": "?", "attachments": [PICTURE, address, {"file_id": file_id}], "session_id": "s1"})
        chat.post({"message": "?", "session_id": "s1", "attachments": [{"url": "data:image/png;base64,canary!"}]})
    finally:
        logger.setLevel("INFO")

    output = capsys.readouterr()
    lines = output.out + output.err + caplog.text
    assert "chat answered" in lines
    for secret in (base64(png())[10:50], base64(png(3, 3))[10:50], base64(png(4, 4))[10:50], "canary", "signature"):
        assert secret not in lines


def drawing(event: Any, _context: Any) -> Any:
    """Tool function that returns a picture."""
    assert event["tool"] == "get_weather"
    return {
        "version": 1,
        "ok": True,
        "result": "a map [image/png, 70 bytes]",
        "error": None,
        "images": [{"media_type": "image/png", "data": base64(png())}],
    }


DRAWS: Final = configuration(tools=[mock_tool()])
MAP: Final = call_completion(("get_weather", {"location": "Rome"}))


def test_a_picture_of_a_tool_reaches_a_model_that_sees() -> None:
    chat = deploy([MAP, text_completion("Sunny.")], DRAWS, handlers={"mock": drawing})

    answer = chat.post({"message": "Map?"})

    (output,) = seen(chat)[-1].parts
    assert isinstance(output, ToolOutput)
    assert (output.images, "a map [image/png, 70 bytes]" in output.content) == ((image(),), True)
    assert base64(png()) not in str(answer.body)
    assert answer.body["tool_calls"][0]["result"]["result"] == "a map [image/png, 70 bytes]"


def test_a_model_without_vision_gets_the_label_of_a_tools_picture() -> None:
    chat = deploy(
        [MAP, text_completion("Sunny.")], DRAWS | {"responses": BLIND["responses"]}, handlers={"mock": drawing}
    )

    answer = chat.post({"message": "Map?"})

    (output,) = seen(chat)[-1].parts
    assert isinstance(output, ToolOutput)
    assert (answer.status, output.images, "[image/png, 70 bytes]" in output.content) == (200, (), True)


def test_a_session_has_the_pictures_of_its_tools(dynamodb: DynamoDBClient, s3: S3Client) -> None:
    script = [MAP, text_completion("Sunny."), text_completion("Rome.")]
    chat = deploy(script, DRAWS, handlers={"mock": drawing}, dynamodb=dynamodb, s3=s3)
    chat.post({"message": "Map?", "session_id": "s1"})

    chat.post({"message": "Of what?", "session_id": "s1"})

    (output,) = seen(chat)[2].parts
    assert isinstance(output, ToolOutput)
    assert [picture.data for picture in output.images] == [base64(png())]
    assert base64(png())[:40] not in str(dynamodb.scan(TableName=CHATS_TABLE)["Items"])


def linked(chat: Chat, session: str, **caller: Any) -> tuple[int, dict[str, Any]]:
    """Return the response to the request for the file of a session's first message."""
    attachment = chat.get(f"/api/sessions/{session}/messages").body["messages"][0]["attachments"][0]
    answer = chat.get(f"/api/sessions/{session}/files/{attachment['id']}", **caller)
    return answer.status, answer.body


def test_a_stored_picture_has_a_link_for_its_owner(dynamodb: DynamoDBClient, s3: S3Client) -> None:
    chat = deploy([text_completion("Red.")], configuration(), dynamodb=dynamodb, s3=s3, now=lambda: 1_700_000_000.0)
    chat.post({**WITH_PICTURE, "session_id": "s1"})

    status, link = linked(chat, "s1")

    assert status == 200
    assert {**link, "url": ""} == {
        "url": "",
        "media_type": "image/png",
        "size": 70,
        "expires_at": "2023-11-14T22:18:20.000000+00:00",
    }
    address = urlsplit(str(link["url"]))
    query = parse_qs(address.query)
    assert address.path.endswith(stored_keys(s3)[0])
    assert query["response-content-type"] == ["image/png"]
    assert query["response-content-disposition"] == ["attachment"]


def test_a_stored_text_is_linked_as_bytes(dynamodb: DynamoDBClient, s3: S3Client) -> None:
    chat = deploy([text_completion("A page.")], configuration(), dynamodb=dynamodb, s3=s3)
    page = {"url": "data:text/html,<script>ran()</script>", "name": "page.html"}
    chat.post({"message": "What is it?", "attachments": [page], "session_id": "s1"})

    status, link = linked(chat, "s1")

    assert (status, link["media_type"]) == (200, "application/octet-stream")
    assert parse_qs(urlsplit(str(link["url"])).query)["response-content-type"] == ["application/octet-stream"]


def test_a_file_of_another_caller_or_session_is_not_found(dynamodb: DynamoDBClient, s3: S3Client) -> None:
    chat = deploy([text_completion("Red.")], configuration(), dynamodb=dynamodb, s3=s3)
    chat.post({**WITH_PICTURE, "session_id": "s1"})
    file = chat.get("/api/sessions/s1/messages").body["messages"][0]["attachments"][0]["id"]

    for path, principal in (
        (f"/api/sessions/s1/files/{file}", "someone-else"),
        (f"/api/sessions/s2/files/{file}", None),
        (f"/api/sessions/s1/files/{'0' * 32}", None),
    ):
        answer = chat.get(path, principal=principal)
        assert (answer.status, answer.body["error"]) == (404, "file_not_found")
    assert chat.get("/api/sessions/s1/files/..%2F..").status in (400, 404)


def test_a_file_that_expired_or_was_never_stored_has_no_link(dynamodb: DynamoDBClient, s3: S3Client) -> None:
    chat = deploy([text_completion("Red.")], configuration(), dynamodb=dynamodb, s3=s3)
    chat.post({**WITH_PICTURE, "session_id": "s1"})
    s3.delete_object(Bucket=FILES_BUCKET, Key=stored_keys(s3)[0])

    assert linked(chat, "s1")[0] == 404

    without = deploy([text_completion("Red.")], configuration(), dynamodb=dynamodb)
    without.requests = 1
    without.post({**WITH_PICTURE, "session_id": "s2"})
    message = without.get("/api/sessions/s2/messages").body["messages"][0]
    assert message["attachments"] == [{"type": "image", "media_type": "image/png", "name": "red.png", "size": 70}]
