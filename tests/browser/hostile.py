"""Hostile texts for every field of API responses, and the check that the page shows them as text only."""

import json
import re
from collections.abc import Set
from typing import cast

from playwright.sync_api import Error, Page, Route, expect

from flexchat.messages import Json

ELSEWHERE = "http://127.0.0.1:9"
"""Foreign origin; nothing listens there."""

CANARY = (
    f'"><img src="{ELSEWHERE}/image" onerror="ran=1">'
    "<svg/onload=ran=2><script>ran=3</script><iframe srcdoc='<script>parent.ran=4</script>'></iframe>"
    f"<a href='javascript:ran=5'>a</a>![beacon]({ELSEWHERE}/beacon.png)[b](javascript:ran=6)"
    f"<style>@import '{ELSEWHERE}/style.css';</style>${{ran=7}}{{{{ran=8}}}}"
)

API = re.compile(r"^(?!.*/assets/).*/api/")
"""API requests, without asset folders of the same name."""

SPOKEN = frozenset(
    {
        "answer",
        "argument",
        "badge",
        "case",
        "content",
        "description",
        "display_name",
        "error",
        "expression",
        "handler",
        "intent",
        "location",
        "message",
        "problem",
        "problems",
        "prompt",
        "query",
        "reason",
        "reasons",
        "result",
        "rule",
        "source",
        "system_prompt",
        "text",
        "title",
        "tool_name",
        "tooltip",
        "topic",
        "topic_summary",
    }
)
"""Keys of user-written values: from users, models, tools, documents and operators."""


def spoiled(value: Json, keys: Set[str], *, spoken: bool = False) -> Json:
    """Append the canary to every text under one of `keys`, at any depth."""
    match value:
        case str():
            return value + CANARY if spoken else value
        case list():
            return [spoiled(each, keys, spoken=spoken) for each in value]
        case dict():
            return {name: spoiled(each, keys, spoken=spoken or name in keys) for name, each in value.items()}
        case _:
            return value


def _spoiled_events(text: str, keys: Set[str]) -> str:
    """Make the data of each event of a stream hostile."""
    lines = text.split("\n")
    for at, line in enumerate(lines):
        if line.startswith("data: "):
            lines[at] = "data: " + json.dumps(spoiled(cast("Json", json.loads(line[6:])), keys))
    return "\n".join(lines)


def spoil(page: Page, *, also: Set[str] = frozenset()) -> None:
    """Make all API responses hostile; requests are unchanged. `also` are additional keys, never sent by the page."""

    def between(route: Route) -> None:
        try:
            answered = route.fetch()
        except Error:
            return  # the page was closed
        text = answered.text()
        if answered.headers.get("content-type", "").startswith("text/event-stream"):
            route.fulfill(response=answered, body=_spoiled_events(text, SPOKEN | also))
            return
        body = cast("Json", json.loads(text)) if text else None
        route.fulfill(response=answered, json=spoiled(body, SPOKEN | also))

    page.route(API, between)


def verify_only_text(page: Page) -> None:
    """Verify that the canary is visible, and created no element, script, link or style."""
    expect(page.locator("main")).to_contain_text(CANARY)
    assert page.evaluate("() => globalThis.ran") is None
    made = page.evaluate(
        """() => [...document.querySelectorAll("#app :is(img, script, iframe, style, object, embed, form[action])")]
            .map((element) => element.outerHTML)"""
    )
    links = page.evaluate("() => [...document.querySelectorAll('#app a')].map((link) => new URL(link.href).protocol)")
    styled = page.evaluate("() => [...document.querySelectorAll('#app [style]')].map((e) => e.getAttribute('style'))")
    assert made == []
    assert set(links) <= {"http:", "https:"}
    assert [style for style in styled if "ran" in style or "url(" in style] == []
