"""Phase 3: the user's intent, a matching collection or the model's choice from the configured intents."""

import re
from collections.abc import Callable, Mapping
from copy import replace

from msgspec import Struct

from flexchat.api.explain import IntentSource
from flexchat.config.models.phases import OTHER_INTENT
from flexchat.deadline import Deadline
from flexchat.json import JsonError, safe_loads
from flexchat.text import single_line, truncate
from flexchat.trace_context import TraceContext
from functions.chat.generation.events import Emit
from functions.chat.generation.model_calls import substitute_variables
from functions.chat.phases.collections import FoundDocument, RetrievalResult
from functions.chat.phases.llm_call import PhaseModel, call_phase_model

OTHER_DESCRIPTION = "none of the above"

MAX_TITLES = 5
MAX_DESCRIPTION_CHARACTERS = 300
MAX_USER_CHARACTERS = 4_000

PROMPT = """You sort the message of a user by what the user wants.

Answer with exactly one name from this list, and nothing else:
{{intents}}

Topic of the conversation: {{topic}}

Message of the user, to be sorted and not to be answered:
<message>
{{userMessage}}
</message>"""
"""Default prompt."""


class IntentDecision(Struct, frozen=True):
    """Intent of the user and its source.

    `service` and `collection` are set when the intent is a collection. `model` chose from `candidates`; `answer` is its
    text. `intent` is None when it could not be detected.
    """

    intent: str | None
    service: str | None = None
    collection: str | None = None
    source: IntentSource = "none"
    candidates: tuple[str, ...] = ()
    model: str | None = None
    answer: str | None = None
    error: str | None = None
    duration_ms: int = 0


def detect_intent(
    message: str,
    *,
    topic: str | None,
    retrieved: RetrievalResult | None,
    intents: Mapping[str, str],
    model: Callable[[], PhaseModel],
    prompt: str | None,
    deadline: Deadline,
    emit: Emit,
    trace: TraceContext | None = None,
) -> IntentDecision:
    """Return the intent of `message`.

    `intents` are names with their descriptions. `prompt` may use `{{intents}}`, `{{userMessage}}` and `{{topic}}`.
    `model` is not called when a collection matches or when there are no candidates. Nothing is raised.
    """
    if retrieved is not None and retrieved.result == "match":
        return _of_collection(retrieved.service, retrieved.collection, "rag_match")
    partial = _partial_collections(retrieved)
    if not intents and not partial:
        return IntentDecision(None)
    collections = {name: _titles(documents) for name, documents in partial.items()}
    added = {**collections, OTHER_INTENT: OTHER_DESCRIPTION}
    choices = {**intents, **{name: text for name, text in added.items() if name not in intents}}
    question = substitute_variables(
        prompt or PROMPT,
        {
            "intents": "\n".join(_listed(name, description) for name, description in choices.items()),
            "userMessage": truncate(message, MAX_USER_CHARACTERS),
            "topic": topic or "(none)",
        },
    )
    reply = call_phase_model("intent", model(), question, deadline=deadline, emit=emit, trace=trace)
    chosen = read_choice(reply.answer, tuple(choices)) if reply.answer is not None else None
    decision = _decision(chosen, partial, answered=reply.answer is not None)
    return replace(
        decision,
        candidates=tuple(choices),
        model=reply.model,
        answer=reply.answer,
        error=reply.error,
        duration_ms=reply.duration_ms,
    )


def _decision(
    chosen: str | None, partial: Mapping[str, tuple[FoundDocument, ...]], *, answered: bool
) -> IntentDecision:
    """Return the decision for the model's choice; None is an answer without a candidate, or no answer."""
    if chosen is not None and chosen in partial:
        first = partial[chosen][0]
        return _of_collection(first.service, first.collection, "model")
    if chosen is not None and chosen != OTHER_INTENT:
        return IntentDecision(chosen, source="model")
    if partial:
        nearest = min((document for documents in partial.values() for document in documents), key=_distance)
        return _of_collection(nearest.service, nearest.collection, "nearest_partial")
    if chosen is not None:
        return IntentDecision(chosen, source="model")
    return IntentDecision(OTHER_INTENT if answered else None)


def _of_collection(service: str | None, collection: str | None, source: IntentSource) -> IntentDecision:
    return IntentDecision(f"{service}/{collection}", service, collection, source)


def _partial_collections(retrieved: RetrievalResult | None) -> dict[str, tuple[FoundDocument, ...]]:
    """Return the documents of a partial result by their collection, `service/collection`."""
    found: dict[str, tuple[FoundDocument, ...]] = {}
    for document in retrieved.documents if retrieved is not None else ():
        name = f"{document.service}/{document.collection}"
        found[name] = (*found.get(name, ()), document)
    return found


def _distance(document: FoundDocument) -> float:
    return document.distance


def _titles(documents: tuple[FoundDocument, ...]) -> str:
    titles = dict.fromkeys(document.title or document.source for document in documents)
    named = "; ".join(list(filter(None, titles))[:MAX_TITLES])
    return f"documents: {named}" if named else "documents"


def _listed(name: str, description: str) -> str:
    text = truncate(single_line(description), MAX_DESCRIPTION_CHARACTERS)
    return f"- {name}: {text}" if text else f"- {name}"


_SEPARATORS = re.compile(r"[\s_-]+")
_QUOTES = "\"'`*.,:;!?()[]<> \t\r\n"


def read_choice(answer: str, candidates: tuple[str, ...]) -> str | None:
    """Return the one candidate that `answer` contains, ignoring case; None for no candidate or several.

    It may be quoted, in JSON, or within a sentence; of overlapping names the longest counts. Spaces, hyphens and
    underscores are equal.
    """
    by_name: dict[str, str] = {}
    for candidate in candidates:
        by_name.setdefault(_folded(candidate), candidate)
    texts = _texts(answer)
    for text in texts:
        if (name := _folded(text.strip(_QUOTES))) in by_name:
            return by_name[name]
    longest_first = sorted(filter(None, by_name), key=len, reverse=True)
    names = "|".join(re.escape(name).replace("_", _SEPARATORS.pattern) for name in longest_first)
    mention = re.compile(rf"(?<![\w/-])(?:{names})(?![\w/-])")
    found = {_folded(match.group()) for text in texts for match in mention.finditer(text.lower())}
    return by_name.get(found.pop()) if len(found) == 1 else None


def _folded(text: str) -> str:
    return _SEPARATORS.sub("_", text.strip().lower())


def _texts(answer: str) -> list[str]:
    """Return the answer, or the texts in its JSON values; keys may be equal to a candidate."""
    try:
        value = safe_loads(answer)
    except JsonError:
        return [answer]
    match value:
        case dict():
            return [text for text in value.values() if isinstance(text, str)]
        case list():
            return [text for text in value if isinstance(text, str)]
        case str():
            return [value]
        case _:
            return [answer]
