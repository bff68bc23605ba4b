"""Routes that test a model with the configured tools, and one tool without a model."""

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body

from flexchat.api import ChatResponse
from flexchat.api.tool_calls import ToolCallOutcome, ToolCallRequest
from flexchat.api.trials import ToolTest
from flexchat.http_api.openapi import responses
from functions.chat.api.services import ChatRouter

_ERRORS = (400, 401, 403, 404, 413, 415, 429, 500, 502, 503, 504)

router = ChatRouter()


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
    responses=responses(ChatResponse, errors=_ERRORS),
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
