"""Checks between the parts of a configuration: they match each other and can run.

Errors prevent a configuration from being published; warnings report what probably has another effect than intended.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from copy import replace

from msgspec import Struct
from pydantic import ValidationError

from flexchat.config.document import Parsed, Source, parse
from flexchat.config.matching import REGEXP, compile_match
from flexchat.config.model_names import ModelName
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.config.models.rules import ResponseRule
from flexchat.config.models.tools import ToolDefinition
from flexchat.config.parameters import split
from flexchat.config.phase_models import PHASES
from flexchat.config.problems import path_of
from flexchat.config.suggestions import did_you_mean
from flexchat.config_check.addresses import for_stage
from flexchat.config_check.fallbacks import fallback_problems
from flexchat.config_check.guardrails import guardrail_problems, rule_guardrail_problems
from flexchat.config_check.injections import injection_problems
from flexchat.config_check.limits import limit_problems
from flexchat.config_check.llms import extra_body_problems, llm_problems
from flexchat.config_check.phases import phase_problems, title_problems
from flexchat.config_check.roles import role_problems
from flexchat.config_check.rules import rule_problems
from flexchat.config_check.secrets import (
    KeyProblem,
    secret_field_problems,
    stray_key_problems,
    tool_key_problems,
    without_declared,
)
from flexchat.config_check.services import one_service_problems, service_problems
from flexchat.config_check.timeouts import timeout_problems
from flexchat.errors import ConfigError, Problem
from flexchat.messages import Json
from flexchat.patterns import PatternError
from flexchat.schema import check_schema
from flexchat.tool_types import TOOL_TYPES, ToolType


def check(configuration: Configuration, types: Mapping[str, ToolType]) -> tuple[Problem, ...]:
    """Return every problem between the parts of a configuration, by its path in the file.

    `types` are the tool types that this deployment runs.
    """
    everything = Parsed(
        configuration=configuration,
        rule_positions=tuple(range(len(configuration.responses))),
        tool_positions=tuple(range(len(configuration.tools.registry))),
    )
    found = _Checker(everything, types).problems()
    return tuple(without_declared(found, configuration, everything.tool_positions))


def check_source(source: Source, types: Mapping[str, ToolType]) -> tuple[Configuration, tuple[Problem, ...]]:
    """Return the usable part of a source with every problem of its form and between its parts."""
    parsed = parse(source)
    problems = (*parsed.problems, *_Checker(parsed, types).problems())
    reported = {problem.path for problem in problems if problem.severity == "error" or isinstance(problem, KeyProblem)}
    found = (*problems, *stray_key_problems(source, reported))
    return parsed.configuration, tuple(without_declared(found, parsed.configuration, parsed.tool_positions))


def check_publication(source: Source, *, stage: str | None = None) -> tuple[Configuration, tuple[Problem, ...]]:
    """Return the usable part of a source with every problem that a publication reports, including its size.

    With a `stage`, addresses that only functions of the local stage reach are reported for that stage.
    """
    configuration, found = check_source(source, TOOL_TYPES)
    problems = for_stage(found, stage)
    if not any(problem.severity == "error" for problem in problems):
        try:
            split(source, stage="any")
        except ConfigError as exc:
            problems = (*problems, *exc.problems)
    return configuration, problems


class _Checker(Struct, frozen=True):
    parsed: Parsed
    types: Mapping[str, ToolType]

    def problems(self) -> Iterator[Problem]:
        configuration = self.parsed.configuration
        yield from llm_problems(configuration)
        yield from service_problems(configuration, broken_llms=self._broken("llm"))
        yield from guardrail_problems(configuration)
        if configuration.mcp_servers:
            from flexchat.config_check.mcp_servers import server_problems

            yield from server_problems(configuration)
        for name, llm in configuration.llms.items():
            yield from self._other_models(f"{path_of(('llms', name))}.fallbacks", llm.fallbacks)
        yield from self._tools()
        yield from timeout_problems(configuration, self.parsed.tool_positions)
        for position, tool in zip(self.parsed.tool_positions, configuration.tools.registry, strict=True):
            yield from self._tool(f"tools.registry[{position}]", tool)
        for position, rule in zip(self.parsed.rule_positions, configuration.responses, strict=True):
            yield from self._rule(f"responses[{position}]", rule)
        yield from self._fallback_rule()
        if not self.parsed.problems:
            yield from rule_problems(configuration)
        yield from self._other_models("validation.models", configuration.validation.models)
        yield from self._openai_api()
        yield from self._choices()
        yield from self._roles()
        for phase in PHASES:
            section = configuration.topic if phase == "topic" else configuration.intent
            if section is not None and section.provider.llm is not None:
                yield from self._model(f"{phase}.provider", section.provider.llm, section.provider.model)
        title = configuration.sessions.title
        if title is not None and title.llm is not None:
            yield from self._model("sessions.title", title.llm, title.model)
        is_whole = not (self._broken("llm") or self._broken("rule"))
        yield from phase_problems(configuration, is_whole=is_whole)
        yield from title_problems(configuration, is_whole=is_whole)

    def _names(self, kind: str, healthy: Mapping[str, object] | Iterator[str]) -> frozenset[str]:
        """Return the names of one kind, including broken entries, which are already reported."""
        return frozenset((*healthy, *self._broken(kind)))

    def _broken(self, kind: str) -> frozenset[str]:
        return frozenset(entry.name for entry in self.parsed.broken if entry.kind == kind)

    def _tools(self) -> Iterator[Problem]:
        tools = self.parsed.configuration.tools
        servers = self._names("mcp_server", self.parsed.configuration.mcp_servers)
        if tools.enabled and not servers and not self._names("tool", (tool.name for tool in tools.registry)):
            yield _warning(
                "tools.registry", "must not be empty if tools are enabled; add a tool, or set tools.enabled to false"
            )
        for position, kind in enumerate(tools.disabled_types):
            if kind not in {*TOOL_TYPES, *self.types}:
                hint = did_you_mean(kind, TOOL_TYPES)
                yield Problem(f"tools.disabled_types[{position}]", f"no tool type {kind!r}{hint}")
        first_at: dict[str, int] = {}
        for position, tool in zip(self.parsed.tool_positions, tools.registry, strict=True):
            first = first_at.setdefault(tool.name, position)
            if first != position:
                message = f"Tool {tool.name!r} already registered as tools.registry[{first}]"
                yield Problem(f"tools.registry[{position}].name", message)

    def _tool(self, path: str, tool: ToolDefinition) -> Iterator[Problem]:
        if tool.parameters.get("type") != "object":
            yield Problem(f"{path}.parameters.type", "must be 'object': a tool's arguments are one object")
        for message in check_schema(tool.parameters):
            yield Problem(f"{path}.parameters", message)
        yield from tool_key_problems(path, tool)
        yield from self._implementation(f"{path}.implementation", tool)

    def _implementation(self, path: str, tool: ToolDefinition) -> Iterator[Problem]:
        kind = tool.implementation.get("type")
        if not isinstance(kind, str):
            yield Problem(f"{path}.type", "is required: one of " + ", ".join(map(repr, TOOL_TYPES)))
        elif kind in self.types:
            row = self.types[kind]
            if row.searches_services:
                yield from self._named_services(path, tool)
            found = row.problems(
                tool.implementation, handler=tool.handler, parameters=tool.parameters, idempotent=tool.idempotent
            )
            for problem in found:
                below = f"{path}.{problem.path}" if problem.path else path
                yield replace(problem, path=below)
            yield from secret_field_problems(path, tool, row)
            if kind == "mcp":
                from flexchat.config_check.mcp_servers import pinned_problems

                names = self._names("mcp_server", self.parsed.configuration.mcp_servers)
                yield from pinned_problems(path, tool, names)
        elif kind not in TOOL_TYPES:
            yield Problem(f"{path}.type", f"no tool type {kind!r}{did_you_mean(kind, TOOL_TYPES)}")
        elif tool.enabled and kind not in self.parsed.configuration.tools.disabled_types:
            yield _warning(path, f"not offered: this deployment has no function for tools of type {kind!r}")

    def _named_services(self, path: str, tool: ToolDefinition) -> Iterator[Problem]:
        """Return an error for each unknown service of a tool that searches services (`service` or `services`)."""
        one, several = tool.implementation.get("service"), tool.implementation.get("services")
        places = [(f"{path}.service", one)]
        if isinstance(several, list):
            places += [(f"{path}.services[{position}]", name) for position, name in enumerate(several)]
        names = self._names("service", self.parsed.configuration.rag_services)
        for where, name in places:
            if isinstance(name, str) and name not in names:
                yield Problem(where, f"no service named {name!r}{did_you_mean(name, names)}")
        if isinstance(one, dict):
            yield from self._whole_service(f"{path}.service", one)

    def _whole_service(self, path: str, source: Mapping[str, Json]) -> Iterator[Problem]:
        """Return the services inside a tool's implementation; the tool's type reports problems of their form."""
        try:
            service = RagServiceConfig.model_validate({key: value for key, value in source.items() if key != "name"})
        except ValidationError:
            return
        name, llms = str(source.get("name", "")), self.parsed.configuration.llms
        yield from one_service_problems(path, name, service, llms=llms, broken_llms=self._broken("llm"))

    def _rule(self, path: str, rule: ResponseRule) -> Iterator[Problem]:
        yield from self._model(path, rule.llm, rule.model)
        own = ModelName(rule.llm, rule.model)
        yield from self._other_models(f"{path}.fallbacks", rule.fallbacks or (), own=own)
        yield from _match(f"{path}.match", rule.match)
        yield from extra_body_problems(path, rule.extra_body)
        yield from injection_problems(path, rule, self.parsed.configuration)
        guardrails = self._names("guardrail", self.parsed.configuration.guardrails)
        yield from rule_guardrail_problems(path, rule, guardrails)
        if rule.tools is None:
            return
        tools = self.parsed.configuration.tools
        if not tools.enabled:
            if rule.tools.enabled:
                yield _warning(f"{path}.tools.enabled", "no tool is offered while tools.enabled is false")
            return
        names = self._names("tool", (tool.name for tool in tools.registry))
        switched_off = {tool.name: _why_off(tool, tools.disabled_types) for tool in tools.registry}
        for position, name in enumerate(rule.tools.allowed_tools or ()):
            where = f"{path}.tools.allowed_tools[{position}]"
            if name not in names and (reason := self._of_server(name)) is not None:
                if reason:
                    yield _warning(where, f"allows no tool: {reason}")
            elif name not in names:
                yield _warning(where, f"no tool named {name!r}{did_you_mean(name, names)}")
            elif reason := switched_off.get(name):
                yield _warning(where, f"the tool {name!r} is not offered: {reason}")

    def _of_server(self, name: str) -> str | None:
        """Return the reason why a name of an MCP server's tools allows none; None for any other name."""
        from flexchat.config_check.mcp_servers import allowed_problem

        return allowed_problem(name, self.parsed.configuration, self._broken("mcp_server"))

    def _model(self, path: str, llm: str, model: str | None) -> Iterator[Problem]:
        llms = self.parsed.configuration.llms
        names = self._names("llm", llms)
        if llm not in names:
            yield Problem(f"{path}.llm", f"no llm named {llm!r}{did_you_mean(llm, names)}")
            return
        listed = llms[llm].models if llm in llms else ()
        if model is not None and listed and model not in listed:
            yield _warning(f"{path}.model", f"llms.{llm}.models does not list {model!r}{did_you_mean(model, listed)}")

    def _other_models(self, path: str, names: tuple[str, ...], *, own: ModelName | None = None) -> Iterator[Problem]:
        llms = self.parsed.configuration.llms
        yield from fallback_problems(path, names, llms, broken=self._broken("llm"), own=own)

    def _openai_api(self) -> Iterator[Problem]:
        section = self.parsed.configuration.openai_api
        yield from self._named_rules("openai_api.rules", section.rules)
        yield from self._other_models("openai_api.models", section.models)
        if section.embedding_model is not None:
            for problem in self._other_models("openai_api.embedding_model", (section.embedding_model,)):
                if problem.severity == "error":  # `models` of an llm lists those that answer chats
                    yield replace(problem, path=problem.path.removesuffix("[0]"))

    def _choices(self) -> Iterator[Problem]:
        section = self.parsed.configuration.choices
        yield from self._named_rules("choices.rules", section.rules)
        yield from self._other_models("choices.models", section.models)

    def _roles(self) -> Iterator[Problem]:
        configuration = self.parsed.configuration
        rules = (rule.name or f"responses[{place}]" for place, rule in enumerate(configuration.responses))
        yield from role_problems(
            configuration,
            rules=self._names("rule", rules),
            tools=self._names("tool", (tool.name for tool in configuration.tools.registry)),
        )
        yield from limit_problems(configuration)

    def _named_rules(self, path: str, rules: tuple[str, ...]) -> Iterator[Problem]:
        names = self._names("rule", (rule.name for rule in self.parsed.configuration.responses if rule.name))
        for position, name in enumerate(rules):
            if name not in names:
                yield Problem(f"{path}[{position}]", f"no rule named {name!r}{did_you_mean(name, names)}")

    def _fallback_rule(self) -> Iterator[Problem]:
        rules = self.parsed.configuration.responses
        fallbacks = Counter(rule.is_fallback for rule in rules)[True]
        if any(entry.kind == "rule" for entry in self.parsed.broken):
            return
        if not fallbacks:
            yield _warning("responses", "no fallback: a message that no rule matches gets no answer")
        elif fallbacks > 1:
            yield _warning("responses", f"{fallbacks} rules without match: only the first of them is ever used")


def _match(path: str, match: Mapping[str, Json]) -> Iterator[Problem]:
    for key, value in match.items():
        if key.endswith(REGEXP):
            yield from _pattern(f"{path}.{key}", value)


def _pattern(path: str, value: Json) -> Iterator[Problem]:
    if not isinstance(value, str):
        yield Problem(path, "must be a regular expression, as '/weather|forecast/i'")
        return
    try:
        compile_match(value)
    except PatternError as exc:
        yield Problem(path, str(exc))


def _why_off(tool: ToolDefinition, disabled_types: tuple[str, ...]) -> str | None:
    if not tool.enabled:
        return "it is disabled"
    if tool.implementation_type in disabled_types:
        return f"tools of type {tool.implementation_type!r} are disabled"
    return None


def _warning(path: str, message: str) -> Problem:
    return Problem(path, message, "warning")
