"""Chat function with a topic and an intent phase."""

from collections.abc import Callable, Sequence
from typing import Any

from flexchat.errors import ModelError
from flexchat.messages import Completion, Message
from flexchat.retrieval import classify
from flexchat.search import SearchHit, SearchResponse
from functions.chat.providers.base import ChatOptions
from tests.functional.chat.harness import Chat, configuration, deploy, mock_tool
from tests.functional.chat.scripted_provider import text_completion

DOWN = ModelError("the provider is down", type="server_error", provider="openai")
TOPIC_ANSWER = '```json\n{"topic_status": "new_topic", "topic_summary": "weather in Paris"}\n```'
INTENTS = {"weather": "Asks about the weather", "order_status": "Asks where an order is"}
RULES: list[dict[str, Any]] = [
    {
        "name": "weather",
        "match": {"intent": "weather"},
        "llm": "openai",
        "model": "gpt-4o",
        "prompt": "Topic {{topic}}, intent {{intent}}.",
        "temperature": 0,
        "tools": {"enabled": True, "allowed_tools": ["get_weather"]},
    },
    {
        "name": "found",
        "match": {"rag_results": "any"},
        "llm": "openai",
        "model": "gpt-4o",
        "prompt": "From {{intent}}.",
    },
]


def phases(
    *, topic: str | ModelError = TOPIC_ANSWER, intent: str | ModelError = "weather", answer: str = "It is sunny."
) -> Callable[[Sequence[Message], ChatOptions], Completion]:
    """Return a model that answers each phase by its prompt."""

    def reply(messages: Sequence[Message], _options: ChatOptions) -> Completion:
        question = messages[-1].text
        if "topic_status" in question:
            text = topic
        elif "Answer with exactly one name from this list" in question:
            text = intent
        else:
            text = answer
        if isinstance(text, ModelError):
            raise text
        return text_completion(text)

    return reply


def found(distance: float, title: str = "Refunds") -> Callable[[Any, Any], dict[str, Any]]:
    """Return a retrieval function whose collections each have one passage."""

    def handler(_event: Any, _context: Any) -> dict[str, Any]:
        relevance = classify(distance, match_threshold=0.25, partial_threshold=0.5)
        hit = SearchHit(
            title=title,
            source="refunds.md",
            text="14 days.",
            distance=distance,
            collection="faq",
            relevance=relevance,
        )
        return SearchResponse(hits=(hit,)).model_dump(mode="json")

    return handler


def broken(_event: Any, _context: Any) -> dict[str, Any]:
    raise ArithmeticError("the retrieval function crashed")


def service(
    reply: Callable[[Sequence[Message], ChatOptions], Completion],
    *,
    retrieval: Callable[[Any, Any], Any] = broken,
    **sections: Any,
) -> Chat:
    """Return a chat function with a topic and an intent phase; `sections` change the configuration."""
    config = configuration(tools=[mock_tool()], rule={"name": "fallback", "prompt": "Topic {{topic}}."})
    config["responses"] = [*RULES, *config["responses"]]
    config |= {
        "topic": {"provider": {"model": "gpt-4o-mini"}},
        "intent": {"detection": {"intents": INTENTS}},
        "rag_services": {"kb": {}},
        **sections,
    }
    given = {name: section for name, section in config.items() if section is not None}
    return deploy([reply] * 10, given, handlers={"internal": retrieval})


def requests_with(chat: Chat, marker: str) -> list[tuple[str, ChatOptions]]:
    """Return the requests to the model that contain `marker`, with their options."""
    return [
        (messages[-1].text, options)
        for messages, options in zip(chat.model.seen, chat.model.options, strict=True)
        if marker in messages[-1].text
    ]
