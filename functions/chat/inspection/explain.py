"""Explanation of an answer for an operator: topic, intent, profile, rules and tools."""

from collections.abc import Iterator, Mapping, Sequence

from flexchat.api.explain import ConditionView, ExplainView, IntentView, OfferedToolView, RuleView, TopicView
from flexchat.config.catalog import Catalog
from flexchat.config.matching import matched_fields
from flexchat.config.models.rules import ResponseRule
from flexchat.json import dumps
from flexchat.messages import Json
from flexchat.text import truncate
from functions.chat.generation.answer_form import AnswerForm
from functions.chat.generation.model_calls import system_prompt
from functions.chat.phases.intent import IntentDecision
from functions.chat.phases.profile import TriedRule, explain_rules
from functions.chat.phases.runner import PhaseResults
from functions.chat.phases.topic import TopicDecision
from functions.chat.providers.profiles import ModelProfile
from functions.chat.tools.manager import ALL_OF_SERVER, ToolManager

MAX_VALUE_CHARACTERS = 200
"""Maximum length of a document's text, and of a value in a condition."""

MAX_CONTEXT_CHARACTERS = 1_000
"""Maximum length of `rag_context` in the profile; the system prompt contains all of it."""


def explain(
    *,
    phases: PhaseResults,
    profile: Mapping[str, Json],
    rule: ResponseRule,
    catalog: Catalog,
    manager: ToolManager,
    model: ModelProfile,
    form: AnswerForm | None,
    instructions: str,
    nonce: str,
    history_messages: int,
) -> ExplainView:
    """Return every decision before the model call.

    `rule` is the matching rule, `model` the profile of its model, `form` that of the answer; `instructions` are those
    of the front end; `nonce` is the id of tags in the conversation; `history_messages` is the number of earlier
    messages in the request. Only names, conditions and
    the rule's prompt of the configuration are included.
    """
    topic, intent = phases.topic, phases.intent
    tools = tuple(tool_views(rule, catalog, manager, takes_tools=model.tools))
    offered = [tool.tool for tool in tools if tool.offered]
    of_form = form.instructions(model, has_tools=bool(offered)) if form is not None else ""
    return ExplainView(
        topic=topic_view(topic) if topic is not None else None,
        intent=intent_view(intent) if intent is not None else None,
        profile=_profile(profile),
        rules=rule_views(catalog, profile),
        tools=tools,
        system_prompt=system_prompt(
            rule.prompt,
            profile,
            instructions,
            of_form,
            nonce=nonce if manager.marks_untrusted else None,
            has_marked_tools=manager.returns_marked(offered),
        ),
        history_messages=history_messages,
    )


def topic_view(decision: TopicDecision) -> TopicView:
    return TopicView(
        topic_status=decision.status,
        topic_summary=decision.topic,
        model=decision.model,
        answer=decision.answer,
        error=decision.error,
        duration_ms=decision.duration_ms,
    )


def intent_view(decision: IntentDecision) -> IntentView:
    return IntentView(
        intent=decision.intent,
        source=decision.source,
        candidates=decision.candidates,
        model=decision.model,
        answer=decision.answer,
        error=decision.error,
        duration_ms=decision.duration_ms,
    )


def _profile(profile: Mapping[str, Json]) -> dict[str, Json]:
    """Return the profile with truncated documents and context."""
    shown = dict(profile)
    documents, context = shown.get("documents"), shown.get("rag_context")
    if isinstance(documents, list):
        shown["documents"] = [_document(document) for document in documents]
    if isinstance(context, str):
        shown["rag_context"] = truncate(context, MAX_CONTEXT_CHARACTERS)
    return shown


def _document(document: Json) -> Json:
    match document:
        case {"text": str() as text}:
            return {**document, "text": truncate(text, MAX_VALUE_CHARACTERS)}
        case _:
            return document


def rule_views(catalog: Catalog, profile: Mapping[str, Json]) -> tuple[RuleView, ...]:
    """Return the rules tried for `profile`, down to the matching one."""
    fields = matched_fields(profile, catalog.configuration.profile.caller_fields)
    return tuple(_rule(tried) for tried in explain_rules(catalog.named_rules(), fields))


def _rule(tried: TriedRule) -> RuleView:
    return RuleView(
        rule=tried.rule,
        matched=tried.matched,
        fallback=tried.fallback,
        conditions=tuple(
            ConditionView(
                condition=condition.condition,
                expected=condition.expected,
                actual=_value(condition.actual),
                holds=condition.holds,
            )
            for condition in tried.conditions
        ),
    )


def _value(value: Json) -> Json:
    """Return a value, or its truncated text."""
    text = value if isinstance(value, str) else dumps(value)
    return value if len(text) <= MAX_VALUE_CHARACTERS else truncate(text, MAX_VALUE_CHARACTERS)


def tool_views(
    rule: ResponseRule, catalog: Catalog, manager: ToolManager, *, takes_tools: bool
) -> Iterator[OfferedToolView]:
    """Yield every known or allowed tool with the reason why it is offered or not; `server/*` for an unknown one's."""
    withheld = manager.withheld()
    allowed = rule.tools.allowed_tools if rule.tools is not None else None
    configured = (tool.name for tool in catalog.configuration.tools.registry)
    discovered = (tool.name for tool in manager.get_registry().list())
    known = frozenset((*configured, *discovered, *withheld))
    servers = tuple(name.removesuffix("*") for name in allowed or () if name.endswith(ALL_OF_SERVER))
    for name in _names(catalog, manager, allowed or ()):
        if name in known:
            why_not = _why_none(rule, manager) or "; ".join(withheld.get(name, ()))
        else:
            why_not = "; ".join(catalog.why_disabled("tool", name)) or "no tool of this name is configured"
        if not why_not and allowed is not None and name not in allowed and not name.startswith(servers):
            why_not = "not in the rule's allowed_tools"
        if not why_not and not takes_tools:
            why_not = "the model does not support tools"
        yield OfferedToolView(tool=name, offered=not why_not, reason=why_not or _why_offered(allowed))


def _names(catalog: Catalog, manager: ToolManager, allowed: Sequence[str]) -> Iterator[str]:
    """Yield the names of all tools and those that a rule allows; `server/*` for a server without a known tool."""
    configured = (tool.name for tool in catalog.configuration.tools.registry)
    discovered = (tool.name for tool in manager.get_registry().list())
    tools = tuple(dict.fromkeys((*configured, *discovered, *manager.withheld())))
    yield from tools
    for name in dict.fromkeys(allowed):
        of_server = name.endswith(ALL_OF_SERVER)
        if name not in tools and not (of_server and any(tool.startswith(name.removesuffix("*")) for tool in tools)):
            yield name


def _why_none(rule: ResponseRule, manager: ToolManager) -> str:
    """Return the reason why no tool is offered; empty otherwise."""
    if not manager.is_enabled():
        return "tools are disabled: tools.enabled is false"
    if rule.tools is None or not rule.tools.enabled:
        return "the rule has no tools"
    return ""


def _why_offered(allowed: Sequence[str] | None) -> str:
    return "every tool is offered: the rule has no allowed_tools" if allowed is None else "allowed by the rule"
