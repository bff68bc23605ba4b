"""Event streams of chats in the page, whose pieces a test sends one by one."""

import json
from collections.abc import Sequence

from playwright.sync_api import Page

from flexchat.messages import Json

type Event = tuple[str, Json]

FAKE = """() => {
  const real = globalThis.fetch;
  globalThis.streams = [];
  globalThis.fetch = (url, init = {}) => {
    const { pathname } = new URL(url);
    if (!/\\/api\\/(chat|runs\\/[^/]+\\/events)$/.test(pathname)) return real(url, init);
    const stream = { path: pathname.replace(/^.*\\/api\\//, ""), lastId: init.headers["Last-Event-ID"] ?? "" };
    const body = new ReadableStream({ start: (controller) => void (stream.controller = controller) });
    init.signal?.addEventListener("abort", () => {
      stream.aborted = true;
      stream.controller.error(new DOMException("Aborted", "AbortError"));
    });
    globalThis.streams.push(stream);
    return Promise.resolve(new Response(body, { headers: { "Content-Type": "text/event-stream" } }));
  };
}"""


class FakeStream:
    """Replaces the chat requests of a page; each request is a stream of its own, and calls are about the last one."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._sent = 0
        page.add_init_script(f"({FAKE})()")

    def wait_for_requests(self, count: int) -> None:
        self._page.wait_for_function("(count) => streams.length === count", arg=count)

    def send(self, *events: Event) -> None:
        """Send events as one piece; their ids are `1.1`, `1.2` and so on."""
        text = ": heartbeat\n\n"
        for name, data in events:
            self._sent += 1
            text += f"id: 1.{self._sent}\nevent: {name}\ndata: {json.dumps(data)}\n\n"
        self._page.evaluate("(text) => streams.at(-1).controller.enqueue(new TextEncoder().encode(text))", text)

    def lose(self) -> None:
        """Break the connection."""
        self._page.evaluate("() => streams.at(-1).controller.error(new TypeError('network error'))")

    def requests(self) -> Sequence[tuple[str, str]]:
        """Return the path and the Last-Event-ID of each request."""
        return [tuple(each) for each in self._page.evaluate("() => streams.map(({ path, lastId }) => [path, lastId])")]

    def is_aborted(self) -> bool:
        return bool(self._page.evaluate("() => streams.at(-1).aborted === true"))


ACCEPTED: Event = ("accepted", {"request_id": "r1", "run_id": "run1"})


def turn(iteration: int) -> Event:
    return "model_started", {"iteration": iteration, "model": "gpt-4o"}


def delta(text: str, iteration: int = 1) -> Event:
    return "delta", {"iteration": iteration, "text": text}
