"""What the contract suite needs of each tool Lambda. A new tool type is one more entry of `TOOL_LAMBDAS`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import functions.retrieval.implementation as internal_implementation
import functions.tools.builtin.app as builtin_app
import functions.tools.builtin.implementation as builtin_implementation
import functions.tools.mock.app as mock_app
import functions.tools.mock.implementation as mock_implementation
from flexchat.config.models.base import ConfigModel
from flexchat.messages import Json
from flexchat.tool_runtime import InvocationContext, ToolHandler, tool_handler
from flexchat.tools import CallTool
from tests.functional.internal.world import Shelf, World, hit, own

LARGE = "x" * 6_000_000
CANARY = "canary-4f1c9a"


@dataclass(frozen=True)
class ToolLambda:
    """One tool type: its real handler, its own part of a configuration, a call it answers and one whose result is
    too large. One that `computes` runs in a child process."""

    name: str
    handler: ToolHandler
    implementation_type: type[ConfigModel]
    implementation: Mapping[str, Json]
    arguments: Mapping[str, Json]
    result: Json
    oversize: Mapping[str, Json]
    computes: bool = False

    def event(self, **changes: Any) -> dict[str, Any]:
        event: dict[str, Any] = {
            "version": 1,
            "tool": "the_tool",
            "arguments": dict(self.arguments),
            "implementation": dict(self.implementation),
            "call_id": "call_1",
            "idempotency_key": "request-1:call_1",
            "request_id": "request-1",
            "timeout_ms": 30_000,
        }
        return event | changes

    def running(self, run: Callable[[CallTool, Any], object]) -> ToolHandler:
        """This type's Lambda with another function inside."""
        return tool_handler(self.implementation_type, run, preload=_nothing if self.computes else None)


def _nothing(_implementation: ConfigModel) -> None:
    """Nothing is to be imported for what the tests put inside."""


@dataclass(frozen=True)
class Invocation:
    """A Lambda context with a fixed time left."""

    remaining_ms: int

    def get_remaining_time_in_millis(self) -> int:
        return self.remaining_ms


def context(remaining_ms: int = 60_000) -> InvocationContext:
    return Invocation(remaining_ms)


def library() -> World:
    """Collections in memory, as the retriever of the type internal finds them."""
    short = hit(f"{CANARY} is what it says.", 0.2, title="Sentences", source="sentences.md")
    return own({"docs": Shelf([short]), "large": Shelf([hit(LARGE, 0.2)])})


TOOL_LAMBDAS = [
    ToolLambda(
        name="mock",
        handler=mock_app.lambda_handler,
        implementation_type=mock_implementation.Implementation,
        implementation={"type": "mock", "mock_response": {"temperature": 22, "condition": "sunny"}},
        arguments={"location": CANARY},
        result={"temperature": 22, "condition": "sunny"},
        oversize={"implementation": {"type": "mock", "mock_response": LARGE}},
    ),
    ToolLambda(
        name="builtin",
        handler=builtin_app.lambda_handler,
        implementation_type=builtin_implementation.Implementation,
        implementation={"type": "builtin", "handler": "echo"},
        arguments={"text": CANARY},
        result={"echo": {"text": CANARY}},
        oversize={"arguments": {"text": LARGE}},
        computes=True,
    ),
    ToolLambda(
        name="internal",
        handler=tool_handler(internal_implementation.Implementation, library().tool()),
        implementation_type=internal_implementation.Implementation,
        implementation={"type": "internal", "handler": "rag_query"},
        arguments={"query": CANARY, "collection": "docs"},
        result={
            "results": [
                {
                    "title": "Sentences",
                    "source": "sentences.md",
                    "text": f"{CANARY} is what it says.",
                    "distance": 0.2,
                    "id": f"{CANARY} is wha#0",
                    "offset": 0,
                    "metadata": {},
                    "collection": "docs",
                    "relevance": "match",
                }
            ],
            "searched": ["docs"],
            "skipped": [],
        },
        oversize={
            "implementation": {"type": "internal", "handler": "rag_query", "max_bytes": 6_000_000},
            "arguments": {"query": CANARY, "collection": "large"},
        },
    ),
]
