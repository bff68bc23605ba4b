"""Texts that would do something if a page took them for more than text, put wherever a service can say something."""

import json
import re
from collections.abc import Set
from typing import cast

from playwright.sync_api import Error, Page, Route, expect

from flexchat.messages import Json

ELSEWHERE = "http://127.0.0.1:9"
"""Where a request that left the page's origin would go; nothing listens there."""

CANARY = (
    f'"><img src="{ELSEWHERE}/image" onerror="ran=1">'
    "<svg/onload=ran=2><script>ran=3</script><iframe srcdoc='<script>parent.ran=4</script>'></iframe>"
    f"<a href='javascript:ran=5'>a</a>![beacon]({ELSEWHERE}/beacon.png)[b](javascript:ran=6)"
    f"<style>@import '{ELSEWHERE}/style.css';</style>${{ran=7}}{{{{ran=8}}}}"
)

API = re.compile(r"^(?!.*/assets/).*/api/")
"""Requests of the service; the page's own files may lie in a folder of that name."""

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
"""Keys whose values somebody wrote: a user, a model, a tool, a document, an operator."""


def spoiled(value: Json, keys: Set[str], *, spoken: bool = False) -> Json:
    """`value` with the canary behind every text under one of `keys`, also in what lies below it."""
    match value:
        case str():
            return value + CANARY if spoken else value
        case list():
            return [spoiled(each, keys, spoken=spoken) for each in value]
        case dict():
            return {name: spoiled(each, keys, spoken=spoken or name in keys) for name, each in value.items()}
        case _:
            return value


def spoil(page: Page, *, also: Set[str] = frozenset()) -> None:
    """From now on every answer of the API is hostile. What the page sends reaches the service as it is. `also` are keys
    that are spoiled besides, where nothing is asked for by what they name."""

    def between(route: Route) -> None:
        try:
            answered = route.fetch()
        except Error:
            return  # the page went away
        text = answered.text()
        body = cast("Json", json.loads(text)) if text else None
        route.fulfill(response=answered, json=spoiled(body, SPOKEN | also))

    page.route(API, between)


def verify_only_text(page: Page) -> None:
    """The canary is there to be read, and none of it became an element, a script that ran or a link."""
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
