"""Models of known accuracy on a suite, in one process: no network, no chat, the mocks' own answers."""

from collections.abc import Iterator

from dev.demo_model.accuracy import AccuracyModel
from dev.demo_model.conversation import Conversation, OfferedTool, PlannedCall, ToolReport
from dev.demo_model.protocols.requests import offered_tool
from flexchat.config.models.tools import ToolDefinition
from flexchat.errors import ToolInputError
from flexchat.json import dumps
from flexchat.messages import Json
from flexchat.schema import ArgumentChecker
from flexchat.validation.cases import Suite, ValidationCase
from flexchat.validation.grading import grade
from flexchat.validation.mocks import MockImplementation
from flexchat.validation.verdicts import MadeCall, Outcome, Verdict


class Validator:
    """Runs the cases of one suite with models of known accuracy, and grades the outcomes."""

    def __init__(self, suite: Suite) -> None:
        self._suite = suite
        self._model = AccuracyModel(lambda: (suite,))
        self._definitions = {tool.name: tool for tool in suite.tools}
        self._offered = {tool.name: offered_tool(tool.name, tool.parameters, tool.description) for tool in suite.tools}
        self._tools = {tool.name: _Tool(tool) for tool in suite.tools}

    def verdicts(self, model: str) -> Iterator[tuple[ValidationCase, Verdict]]:
        """Run every case once; a second run may differ."""
        for case in self._suite.cases:
            yield case, grade(case, self.outcome(model, case), self._definitions)

    def outcome(self, model: str, case: ValidationCase) -> Outcome:
        """Run a case with `model`, turn by turn."""
        names = case.tools if case.tools is not None else tuple(self._offered)
        tools = tuple(self._offered[name] for name in names)
        calls: list[MadeCall] = []
        reports: list[ToolReport] = []
        for turn in range(case.max_iterations):
            reply = self._model.reply(_conversation(model, case, tools, reports, turn))
            if reply is None:
                raise ValueError(f"{model!r} does not know the case {case.id!r}")
            if not reply.calls:
                return Outcome(tuple(calls), reply.text)
            for call in reply.calls:
                made, report = self._tools[call.tool].run(call, iteration=turn + 1)
                calls.append(made)
                reports.append(report)
        return Outcome(tuple(calls), "", limit="iterations")


class _Tool:
    """Tool of a suite: its schema rejects arguments, its mock answers the others."""

    def __init__(self, tool: ToolDefinition) -> None:
        self._name = tool.name
        self._checker = ArgumentChecker(tool.parameters)
        self._mock = MockImplementation.model_validate(tool.implementation)

    def run(self, call: PlannedCall, *, iteration: int) -> tuple[MadeCall, ToolReport]:
        arguments = {} if isinstance(call.arguments, str) else dict(call.arguments)
        error_type, content = self._answer(arguments)
        made = MadeCall(self._name, arguments, iteration, success=error_type is None, error_type=error_type)
        return made, ToolReport(self._name, arguments, content)

    def _answer(self, arguments: dict[str, Json]) -> tuple[str | None, str]:
        try:
            self._checker.check(arguments)
        except ToolInputError as error:
            return "invalid_arguments", f"Error: {error}"
        prepared = self._mock.answer_to(arguments)
        error = self._mock.error if prepared is None else prepared.error
        if error is not None:
            return "execution_failed", f"Error: {error}"
        return None, dumps(self._mock.mock_response if prepared is None else prepared.response)


def _conversation(
    model: str, case: ValidationCase, tools: tuple[OfferedTool, ...], reports: list[ToolReport], turns: int
) -> Conversation:
    return Conversation(model=model, message=case.message, tools=tools, reports=tuple(reports), turns=turns)
