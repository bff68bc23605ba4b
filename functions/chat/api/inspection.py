"""Routes of operators: configuration, tools, models, and tests of phases, models and tools."""

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body

from flexchat.api import ChatResponse
from flexchat.api.explain import IntentView, TopicView
from flexchat.api.listings import ModelList, ToolList
from flexchat.api.tool_calls import ToolCallOutcome, ToolCallRequest
from flexchat.api.trials import ToolTest
from flexchat.http_api.openapi import responses
from functions.chat.api.services import STORE_SECONDS, ChatRouter
from functions.chat.inspection.views import ConfigurationView, RuleMatch, RuleMatchView
from functions.chat.trials.phase_tests import IntentTrial, TopicTrial

router = ChatRouter()


@router.endpoint(
    "GET",
    "/api/config",
    role="operator",
    right="configure",
    summary="Get the live configuration",
    description="The configuration with its problems, for an operator, without prompts, keys and headers.",
    tags=["configuration"],
    responses=responses(ConfigurationView),
)
def show() -> ConfigurationView:
    return router.services.operations.inspector.show_configuration()


@router.endpoint(
    "POST",
    "/api/config/match",
    role="operator",
    right="configure",
    summary="Match a profile against the response rules",
    description="The rule, model and tools that would answer for a profile, for an operator. No model is called.",
    tags=["configuration"],
    responses=responses(RuleMatchView),
)
def match(match: Annotated[RuleMatch, Body()]) -> RuleMatchView:
    return router.services.operations.inspector.match_rule(match, deadline=router.deadline(at_most=STORE_SECONDS))


@router.endpoint(
    "GET",
    "/api/tools/list",
    role="user",
    summary="List the tools",
    tags=["tools"],
    responses=responses(ToolList),
)
def list_tools() -> ToolList:
    return router.services.operations.inspector.list_tools(router.caller, router.deadline())


@router.endpoint(
    "GET",
    "/api/models/list",
    role="user",
    summary="List the models",
    tags=["models"],
    responses=responses(ModelList),
)
def list_models() -> ModelList:
    return router.services.operations.inspector.list_models(router.caller, router.deadline())


@router.endpoint(
    "POST",
    "/api/connections/llm/discovery/models",
    role="user",
    summary="List the models (earlier path)",
    tags=["models"],
    responses=responses(ModelList),
)
def discover_models() -> ModelList:
    return router.services.operations.inspector.list_models(router.caller, router.deadline())


_PHASE_ERRORS = (400, 401, 403, 409, 413, 415, 429, 500, 503)


@router.endpoint(
    "POST",
    "/api/topic/test",
    role="operator",
    right="configure",
    summary="Test the topic phase",
    description="The topic of a message, for an operator. A failure of the model is an `error` in the response.",
    tags=["phases"],
    responses=responses(TopicView, errors=_PHASE_ERRORS),
)
def try_topic(trial: Annotated[TopicTrial, Body()]) -> TopicView:
    return router.services.operations.phase_tests.try_topic(
        trial, caller=router.caller, deadline=router.deadline(), request_id=router.request_id
    )


@router.endpoint(
    "POST",
    "/api/intent/test",
    role="operator",
    right="configure",
    summary="Test the intent phase",
    description="The intent of a message, for an operator. A failure of the model is an `error` in the response.",
    tags=["phases"],
    responses=responses(IntentView, errors=_PHASE_ERRORS),
)
def try_intent(trial: Annotated[IntentTrial, Body()]) -> IntentView:
    return router.services.operations.phase_tests.try_intent(
        trial, caller=router.caller, deadline=router.deadline(), request_id=router.request_id
    )


_TEST_ERRORS = (400, 401, 403, 404, 413, 415, 429, 500, 502, 503, 504)


@router.endpoint(
    "POST",
    "/api/tools/test",
    role="user",
    summary="Test a model with the configured tools",
    description=(
        "The answer of one chat with this model and the configured tools. A user may test the models that response "
        "rules name, with the tools that these rules allow; an operator every model and tool. The test is recorded "
        "and does not count for the model's validation, unless an operator sends `count`: then it has passed when "
        "a tool call succeeded and no limit was reached; an answer without a call does not count."
    ),
    tags=["tools"],
    responses=responses(ChatResponse, errors=_TEST_ERRORS),
)
def test_tools(test: Annotated[ToolTest, Body()]) -> ChatResponse:
    return router.services.operations.quick_tests.run(
        test, caller=router.caller, deadline=router.deadline(), request_id=router.request_id
    )


@router.endpoint(
    "POST",
    "/api/tools/call",
    role="operator",
    summary="Call one tool without a model",
    description=(
        "The result of one call of a configured tool, for an operator, as a chat would make it: with the same checks "
        "of the arguments, timeout and limits. A failed call is a `result` with `success` false. `inspection` has the "
        "requests that an HTTP tool sent and their responses, without secrets. The call has the effects of the tool."
    ),
    tags=["tools"],
    responses=responses(ToolCallOutcome, errors=(400, 401, 403, 404, 409, 413, 415, 429, 500, 503)),
)
def call_tool(call: Annotated[ToolCallRequest, Body()]) -> ToolCallOutcome:
    return router.services.operations.tool_call_tests.call(
        call, caller=router.caller, deadline=router.deadline(), request_id=router.request_id
    )
