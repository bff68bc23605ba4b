"""Dry run of rule matching for a profile, without a model call."""

from flexchat.api import FallbackView
from flexchat.config.models.rules import ResponseRule
from flexchat.deadline import Deadline
from flexchat.errors import ConfigError
from functions.chat.inspection.explain import rule_views, tool_views
from functions.chat.inspection.views import RuleMatch, RuleMatchView
from functions.chat.phases.profile import given_profile, matched_fields
from functions.chat.phases.rules import match_rule
from functions.chat.providers.fallback import Candidates
from functions.chat.runtime import Runtime


def match_profile(match: RuleMatch, runtime: Runtime, *, deadline: Deadline) -> RuleMatchView:
    """Return the outcome of phase 5 for a profile; a chat's ConfigError is returned as `problem`.

    Raises UnavailableError when the rule requires validated models and their statuses cannot be read.
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
    """Return the candidates of `rule`, or the problem that leaves none."""
    try:
        return runtime.candidates(rule, deadline), None
    except ConfigError as exc:
        return None, str(exc)
