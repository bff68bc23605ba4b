"""Chat: large files are uploaded, and those of earlier visits are loaded."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, Page, expect

from flexchat.messages import Json
from tests.browser.chat_page import AT, answer, field, turns
from tests.browser.screen import Screen
from tests.browser.trace_pages import FILES_ORIGIN as STORAGE
from tests.browser.trace_pages import ID, StubApi, not_found
from tests.pictures import png

LARGE: FilePayload = {"name": "large.png", "mimeType": "image/png", "buffer": png(padding=3_100_000)}
WIDTHS = pytest.mark.parametrize("width", [1280, 390])
FILE = "a" * 32


def stub(screen: Screen, api: StubApi, **changes: Json) -> None:
    """Stub a session whose only message has a picture and a text."""
    session: dict[str, Json] = {"id": "s1", "title": "Red", "turns": 1, "created_at": AT, "updated_at": AT}
    session["expires_at"] = "2036-02-15T12:00:00+00:00"
    common: dict[str, Json] = {"turn": 1, "at": AT, "tool_calls": []}
    picture: Json = {"id": FILE, "type": "image", "media_type": "image/png", "name": "red.png", "size": 70}
    text: Json = {"id": "b" * 32, "type": "file", "media_type": "text/html", "name": "page.html", "size": 9}
    given: dict[str, Json] = {"service": "openai", "model": "gpt-4o", "status": "complete", "outcome": "answered"}
    messages: list[Json] = [
        {"role": "user", "content": "What?", "attachments": [picture, text], **common},
        {"role": "assistant", "content": "Red.", "request_id": ID, **given, **common, **changes},
    ]
    api.set("GET /api/collections", {"collections": []})
    api.set("GET /api/sessions", {"sessions": [session]})
    api.set("GET /api/sessions/s1", session)
    api.set("GET /api/sessions/s1/messages", {"messages": messages})
    form: dict[str, Json] = {"id": "file-1", "url": f"{STORAGE}/bucket", "fields": {"key": "k"}, "expires_at": AT}
    api.set("POST /api/files", (201, form))
    screen.watch.allow(STORAGE)


def attach(page: Page, *files: FilePayload) -> None:
    page.get_by_label("Pictures and files").set_input_files(list(files))


@WIDTHS
def test_large_file_is_uploaded_and_sent_by_its_id(stubbed: Screen, api: StubApi, width: int) -> None:
    stub(stubbed, api)
    page = stubbed.open("chat", width=width)
    upload = stubbed.hold(f"{STORAGE}/**")
    attach(page, LARGE)

    expect(page.get_by_role("progressbar", name="Upload of large.png")).to_be_visible()
    field(page).fill("What is it?")
    expect(page.get_by_text("Files are being uploaded.")).to_be_visible()
    expect(page.get_by_role("button", name="Send")).to_be_disabled()
    stubbed.shoot("uploading")
    stubbed.axe()
    upload.held.pop().fulfill(status=204, headers={"Access-Control-Allow-Origin": "*"})
    expect(page.get_by_role("progressbar")).to_have_count(0)
    api.set("POST /api/chat", answer("Red."))
    stubbed.watch.tolerate("the server responded with a status of 404")  # the session is not stored
    page.get_by_role("button", name="Send").click()

    expect(turns(page).first).to_contain_text("Red.")
    assert api.bodies("POST /api/files") == [{"name": "large.png", "size": len(LARGE["buffer"])}]
    sent = json.loads(api.sent("POST /api/chat")[0].post_data or "{}")
    assert sent["attachments"] == [{"name": "large.png", "file_id": "file-1", "detail": "auto"}]


def test_failed_upload_is_repeated_or_removed_by_keyboard(stubbed: Screen, api: StubApi) -> None:
    stub(stubbed, api)
    stubbed.watch.tolerate("the server responded with a status of 403")
    statuses = [403, 204]
    page = stubbed.open("chat")
    page.route(
        f"{STORAGE}/**",
        lambda route: route.fulfill(status=statuses.pop(0), headers={"Access-Control-Allow-Origin": "*"}),
    )
    attach(page, LARGE)

    expect(page.get_by_role("alert")).to_have_text("✕ The time for the upload is over. Try again.")
    retry = page.get_by_role("button", name="Upload large.png again")
    retry.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_count(0)
    field(page).fill("What?")
    expect(page.get_by_role("button", name="Send")).to_be_enabled()

    page.get_by_role("button", name="Remove large.png").press("Enter")
    expect(page.locator(".chat-attachments")).to_have_count(0)


def test_upload_is_cancelled(stubbed: Screen, api: StubApi) -> None:
    stub(stubbed, api)
    page = stubbed.open("chat")
    stubbed.hold(f"{STORAGE}/**")
    attach(page, LARGE)

    page.get_by_role("button", name="Cancel the upload of large.png").click()

    expect(page.locator(".chat-attachments")).to_have_count(0)
    expect(page.get_by_role("alert")).to_have_count(0)


@WIDTHS
def test_picture_of_an_earlier_visit_is_shown_and_a_file_is_downloaded(
    stubbed: Screen, api: StubApi, width: int
) -> None:
    stub(stubbed, api)
    link: dict[str, Json] = {"url": f"{STORAGE}/red", "media_type": "image/png", "size": 70, "expires_at": AT}
    api.set(f"GET /api/sessions/s1/files/{FILE}", link)
    api.set(
        f"GET /api/sessions/s1/files/{'b' * 32}",
        {**link, "url": f"{STORAGE}/page", "media_type": "application/octet-stream"},
    )
    bodies = {"/red": png(20, 20), "/page": b"<script>"}
    page = stubbed.page
    page.route(
        f"{STORAGE}/**",
        lambda route: route.fulfill(
            body=bodies[route.request.url.removeprefix(STORAGE)],
            content_type="text/html",
            headers={"Access-Control-Allow-Origin": "*"},
        ),
    )
    stubbed.open("chat?session=s1", width=width)

    expect(turns(page).get_by_role("img", name="red.png")).to_be_visible()
    assert turns(page).get_by_role("img", name="red.png").evaluate("(image) => image.naturalWidth") == 20
    with page.expect_download() as downloaded:
        page.get_by_role("button", name="Download page.html").click()
    assert downloaded.value.suggested_filename == "page.html"
    assert Path(downloaded.value.path()).read_bytes() == b"<script>"
    stubbed.shoot("stored-picture")
    stubbed.axe()


def test_file_that_is_no_longer_stored_says_so(stubbed: Screen, api: StubApi) -> None:
    stub(stubbed, api)
    stubbed.watch.tolerate("the server responded with a status of 404")
    for file in (FILE, "b" * 32):
        api.set(f"GET /api/sessions/s1/files/{file}", (404, {"error": "file_not_found", "message": "gone"}))
    page = stubbed.open("chat?session=s1")

    expect(turns(page)).to_contain_text("no longer stored")
    page.get_by_role("button", name="Download page.html").click()
    expect(turns(page).get_by_text("no longer stored")).to_have_count(2)


USAGE: Json = {
    "input_tokens": 1_200,
    "output_tokens": 34,
    "total_tokens": 1_234,
    "cached_tokens": 7,
    "cost_usd": 0.0031,
}


@WIDTHS
def test_earlier_answer_has_its_totals_and_its_timeline(stubbed: Screen, api: StubApi, width: int) -> None:
    stub(stubbed, api, usage=USAGE, duration_ms=2_410, model_calls=2)
    stubbed.watch.tolerate("the server responded with a status of 404")  # the files are not stubbed
    page = stubbed.open("chat?session=s1", width=width)

    expect(turns(page)).to_contain_text("2.41 s · 1,234 tokens · $0.0031")
    page.get_by_text("Tokens and cost").click()
    expect(turns(page).get_by_text("1,200 tokens")).to_be_visible()
    assert api.sent(f"GET /api/traces/{ID}") == []
    page.get_by_text("Timeline").click()
    expect(turns(page).get_by_role("listbox", name="Steps in order of their start")).to_be_visible()
    stubbed.shoot("earlier-answer")
    stubbed.axe()


def test_earlier_answer_without_a_trace_says_so(stubbed: Screen, api: StubApi) -> None:
    stub(stubbed, api)
    stubbed.watch.tolerate("the server responded with a status of 404")
    api.set(f"GET /api/traces/{ID}", not_found())
    page = stubbed.open("chat?session=s1")

    page.get_by_text("Timeline").click()

    expect(turns(page)).to_contain_text("The trace of this answer is not stored")
    expect(page.get_by_text("Tokens and cost")).to_have_count(0)
