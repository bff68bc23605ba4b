"""Contract harness of the Gemini adapter: its creation, and the server's validation of requests.

The server parses a request as the JSON of a protobuf message and rejects unknown fields. The harness does the same with
the message that Google publishes (`google.ai.generativelanguage`).
"""

import json
import re
from collections.abc import Sequence
from typing import Any, cast

from google.ai.generativelanguage_v1beta import GenerateContentRequest
from google.protobuf import json_format

from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import ProviderType
from flexchat.messages import Json
from functions.chat.providers.gemini.adapter import GeminiProvider
from functions.chat.providers.retry import RetryPolicy
from tests.contract.http_playback import mock_transport
from tests.contract.provider_streams import gemini_chunks
from tests.contract.streamed_wire import sse
from tests.contract.wire_script import TOOLS, Playback, Wire, WireAnswer, WireRequest


class GeminiWire:
    type: ProviderType = "gemini"
    model = "gemini-3.8-flash"
    key = "key-of-the-contract-suite"
    lacks: frozenset[str] = frozenset({"refusal"})

    def provider(self, playback: Playback, *, retry: RetryPolicy, timeout_ms: int) -> GeminiProvider:
        config = LlmConfig(
            type="gemini",
            base_url="https://gemini.test",
            api_key=self.key,
            timeout_ms=timeout_ms,
            max_retries=retry.max_retries or 0,
        )
        return GeminiProvider("main", config, retry=retry, transport=mock_transport(playback))

    def tools(self) -> Sequence[dict[str, Json]]:
        declarations: list[Json] = [
            {"name": name, "description": description, "parametersJsonSchema": schema}
            for name, description, schema in TOOLS
        ]
        return [{"functionDeclarations": declarations}]

    def check_request(self, request: WireRequest) -> None:
        assert request.url == f"https://gemini.test/v1beta/models/{self.model}:generateContent"
        assert request.headers["x-goog-api-key"] == self.key
        assert "authorization" not in request.headers
        assert request.headers["content-type"] == "application/json"
        assert self.key.encode() not in request.content
        check_gemini_body(request.body)

    def plain_request(self, request: WireRequest) -> WireRequest:
        address, ending = request.url.rsplit(":", 1)
        assert ending == "streamGenerateContent?alt=sse"
        return request.model_copy(update={"url": f"{address}:generateContent"})

    def streamed(self, answer: WireAnswer) -> WireAnswer:
        """Return the chunks of the server."""
        chunks = gemini_chunks(cast("dict[str, Any]", answer.body))
        return sse(*(f"data: {json.dumps(chunk)}" for chunk in chunks), answer=answer)


def check_gemini_body(body: Json) -> None:
    message = cast("Any", GenerateContentRequest).pb()()
    request = cast("dict[str, Any]", body)
    json_format.Parse(json.dumps(_known(request)), message)
    assert "parameters" not in json.dumps([tool["functionDeclarations"] for tool in request.get("tools", [])]).replace(
        '"parametersJsonSchema"', ""
    )
    assert bool(request.get("tools")) or "toolConfig" not in request, "a choice without functions"
    _check_conversation(request["contents"])


def _known(request: dict[str, Any]) -> dict[str, Any]:
    """Return a request without its level of thinking, which the library's type does not have yet."""
    config: dict[str, Any] = request.get("generationConfig", {})
    level = config.get("thinkingConfig", {}).get("thinkingLevel", "low")
    assert level in ("minimal", "low", "medium", "high")
    known = {name: value for name, value in config.items() if name != "thinkingConfig"}
    return {**request, "generationConfig": known} if "thinkingLevel" in config.get("thinkingConfig", {}) else request


def _check_conversation(contents: list[dict[str, Any]]) -> None:
    """Calls are answered in the very next content, as many, of the same names and in order; each turn of calls is
    signed on its first."""
    assert contents[0]["role"] == "user"
    calls: list[tuple[str, str]] = []
    for content in contents:
        parts: list[dict[str, Any]] = content["parts"]
        assert parts, "a content without parts"
        responses = [part["functionResponse"] for part in parts if "functionResponse" in part]
        assert [(response["name"], response["id"]) for response in responses] == calls, "results that fit no calls"
        assert not responses or len(responses) == len(parts), "a result and something else in one content"
        for response in responses:
            assert not re.search(r'"\$(ref|defs)":', json.dumps(response["response"])), "a reference in a result"
        called = [part for part in parts if "functionCall" in part]
        assert not called or content["role"] == "model"
        assert not called or any("thoughtSignature" in part for part in parts[: parts.index(called[0]) + 1]), "unsigned"
        calls = [(part["functionCall"]["name"], part["functionCall"]["id"]) for part in called]
        assert all(re.fullmatch(r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}", name) for name, _ in calls)
    assert not calls, "calls without results"


WIRE: Wire = GeminiWire()
