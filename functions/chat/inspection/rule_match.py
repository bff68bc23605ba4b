"""Which rule would answer for a profile: decided as in a chat, without asking any model."""

from flexchat.api import FallbackView
from flexchat.config.matching import matched_fields
from flexchat.config.models.rules import ResponseRule
from flexchat.deadline import Deadline
from flexchat.errors import ConfigError
from functions.chat.inspection.explain import rule_views, tool_views
from functions.chat.inspection.views import RuleMatch, RuleMatchView
from functions.chat.phases.profile import given_profile
from functions.chat.phases.rules import match_rule
from functions.chat.providers.fallback import Candidates
from functions.chat.runtime import Runtime


def match_profile(match: RuleMatch, runtime: Runtime, *, deadline: Deadline) -> RuleMatchView:
    """What phase 5 decides for a profile. What a chat would fail with is told, not raised.

    Raises UnavailableError when the rule wants validated models, and what is known of them cannot be read.
    """
    catalog, profile = runtime.catalog, given_profile(match.profile)
    rules = rule_views(catalog, profile)
    try:
        rule = match_rule(
            catalog.configuration.responses, matched_fields(profile, catalog.configuration.profile.caller_fields)
        )
    except ConfigError as exc:
        return RuleMatchView(problem=str(exc), rules=rules)
    models, problem = _models(rule, runtime, deadline)
    current = models.current if models else None
    fallback = models.fallback if models else None
    tools = tool_views(rule, catalog, runtime.tools, takes_tools=current is None or current.profile.tools)
    return RuleMatchView(
        rule=rules[-1].rule,
        llm=current.provider.name if current else rule.llm,
        model=current.model if current else rule.model,
        fallback=FallbackView(instead_of=fallback.instead_of, reason=fallback.reason) if fallback else None,
        problem=problem,
        rules=rules,
        tools=tuple(tools),
    )


def _models(rule: ResponseRule, runtime: Runtime, deadline: Deadline) -> tuple[Candidates | None, str | None]:
    """Who may answer by `rule`, or why nobody may."""
    try:
        return runtime.candidates(rule, deadline), None
    except ConfigError as exc:
        return None, str(exc)
