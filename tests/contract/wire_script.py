"""Recorded exchanges with a provider, replayed without a socket.

`tests/wire` has a folder for each provider and a file for each scenario, with the expected requests and the responses;
`completion` is the expected result of a response.
"""

import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, Protocol

from msgspec import convert
from pydantic import BaseModel, ConfigDict, Field, PlainValidator

from flexchat.config.providers import ProviderType
from flexchat.errors import ModelErrorType
from flexchat.messages import Json, Usage
from functions.chat.providers.base import Provider
from functions.chat.providers.retry import RetryPolicy

WIRE_FOLDER = Path(__file__).parents[1] / "wire"

Fault = Literal["cut", "no_answer", "no_connection"]
"""Connection that breaks in the body, missing response, refused connection."""


class _Recorded(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class WireAnswer(_Recorded):
    """Recorded response; `text` is a body that is not JSON, `data` one that is not text.

    With the fault `cut`, half of the body arrives.
    """

    status: int = 200
    headers: Annotated[dict[str, str], Field(default_factory=dict[str, str])]
    body: Json = None
    text: str | None = None
    data: bytes | None = None
    fault: Fault | None = None

    @property
    def content(self) -> bytes:
        if self.data is not None:
            return self.data
        return (self.text if self.text is not None else json.dumps(self.body)).encode()


class ExpectedCompletion(_Recorded):
    """Parts of a completion that differ between providers."""

    usage: Annotated[Usage, PlainValidator(partial(convert, type=Usage))]
    raw_finish_reason: str | None
    model: str


class Exchange(_Recorded):
    request: Json
    answer: WireAnswer
    completion: ExpectedCompletion | None = None


class ErrorCase(_Recorded):
    name: str
    answer: WireAnswer
    type: ModelErrorType
    message: str

    @property
    def is_error(self) -> bool:
        """False for an answer that is unreadable as a whole, which no stream can be."""
        body = self.answer.body
        return (
            self.answer.status != 200 or self.answer.fault is not None or (isinstance(body, dict) and "error" in body)
        )


class WireRequest(BaseModel):
    """Received request; `timeout` is the adapter's read timeout in seconds."""

    url: str
    headers: dict[str, str]
    content: bytes
    timeout: float

    @property
    def body(self) -> Json:
        return json.loads(self.content)


class Playback:
    """Provider that returns `answers` in order and records the requests."""

    def __init__(self, answers: Sequence[WireAnswer]) -> None:
        self._answers = list(answers)
        self.requests: list[WireRequest] = []

    def answer(self, request: WireRequest) -> WireAnswer:
        self.requests.append(request)
        assert self._answers, f"request {len(self.requests)} was not expected: {request.content!r}"
        return self._answers.pop(0)

    @property
    def remaining(self) -> int:
        return len(self._answers)


def _schema(parameter: str) -> Json:
    return {"type": "object", "properties": {parameter: {"type": "string"}}, "required": [parameter]}


TOOLS: tuple[tuple[str, str, Json], ...] = (
    ("get_weather", "Current weather for a place", _schema("location")),
    ("calculate", "Evaluate an expression", _schema("expression")),
    ("lookup", "Look a key up", _schema("key")),
)
"""Name, description and parameters of the tools of every scenario."""


def function_tools() -> list[dict[str, Json]]:
    """Return the tools in OpenAI's format, which Ollama shares."""
    return [
        {"type": "function", "function": {"name": name, "description": description, "parameters": schema}}
        for name, description, schema in TOOLS
    ]


class Wire(Protocol):
    """Facts about one provider for the contract suite. `lacks` are the scenarios that its API does not support."""

    type: ProviderType
    model: str
    key: str
    lacks: frozenset[str]

    def provider(self, playback: Playback, *, retry: RetryPolicy, timeout_ms: int) -> Provider:
        """Return the adapter, named `main`, with `playback` as its server and `key`."""
        ...

    def tools(self) -> Sequence[dict[str, Json]]:
        """Return `TOOLS` in the provider's format."""
        ...

    def check_request(self, request: WireRequest) -> None:
        """Validate a request with the provider's own types and its rules about messages; raises if refused."""
        ...


def exchanges(wire: Wire, scenario: str) -> list[Exchange]:
    return [Exchange.model_validate(item) for item in _read(wire.type, scenario)]


def error_cases(provider: ProviderType) -> list[ErrorCase]:
    return [ErrorCase.model_validate(item) for item in _read(provider, "errors")]


def _read(provider: ProviderType, name: str) -> list[Any]:
    return json.loads((WIRE_FOLDER / provider / f"{name}.json").read_text(encoding="utf-8"))


type Sleeps = list[float]


def retry_policy(max_retries: int, sleeps: Sleeps, *, random: Callable[[], float] = lambda: 1.0) -> RetryPolicy:
    """Return a policy that records its waits instead of waiting."""
    return RetryPolicy(max_retries=max_retries, sleep=sleeps.append, random=random)
