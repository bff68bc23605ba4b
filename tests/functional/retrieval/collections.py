"""Collections of the search tool's tests."""

from typing import Any

import pytest

from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.errors import ToolError
from tests.functional.retrieval.memory_services import (
    MemoryCollection,
    hit,
)

TOOLS = MemoryCollection(
    [hit("Write a Lambda.", 0.2, title="Adding a tool", source="docs/tools.md", metadata={"lang": "en"})]
)
FAQ = MemoryCollection([hit("Ask us.", 0.7, title="FAQ", source="faq.md")])
HTTP = RagServiceConfig(type="http", url="https://search.example.com", collections=("tickets",), max_distance=0.9)


def texts(result: dict[str, Any]) -> list[str]:
    return [passage["text"] for passage in result["results"]]


def reason(error: pytest.ExceptionInfo[ToolError]) -> tuple[str, str]:
    return error.value.type, error.value.message
