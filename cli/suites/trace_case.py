"""Validation case of a trace, added to a suite of the service."""

import json
from collections.abc import Iterator, Mapping

from cli.client import Client
from cli.errors import ServiceError
from cli.invocation import flexchat
from cli.transport import parse_answer
from flexchat.config.models.tools import ToolDefinition
from flexchat.messages import Json
from flexchat.text import counted
from flexchat.validation.cases import Suite, ValidationCase


def add_case(client: Client, trace_id: str, name: str) -> str:
    """Store the case of a trace in the suite `name`, which is created unless it exists; return a sentence about it.

    A case with the same id is replaced. Raises ServiceError for a trace or a suite without one.
    """
    made = parse_answer(Suite, client.trace_case(trace_id))
    existing = _suite(client, name)
    suite = made.model_copy(update={"name": name}) if existing is None else _merged(existing, made)
    client.put_suite(name, _document(suite))
    note = ""
    if existing is not None and existing.prompt != made.prompt:
        note = "\nIts system prompt differs from the suite's, which every case of the suite has."
    run = flexchat("validate", "run", "--suite", name, "--model", "LLM:MODEL")
    return f"{name}: {counted(len(suite.cases), 'case')}, with that of {trace_id}; run it: {run}{note}"


def _suite(client: Client, name: str) -> Suite | None:
    try:
        return parse_answer(Suite, client.suite(name))
    except ServiceError as error:
        if error.status == 404:
            return None
        raise


def _merged(suite: Suite, made: Suite) -> Suite:
    """Return the suite with the tools and the cases of another one; each case is offered the same tools as before."""
    tools = {tool.name: tool for tool in suite.tools}
    for tool in made.tools:
        known = tools.get(tool.name)
        tools[tool.name] = tool if known is None else _with_answers(known, tool, suite.name)
    cases = {case.id: case for each in (suite, made) for case in _pinned(each, of=len(tools))}
    return suite.model_copy(update={"tools": tuple(tools.values()), "cases": tuple(cases.values())})


def _pinned(suite: Suite, *, of: int) -> Iterator[ValidationCase]:
    """Yield the cases of a suite; unless it has all tools of the merged one, those without tools name the suite's."""
    offered = tuple(tool.name for tool in suite.tools)
    for case in suite.cases:
        if case.tools is None and len(offered) < of:
            yield case.model_copy(update={"tools": offered})
        else:
            yield case


def _with_answers(known: ToolDefinition, added: ToolDefinition, suite: str) -> ToolDefinition:
    """Return a tool of a suite with the prepared answers of a call of the same tool.

    Raises ServiceError for a tool with other parameters.
    """
    if known.parameters != added.parameters:
        raise ServiceError(
            f"the suite {suite!r} has a tool {known.name!r} with other parameters than those of the trace; "
            "name another suite"
        )
    answers = _answers(known)
    answers += [answer for answer in _answers(added) if answer not in answers]
    # A mock returns the first answer whose arguments a call has: one with more arguments first.
    answers.sort(key=lambda answer: -_conditions(answer))
    if not answers:
        return known
    return known.model_copy(update={"implementation": {**known.implementation, "answers": answers}})


def _answers(tool: ToolDefinition) -> list[Json]:
    answers = tool.implementation.get("answers")
    return list(answers) if isinstance(answers, list) else []


def _conditions(answer: Json) -> int:
    when = answer.get("when") if isinstance(answer, dict) else None
    return len(when) if isinstance(when, dict) else 0


def _document(suite: Suite) -> Mapping[str, Json]:
    return json.loads(suite.model_dump_json(exclude_defaults=True))
