"""Phase 4: the profile, the fields of a message that rules match and prompts use (decision C41)."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct

from flexchat.api import ChatRequest
from flexchat.config.matching import condition_field, holds
from flexchat.config.models.phases import MATCH_OPERATORS, SERVICE_FIELDS
from flexchat.config.models.rules import ResponseRule
from flexchat.errors import ConfigError, Problem
from flexchat.messages import Json
from flexchat.observability import logger
from flexchat.tokens import ordered_roles
from functions.chat.phases.collections import RetrievalResult, context_text
from functions.chat.phases.runner import PhaseResults

MAX_FIELDS_LOGGED = 20


def build_profile(
    request: ChatRequest, phases: PhaseResults, *, caller_fields: Collection[str], roles: Collection[str] = ()
) -> dict[str, Json]:
    """Return the profile of a request: its own `profile` fields, overridden by those of the service.

    `roles` are those of the caller.
    Where `caller_fields` contains them, `intent` is the caller's while no phase detects it, `service` and `collection`
    until a collection is found. A caller's other service fields, and names like an operator, are ignored.
    """
    found = phases.retrieved or RetrievalResult()
    return {
        "intent": None,
        "service": None,
        "collection": None,
        **_own_fields(request.profile, caller_fields),
        "role": [*ordered_roles(roles)],
        "topic": _topic(request, phases),
        "user_message": request.message,
        "rag_results": found.result,
        "documents": [document.as_json() for document in found.documents],
        "rag_context": context_text(found.documents) if found.documents else "",
        **_decided(phases, found),
    }


def _own_fields(fields: Mapping[str, Json], caller_fields: Collection[str]) -> dict[str, Json]:
    """Return the fields of a request's profile that it may set."""
    own = {
        name: value
        for name, value in fields.items()
        if name in caller_fields or not (name in SERVICE_FIELDS or name.endswith(MATCH_OPERATORS))
    }
    if ignored := sorted(fields.keys() - own.keys()):
        logger.info("profile fields ignored", fields=ignored[:MAX_FIELDS_LOGGED])
    return own


def given_profile(fields: Mapping[str, Json]) -> dict[str, Json]:
    """Return a complete profile for a dry run; missing fields are those of a chat without search results."""
    message = fields.get("user_message", "")
    return {
        "intent": None,
        "service": None,
        "collection": None,
        "role": [],
        "topic": message,
        "user_message": message,
        "rag_results": RetrievalResult().result,
        "documents": [],
        "rag_context": "",
        **fields,
    }


def _topic(request: ChatRequest, phases: PhaseResults) -> str:
    if phases.topic is not None:
        return phases.topic.topic
    return request.topic or phases.current_topic or request.message


def _decided(phases: PhaseResults, found: RetrievalResult) -> dict[str, Json]:
    """Return the fields that override the caller's: the found collection, and the detected intent."""
    intent = phases.intent
    if intent is None:
        return {"service": found.service, "collection": found.collection} if found.result == "match" else {}
    collection: dict[str, Json] = (
        {"service": intent.service, "collection": intent.collection} if intent.service is not None else {}
    )
    return {"intent": intent.intent, **collection}


def named_rule(rules: Sequence[ResponseRule], name: str) -> ResponseRule:
    """Return the response rule `name`. Raises ConfigError when there is none."""
    for rule in rules:
        if rule.name == name:
            return rule
    raise ConfigError((Problem(path="responses", message=f"no rule has the name {name!r}"),))


class Condition(Struct, frozen=True):
    """One condition of a tried rule, with the expected and the actual value."""

    condition: str
    expected: Json
    actual: Json
    holds: bool


class TriedRule(Struct, frozen=True):
    """A tried rule with its conditions."""

    rule: str
    matched: bool
    fallback: bool
    conditions: tuple[Condition, ...] = ()


def explain_rules(rules: Iterable[tuple[str, ResponseRule]], profile: Mapping[str, Json]) -> tuple[TriedRule, ...]:
    """Return the rules tried by `match_rule`, with names and all conditions, down to the matching one."""
    tried: list[TriedRule] = []
    fallback: TriedRule | None = None
    for name, rule in rules:
        if rule.is_fallback:
            fallback = fallback or TriedRule(name, matched=True, fallback=True)
            continue
        conditions = tuple(
            Condition(condition, expected, profile.get(condition_field(condition)), holds(condition, expected, profile))
            for condition, expected in rule.match.items()
        )
        matched = all(condition.holds for condition in conditions)
        tried.append(TriedRule(name, matched, fallback=False, conditions=conditions))
        if matched:
            return tuple(tried)
    return tuple(tried) if fallback is None else (*tried, fallback)
