"""Turns of calls that a case of a suite expects, and turns with a mistake."""

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

from dev.demo_model.conversation import OfferedTool, Parameter, PlannedCall
from flexchat.messages import Json
from flexchat.validation.call_matching import ReferenceCall, reference_turns
from flexchat.validation.cases import Suite, ValidationCase
from flexchat.validation.mocks import MockImplementation

Mistake = Literal["wrong_argument", "no_call", "extra_call", "wrong_tool"]
MISTAKES: tuple[Mistake, ...] = get_args(Mistake)

type Turn = tuple[ReferenceCall, ...]

_WRONG_TEXT = "something else entirely"
_FAR_OFF = 100_003
_EXAMPLES: Mapping[str, Json] = {"integer": 1, "number": 1, "boolean": True, "array": [], "object": {}}


def right_turns(suite: Suite, case: ValidationCase, tools: Sequence[OfferedTool]) -> tuple[Turn, ...]:
    """Return the turns that pass: the reference calls, after a failing attempt if the case tests recovery.

    If any call is accepted, it is one of the first offered tool.
    """
    if case.expect.any_call and not case.expect.turns:
        return ((_made_up(tools[0]),),) if tools else ()
    turns = reference_turns(case)
    failing = _failing_try(suite, case, tools) if case.expect.failed_calls else None
    return turns if failing is None else ((failing,), *turns)


def mistaken_turn(case: ValidationCase, right: Sequence[Turn], tools: Sequence[OfferedTool], mistake: Mistake) -> Turn:
    """Return the one turn of a failing model; empty when it answers without a call.

    A mistake that does not apply to the case is replaced by another.
    """
    if not right:
        return (_made_up(tools[0]),) if tools else ()
    if case.expect.any_call:
        return ()
    first = right[0]
    # A case that allows failed calls could accept a wrong call as one of them.
    can_spoil = bool(first[0].arguments) and not case.expect.failed_calls
    match mistake:
        case "wrong_argument" if can_spoil:
            return (_spoiled(first[0]), *first[1:])
        case "extra_call" if can_spoil:
            return (*first, _spoiled(first[0]))
        case "wrong_tool":
            wanted = {call.tool for turn in right for call in turn}
            other = next((tool for tool in tools if tool.name not in wanted), None)
            return () if other is None else (_made_up(other), *first[1:])
        case _:
            return ()


def planned(turn: Turn) -> tuple[PlannedCall, ...]:
    return tuple(PlannedCall(call.tool, call.arguments) for call in turn)


def _failing_try(suite: Suite, case: ValidationCase, tools: Sequence[OfferedTool]) -> ReferenceCall | None:
    """Return a call of an offered tool that its mock fails: with the values in the message, or without a prepared
    answer."""
    offered = {tool.name: tool for tool in tools}
    right = {call.tool: call for turn in reversed(reference_turns(case)) for call in turn}
    for tool in suite.tools:
        if tool.name not in offered:
            continue
        mock = MockImplementation.model_validate(tool.implementation)
        call = right.get(tool.name)
        for answer in mock.answers:
            if call is not None and answer.error is not None and _is_said(answer.when, case.message):
                return ReferenceCall(call.tool, {**call.arguments, **answer.when})
        if mock.error is not None and call is None:
            return _made_up(offered[tool.name])
        if mock.error is not None and call is not None:
            spoiled = (_spoiled(call, name) for name in call.arguments)
            return next((each for each in spoiled if mock.answer_to(each.arguments) is None), None)
    return None


def _is_said(values: Mapping[str, Json], message: str) -> bool:
    return all(str(value).casefold() in message.casefold() for value in values.values())


def _spoiled(call: ReferenceCall, name: str | None = None) -> ReferenceCall:
    """Return `call` with one wrong argument, by default the first."""
    spoiled = next(iter(call.arguments)) if name is None else name
    return ReferenceCall(call.tool, {**call.arguments, spoiled: _wrong(call.arguments[spoiled])})


def _wrong(value: Json) -> Json:
    match value:
        case bool():
            return not value
        case int() | float():
            return value + _FAR_OFF
        case list():
            return [*value, *value, _WRONG_TEXT]
        case _:
            return _WRONG_TEXT


def _made_up(tool: OfferedTool) -> ReferenceCall:
    """Return a call of `tool` that its schema accepts, as far as the schema is available."""
    required = (parameter for parameter in tool.parameters if parameter.required)
    return ReferenceCall(tool.name, {parameter.name: _example(parameter) for parameter in required})


def _example(parameter: Parameter) -> Json:
    return parameter.choices[0] if parameter.choices else _EXAMPLES.get(parameter.type, _WRONG_TEXT)
