"""Callers in the calls of per-principal tools."""

from typing import Any

import pytest

from flexchat.tools import principal_hash
from tests.functional.chat.harness import configuration, deploy, mock_tool
from tests.functional.chat.limited_chat import PRINCIPAL
from tests.functional.chat.scripted_provider import call_completion, text_completion

PARIS = {"location": "Paris"}
REQUESTS: dict[str, dict[str, Any]] = {
    "/api/chat": {"message": "Hello"},
    "/api/tools/test": {"query": "Hello", "model": "openai:gpt-4o"},
    "/api/tools/call": {"tool": "get_weather", "arguments": PARIS},
}


@pytest.mark.parametrize("path", REQUESTS)
@pytest.mark.parametrize("per_principal", [True, False])
def test_only_the_function_of_a_per_principal_tool_receives_a_hash_of_the_caller(
    path: str, *, per_principal: bool
) -> None:
    tool = {**mock_tool(), "per_principal": per_principal}
    chat = deploy([call_completion(("get_weather", PARIS)), text_completion("done")], configuration(tools=[tool]))

    assert chat.post(REQUESTS[path], path=path, roles="operator").status == 200

    [event] = chat.lambdas.executed
    assert event.get("principal") == (principal_hash(PRINCIPAL) if per_principal else None)
    assert ("principal" in event) is per_principal
