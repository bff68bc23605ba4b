"""Chat: pictures and files of a message."""

import json
from typing import Any

from playwright.sync_api import FilePayload, Page, Route, expect

from cli.local_stack import StackState
from tests.browser.chat_page import answer, field, turns
from tests.browser.screen import Screen
from tests.pictures import base64, data_url, png

RED: FilePayload = {"name": "red.png", "mimeType": "image/png", "buffer": png(20, 20)}

PASTE = """(target, [type, name, content]) => {
  const transfer = new DataTransfer();
  const bytes = Uint8Array.from(atob(content), (each) => each.charCodeAt(0));
  transfer.items.add(new File([bytes], name, { type: "image/png" }));
  const fields = { bubbles: true, cancelable: true };
  target.dispatchEvent(
    type === "paste"
      ? new ClipboardEvent(type, { ...fields, clipboardData: transfer })
      : new DragEvent(type, { ...fields, dataTransfer: transfer }),
  );
}"""
"""Dispatches a paste or a drop of a picture."""


def give(page: Page, kind: str, name: str) -> None:
    field(page).evaluate(PASTE, [kind, name, base64(png(20, 20))])


def test_pictures_are_attached_removed_sent_and_shown(screen: Screen) -> None:
    sent: list[dict[str, Any]] = []

    def fulfil(route: Route) -> None:
        sent.append(json.loads(route.request.post_data or "{}"))
        route.fulfill(json=answer("Red."))

    screen.page.route("**/api/chat", fulfil)
    screen.watch.tolerate("the server responded with a status of 404")  # the session is not stored
    page = screen.open("chat")
    page.get_by_label("Pictures and files").set_input_files([RED])
    give(page, "paste", "pasted.png")
    give(page, "drop", "dropped.png")
    attached = page.locator(".chat-composer .chat-attachments li")
    expect(attached).to_have_count(3)
    expect(page.locator(".chat-composer img").first).to_be_visible()
    page.get_by_role("button", name="Remove pasted.png").click()
    field(page).fill("What is it?")
    page.get_by_role("button", name="Send").click()

    expect(turns(page)).to_contain_text("Red.")
    expect(turns(page).get_by_role("img", name="red.png")).to_be_visible()
    expect(attached).to_have_count(0)
    url = data_url(png(20, 20))
    assert sent[0]["attachments"] == [
        {"name": "red.png", "url": url, "detail": "auto"},
        {"name": "dropped.png", "url": url, "detail": "auto"},
    ]


def test_a_file_that_is_too_large_is_refused_with_the_limit(screen: Screen) -> None:
    page = screen.open("chat")

    page.get_by_label("Pictures and files").set_input_files([{**RED, "buffer": png(padding=20_500_000)}])

    expect(page.get_by_role("alert")).to_contain_text("red.png has 20.5 MB, and a file may have 20.0 MB.")
    expect(page.locator(".chat-attachments")).to_have_count(0)


def test_a_large_picture_is_uploaded_and_still_shown_after_a_reload(screen: Screen, stack: StackState) -> None:
    screen.watch.allow(stack.endpoint)
    screen.watch.tolerate("the server responded with a status of 404")  # the session has no message yet
    page = screen.open("chat")
    page.get_by_label("Pictures and files").set_input_files([{**RED, "buffer": png(20, 20, padding=3_100_000)}])
    field(page).fill("What is it?")
    expect(page.get_by_role("progressbar")).to_have_count(0)
    page.get_by_role("button", name="Send").click()
    expect(turns(page)).to_contain_text("demo model")

    page.reload()

    picture = turns(page).get_by_role("img", name="red.png")
    expect(picture).to_be_visible()
    assert picture.evaluate("(image) => image.naturalWidth") == 20
    with page.expect_download() as downloaded:
        page.get_by_role("button", name="Download red.png").click()
    assert downloaded.value.path().stat().st_size > 3_100_000
    screen.shoot("uploaded-picture")
