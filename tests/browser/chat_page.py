"""Helpers of the chat tests: locators, responses and a session with a fixed history."""

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import httpx2
import pytest
from playwright.sync_api import Locator, Page, expect

from flexchat.messages import Json
from tests.browser.screen import Screen

SUM = "What is 15% of 45?"


SUM_TITLE = re.compile(r"What is 15% of 45\?|15 45")
"""Title of a session with it: the message, and then what the demo model makes of it."""


SUM_ANSWER = "(demo model) 15% of 45 is 6.75."


TURNS = 12


AT = "2026-01-15T12:00:00+00:00"


AT_END = "() => document.documentElement.scrollHeight - scrollY - innerHeight < 8"


WIDTHS = pytest.mark.parametrize("width", [1280, 360])


def new_id() -> str:
    return uuid4().hex[:24]


def chat(service: httpx2.Client, request: dict[str, Json], *, prefer: str = "") -> None:
    service.post("/api/chat", json=request, headers={"Prefer": prefer}).raise_for_status()


def field(page: Page) -> Locator:
    return page.get_by_label("Message", exact=True)


def send_message(page: Page, message: str) -> None:
    field(page).fill(message)
    field(page).press("Enter")


def turns(page: Page) -> Locator:
    return page.get_by_role("article")


def jump(page: Page) -> Locator:
    return page.get_by_role("button", name="Jump to latest")


def session_row(page: Page, title: str | re.Pattern[str]) -> Locator:
    return page.get_by_role("region", name="Sessions").get_by_role("listitem").filter(has_text=title)


def parameter(page: Page, name: str) -> str:
    return parse_qs(urlsplit(page.url).query).get(name, [""])[0]


def at_end(page: Page) -> None:
    page.wait_for_function(AT_END)


def answer(content: str, **changes: Any) -> dict[str, Json]:
    """A chat response."""
    return {
        "content": content,
        "service": "openai",
        "model": "gpt-4o",
        "tool_calls": [],
        "status": "complete",
        "outcome": "answered",
        "finish_reason": "stop",
        "request_id": uuid4().hex,
        "usage": {"input_tokens": 20, "output_tokens": 9, "total_tokens": 29},
        "timings": {
            "total_ms": 140,
            "steps": [
                {"step": "model", "name": "openai:gpt-4o", "iteration": 1, "start_ms": 0, "duration_ms": 50, "ok": True}
            ],
        },
        **changes,
    }


class History:
    """A fake session whose history a test can extend."""

    def __init__(self, screen: Screen, *, paragraphs: int = 6) -> None:
        self.messages: list[Json] = []
        for turn in range(1, TURNS + 1):
            self.add(f"Question {turn}", "\n\n".join([f"Answer {turn}. " * 20] * paragraphs))
        screen.answer("**/api/sessions?**", {"sessions": []})
        screen.answer("**/api/collections", {"collections": []})
        screen.page.route("**/api/sessions/long", lambda route: route.fulfill(json=self.session()))
        screen.page.route("**/api/sessions/long/messages?**", lambda route: route.fulfill(json=self.page()))

    def add(self, question: str, content: str, **changes: Json) -> None:
        common: dict[str, Json] = {"turn": len(self.messages) // 2 + 1, "at": AT, "tool_calls": []}
        given: dict[str, Json] = {"service": "openai", "model": "gpt-4o", "status": "complete"}
        self.messages.append({"role": "user", "content": question, **common})
        self.messages.append(
            {"role": "assistant", "content": content, **given, "request_id": uuid4().hex, **common, **changes}
        )

    def session(self) -> dict[str, Json]:
        return {
            "id": "long",
            "title": "A long one",
            "turns": len(self.messages) // 2,
            "created_at": AT,
            "updated_at": AT,
            "expires_at": "2026-02-15T12:00:00+00:00",
        }

    def page(self) -> dict[str, Json]:
        return {"messages": self.messages}


def reopened(screen: Screen, width: int = 1280) -> Page:
    page = screen.open("chat?session=long", width=width)
    expect(turns(page)).to_have_count(TURNS)
    return page
