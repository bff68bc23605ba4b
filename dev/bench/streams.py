"""CPU time of streamed answers beside buffered ones, and the delay from the model's first text to its first delta.

The model is in process, so the times have no network: the chunks are those of the demo model, made in advance.
"""

import json
import time
from collections.abc import Iterator
from statistics import median
from typing import Any

import httpx2

from dev.bench.tool_loop import cpu_ms, engine, model_response, muted, quiet
from dev.demo_model.conversation import Conversation
from dev.demo_model.protocols.openai_stream import OpenAIStream
from dev.demo_model.streams import DEFAULT_CHARACTERS
from functions.chat.generation.events import Event, ModelDelta

LENGTHS = (200, 2_000, 20_000)
FIRST_DELTAS = 200
ROUNDS = 3


class Model(httpx2.BaseTransport):
    """Transport of a model that answers with a text of so many characters, in one body or in chunks.

    `first_text_at` is the time of the first chunk with a text.
    """

    def __init__(self, length: int) -> None:
        message: dict[str, Any] = {"role": "assistant", "content": ("It is done. " * length)[:length], "refusal": None}
        tokens = length // DEFAULT_CHARACTERS
        answer: dict[str, Any] = {
            "id": "x",
            "object": "chat.completion",
            "created": 0,
            "model": "m",
            "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 100, "completion_tokens": tokens, "total_tokens": 100 + tokens},
        }
        self._whole = json.dumps(answer).encode()
        writer, conversation = OpenAIStream(), Conversation("m", "", stream_usage=True)
        events = writer.events(conversation, answer, DEFAULT_CHARACTERS)
        self._chunks = [*(writer.encode(event) for event in events), writer.end()]
        self.chunks = len(self._chunks)
        self.first_text_at = 0.0

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Return the response to a request for a stream or for the whole answer."""
        if not json.loads(request.read()).get("stream"):
            return model_response((self._whole,))
        return model_response(self._sent(), OpenAIStream.content_type)

    def _sent(self) -> Iterator[bytes]:
        for number, chunk in enumerate(self._chunks):
            if number == 1:
                # The first chunk has the role alone.
                self.first_text_at = time.perf_counter()
            yield chunk


class FirstDelta:
    """Observer that stores the delay of the first delta of each chat."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._waiting = False
        self.delays: list[float] = []

    def begin(self) -> None:
        self._waiting = True

    def __call__(self, event: Event) -> None:
        if self._waiting and isinstance(event, ModelDelta):
            self._waiting = False
            self.delays.append(time.perf_counter() - self._model.first_text_at)


def first_delta_ms() -> list[float]:
    """Return the delays of the first deltas of many chats, in milliseconds, in ascending order."""
    model = Model(LENGTHS[0])
    observer = FirstDelta(model)
    chat = engine(1, model=model, observe=observer, stream=True)
    with muted():
        for _ in range(FIRST_DELTAS):
            observer.begin()
            chat()
    return sorted(delay * 1000 for delay in observer.delays)


def report() -> None:
    """Print CPU per chat, buffered and streamed, for answers of several lengths, and the delay of the first delta."""
    quiet()
    print(f"\nStreamed answers, CPU ms per chat (no network; {DEFAULT_CHARACTERS} characters in each chunk)")
    print(f"{'characters':>10} {'chunks':>7} {'buffered':>9} {'streamed':>9} {'us/chunk':>9}")
    for length in LENGTHS:
        model = Model(length)
        chats = [engine(1, model=model, stream=stream) for stream in (False, True)]
        buffered, streamed = (min(cpu_ms(chat) for _ in range(ROUNDS)) for chat in chats)
        each = (streamed - buffered) * 1000 / model.chunks
        print(f"{length:>10,} {model.chunks:>7,} {buffered:>9.2f} {streamed:>9.2f} {each:>9.1f}")
    delays = first_delta_ms()
    print(
        f"first delta after the model's first text: median {median(delays):.2f} ms,"
        f" 99% within {delays[len(delays) * 99 // 100]:.2f} ms"
    )
