"""Problems of response rules: those that no message can reach, and schemas of answers that cannot be used."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct

from flexchat.config.matching import CONTAINS, REGEXP, compile_match, condition_field
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.phases import OPEN_FIELDS, OTHER_INTENT, SERVICE_FIELDS
from flexchat.config.models.rules import ResponseRule
from flexchat.config.suggestions import did_you_mean
from flexchat.config_check.phases import prompt_problems
from flexchat.errors import Problem
from flexchat.messages import Json
from flexchat.patterns import PatternError
from flexchat.schema.answers import answer_schema
from flexchat.tokens import ROLES

FREE_TEXT = ("topic", "user_message")

RAG_CONTEXT = "rag_context"
"""Variable of prompts with the found documents."""

MAX_VALUES_SHOWN = 8

_ANCHOR = re.compile(r"[\^$]|\\[AzZbB]")


class _Values(Struct, frozen=True):
    """Possible values of a profile field: the known ones, and every text that starts with one of `prefixes`.

    Every field can be null as well: a phase may fail, or return nothing.
    """

    known: frozenset[str]
    prefixes: tuple[str, ...] = ()

    def allow(self, condition: str, expected: Json) -> bool:
        """Return whether a condition on this field can hold."""
        if condition.endswith(REGEXP):
            return bool(self.prefixes) or any(_matches(expected, value) for value in self.known)
        if condition.endswith(CONTAINS):
            return isinstance(expected, str) and (
                bool(self.prefixes) or any(_contains(expected, value) for value in self.known)
            )
        if condition == "rag_results" and expected == "any":
            return not self.known.isdisjoint(("match", "partial"))
        if isinstance(expected, str):
            return expected in self.known or expected.startswith(self.prefixes)
        return expected is None


def rule_problems(configuration: Configuration) -> Iterator[Problem]:
    """Warn of conditions that never hold, and of rules that an earlier rule always precedes; report unusable schemas.

    The rule without `match` is tried last, wherever it is in the list, so it precedes no other.
    """
    values = _profile_values(configuration)
    rules = configuration.responses
    settable = {*SERVICE_FIELDS, *configuration.profile.caller_fields}
    for position, rule in enumerate(rules):
        path = f"responses[{position}]"
        yield from prompt_problems(f"{path}.prompt", rule.prompt, (*sorted(settable), RAG_CONTEXT))
        if rule.response_schema is not None:
            _, problems = answer_schema(rule.response_schema)
            yield from (Problem(f"{path}.response_schema", problem) for problem in problems)
        impossible = (
            *_unset(f"{path}.match", rule.match, settable),
            *_impossible(f"{path}.match", rule.match, values),
        )
        yield from impossible
        if not impossible and (earlier := _hidden_by(rules[:position], rule)) is not None:
            yield _warning(path, f"never used: responses[{earlier}] matches all messages of this rule")


def _profile_values(configuration: Configuration) -> Mapping[str, _Values]:
    """Return the possible values of the profile fields that this configuration sets."""
    services = configuration.rag_services
    collections = {name: service.collection_names(name) for name, service in services.items()}
    open_services = tuple(f"{name}/" for name, served in collections.items() if not served)
    in_services = frozenset(f"{name}/{collection}" for name, served in collections.items() for collection in served)
    intent = configuration.intent
    has_intent = intent is not None and intent.enabled
    decided: dict[str, _Values] = {
        **{field: _Values(frozenset(), ("",)) for field in FREE_TEXT},
        "intent": _Values(frozenset((*intent.detection.intents, OTHER_INTENT, *in_services)), open_services)
        if intent is not None and has_intent
        else _Values(frozenset()),
        "role": _Values(frozenset((*ROLES, *configuration.roles))),
        "service": _Values(frozenset(services)),
        "collection": _Values(
            frozenset(collection for served in collections.values() for collection in served),
            ("",) if open_services else (),
        ),
        "rag_results": _Values(frozenset(("none", "match", "partial") if services else ("none",))),
    }
    # An intent phase sets the intent even when callers may pass one.
    opened = {name for name in OPEN_FIELDS if name in configuration.profile.caller_fields}
    return {name: values for name, values in decided.items() if name not in opened or (name == "intent" and has_intent)}


def _unset(path: str, match: Mapping[str, Json], settable: Collection[str]) -> Iterator[Problem]:
    """Warn of conditions on fields that neither the service nor a caller may set."""
    for condition in match:
        field = condition_field(condition)
        if field not in settable:
            reason = f"nothing sets {field!r}; if callers shall, list it in profile.caller_fields"
            yield _warning(f"{path}.{condition}", f"never true: {reason}{did_you_mean(field, settable)}")


def _impossible(path: str, match: Mapping[str, Json], values: Mapping[str, _Values]) -> Iterator[Problem]:
    for condition, expected in match.items():
        field = condition_field(condition)
        if field not in values or values[field].allow(condition, expected):
            continue
        known = sorted(values[field].known)
        if "" in values[field].prefixes:
            reason = f"{field!r} is text"
        elif not known:
            reason = f"nothing in this configuration sets {field!r}"
        elif len(known) > MAX_VALUES_SHOWN:
            reason = f"{field!r} has none of its {len(known)} values"
        else:
            reason = f"{field!r} is one of {', '.join(map(repr, known))}"
        hint = did_you_mean(expected, known) if isinstance(expected, str) and condition == field else ""
        yield _warning(f"{path}.{condition}", f"never true: {reason}{hint}")


def _hidden_by(earlier: Sequence[ResponseRule], rule: ResponseRule) -> int | None:
    """Return the position of the first rule that matches whenever `rule` does."""
    if rule.is_fallback:
        return None
    for position, other in enumerate(earlier):
        if not other.is_fallback and all(_implied(*condition, rule.match) for condition in other.match.items()):
            return position
    return None


def _implied(condition: str, expected: Json, match: Mapping[str, Json]) -> bool:
    """Return true when a condition certainly holds for every profile that `match` accepts."""
    field = condition_field(condition)
    if _always_holds(condition, expected) or (condition in match and match[condition] == expected):
        return True
    value = match.get(field)
    if not isinstance(value, str) or (field == "rag_results" and value == "any"):
        return False
    if condition.endswith(REGEXP):
        return _matches(expected, value)
    if condition.endswith(CONTAINS):
        return isinstance(expected, str) and _contains(expected, value)
    return condition == "rag_results" and expected == "any" and value in ("match", "partial")


def _always_holds(condition: str, expected: Json) -> bool:
    """Return whether a condition holds for every message: a pattern without anchors that matches the empty text."""
    if condition_field(condition) not in FREE_TEXT or not isinstance(expected, str):
        return False
    if condition.endswith(CONTAINS):
        return not expected
    return condition.endswith(REGEXP) and not _ANCHOR.search(expected) and _matches(expected, "")


def _contains(part: str, text: str) -> bool:
    return part.lower() in text.lower()


def _matches(pattern: Json, text: str) -> bool:
    """Return whether a pattern matches in `text`; an invalid one is reported elsewhere."""
    try:
        return isinstance(pattern, str) and compile_match(pattern).search(text) is not None
    except PatternError:
        return False


def _warning(path: str, message: str) -> Problem:
    return Problem(path, message, "warning")
