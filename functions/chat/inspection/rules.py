"""Configured response rules with their problems, for an operator."""

from collections.abc import Iterable, Iterator

from flexchat.config.catalog import Catalog
from flexchat.config.model_names import ModelName, model_name
from flexchat.config.models.rules import ResponseRule
from functions.chat.inspection.explain import tool_views
from functions.chat.inspection.views import ConfiguredRuleView
from functions.chat.providers.factory import profile_for
from functions.chat.runtime import Runtime


def configured_rules(runtime: Runtime) -> Iterator[ConfiguredRuleView]:
    """Yield the rules in the order of the file, then the invalid ones."""
    has_fallback = False
    for name, rule in runtime.catalog.named_rules():
        is_unused = rule.is_fallback and has_fallback
        has_fallback = has_fallback or rule.is_fallback
        yield _view(name, rule, runtime, is_unused=is_unused)
    for entry in runtime.catalog.disabled:
        if entry.kind == "rule":
            yield ConfiguredRuleView(name=entry.name, problems=entry.problems)


def model_problems(models: Iterable[str], catalog: Catalog) -> Iterator[str]:
    """Yield a problem for each of `models` that is unusable."""
    for text in models:
        try:
            model_name(text, catalog.configuration.llms)
        except ValueError as exc:
            reasons = "; ".join(catalog.why_disabled("llm", text.partition(":")[0]))
            yield f"{text!r} cannot be called: {reasons or exc}"


def _view(name: str, rule: ResponseRule, runtime: Runtime, *, is_unused: bool) -> ConfiguredRuleView:
    configuration = runtime.catalog.configuration
    llm = configuration.llms.get(rule.llm)
    fallbacks = rule.fallbacks if rule.fallbacks is not None else llm.fallbacks if llm is not None else ()
    limits = runtime.tools.get_limits(rule.tools) if rule.tools is not None and rule.tools.enabled else None
    return ConfiguredRuleView(
        name=name,
        match=rule.match,
        fallback=rule.is_fallback,
        llm=rule.llm,
        model=rule.model,
        fallbacks=fallbacks,
        require_validated=rule.require_validated,
        allowed_tools=rule.tools.allowed_tools if rule.tools is not None and limits is not None else (),
        max_iterations=limits.iterations if limits is not None else None,
        max_calls_per_turn=limits.calls_per_turn if limits is not None else None,
        max_tool_calls=limits.tool_calls if limits is not None else None,
        problems=tuple(_problems(rule, fallbacks, runtime, is_unused=is_unused)),
    )


def _problems(rule: ResponseRule, fallbacks: tuple[str, ...], runtime: Runtime, *, is_unused: bool) -> Iterator[str]:
    if is_unused:
        yield "never used: only the first rule without match is"
    yield from model_problems((str(ModelName(rule.llm, rule.model)), *fallbacks), runtime.catalog)
    if rule.tools is not None and rule.tools.enabled:
        yield from _tool_problems(rule, runtime)


def _tool_problems(rule: ResponseRule, runtime: Runtime) -> Iterator[str]:
    if not runtime.tools.is_enabled():
        yield "it has tools, but none is offered while tools.enabled is false"
        return
    llm = runtime.catalog.configuration.llms.get(rule.llm)
    if llm is not None and not profile_for(llm.type, rule.model, llm).tools:
        yield "it has tools, but its model does not support tools"
    allowed = (rule.tools.allowed_tools if rule.tools is not None else None) or ()
    for tool in tool_views(rule, runtime.catalog, runtime.tools, takes_tools=True):
        if tool.tool in allowed and not tool.offered:
            yield f"the tool {tool.tool!r} is not offered: {tool.reason}"
