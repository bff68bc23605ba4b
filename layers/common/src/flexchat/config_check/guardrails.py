"""Checks of guardrails: their address and secrets, and their names in response rules."""

from collections.abc import Collection, Iterator

from flexchat.config.models.configuration import Configuration
from flexchat.config.models.rules import ResponseRule
from flexchat.config.problems import path_of
from flexchat.config.suggestions import did_you_mean
from flexchat.config_check.llms import entry_problems, url_problems
from flexchat.config_check.secrets import service_key_problems
from flexchat.errors import Problem


def guardrail_problems(configuration: Configuration) -> Iterator[Problem]:
    """Return every problem of the `guardrails` section, with a warning for an entry that no rule names."""
    named = {name for rule in configuration.responses for name in _names(rule)}
    for name, guardrail in configuration.guardrails.items():
        path = path_of(("guardrails", name))
        yield from entry_problems(path, name, guardrail)
        yield from url_problems(f"{path}.url", guardrail.url)
        yield from service_key_problems(path, guardrail)
        if guardrail.guardrail_version == "DRAFT":
            yield Problem(f"{path}.guardrail_version", "changes with each edit; name a version, as '1'", "warning")
        if guardrail.on_error == "allow":
            yield Problem(f"{path}.on_error", "texts pass unchecked while the guardrail does not answer", "warning")
        if name not in named:
            yield Problem(path, "is not used: no rule names it in guardrails.input or guardrails.output", "warning")


def rule_guardrail_problems(path: str, rule: ResponseRule, names: Collection[str]) -> Iterator[Problem]:
    """Return an error for each name in the `guardrails` of the rule at `path` that is none of `names`, or repeated."""
    if rule.guardrails is None:
        return
    for field, listed in (("input", rule.guardrails.input), ("output", rule.guardrails.output)):
        for position, name in enumerate(listed):
            where = f"{path}.guardrails.{field}[{position}]"
            if name not in names:
                yield Problem(where, f"no guardrail named {name!r}{did_you_mean(name, names)}")
            elif name in listed[:position]:
                yield Problem(where, f"the guardrail {name!r} is listed twice")


def _names(rule: ResponseRule) -> tuple[str, ...]:
    return (*rule.guardrails.input, *rule.guardrails.output) if rule.guardrails is not None else ()
