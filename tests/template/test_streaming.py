"""The streaming function of the template, and its routes with and without it."""

import json
import os
import re

import pytest

from tests.template.resolver import Resolved
from tests.template.streaming_routes import STREAMING_ROUTES
from tests.template.transform import ROOT, Transformed


@pytest.mark.parametrize("streams", ["true", "false"])
def test_routes_that_stream_invoke_the_streaming_function_if_there_is_one(template: Transformed, streams: str) -> None:
    stack = Resolved(template, {"StreamingEnabled": streams})
    name = "ChatStreamFunction" if streams == "true" else "ChatFunction"
    paths = stack.properties("Api")["Body"]["paths"]
    gateway = "arn:aws:apigateway:eu-central-1:lambda:path"
    alias = stack.value({"Ref": f"{name}Aliaslive"})
    whole = {"uri": f"{gateway}/2015-03-31/functions/{alias}/invocations"}
    streamed = {
        "uri": f"{gateway}/2021-11-15/functions/{alias}/response-streaming-invocations",
        "responseTransferMode": "STREAM",
        "timeoutInMillis": 300_000,
    }

    for (path, method), permission in STREAMING_ROUTES.items():
        assert paths[path][method] == {
            "x-amazon-apigateway-integration": {
                "type": "aws_proxy",
                "httpMethod": "POST",
                **(streamed if streams == "true" else whole),
            },
            "responses": {},
            "security": [{"OpenAiAuthorizer" if path.startswith("/v1/") else "TokenAuthorizer": []}],
        }
        granted = stack.properties(permission)
        route = f"{method.upper()}{re.sub('{[^}]+}', '*', path)}"
        assert granted["SourceArn"] == f"arn:aws:execute-api:eu-central-1:123456789012:Api/*/{route}"
        assert (granted["Action"], granted["FunctionName"]) == ("lambda:InvokeFunction", alias)


def test_streaming_function_and_all_of_its_resources_exist_only_when_it_is_enabled(template: Transformed) -> None:
    off, on = Resolved(template, {"StreamingEnabled": "false"}), Resolved(template)
    optional = {name for name in template.resources if on.exists(name) and not off.exists(name)}

    assert {name for name in template.resources if name.startswith("ChatStream")} == optional
    assert template.properties("ChatStreamFunction")["Timeout"] == 300
    assert not set(json.dumps(off.properties("Dashboard")).split('"')) & {"ChatStreamErrorsAlarm"}


def test_streaming_function_has_the_code_role_and_variables_of_the_chat_function(template: Transformed) -> None:
    own = {"Description", "FunctionName", "LoggingConfig", "Environment"}
    chat, stream = (Resolved(template).properties(name) for name in ("ChatFunction", "ChatStreamFunction"))
    wrapper = "functions/chat/streaming/exec_wrapper"

    assert stream["Environment"]["Variables"] == chat["Environment"]["Variables"] | {
        "POWERTOOLS_SERVICE_NAME": "chat-stream",
        "AWS_LAMBDA_EXEC_WRAPPER": f"/var/task/{wrapper}",
        "FLEXCHAT_RUNS_FUNCTION": Resolved(template).value({"Ref": "ChatFunctionAliaslive"}),
    }
    shared = {key: value for key, value in chat.items() if key not in own}
    expected = shared | {"Timeout": 300}
    assert {key: value for key, value in stream.items() if key not in own} == expected
    assert os.access(ROOT / wrapper, os.X_OK)


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({}, ("PublishedVersions", "PublishedVersions")),
        ({"StreamingSnapStartEnabled": "false"}, ("PublishedVersions", "None")),
        ({"SnapStartEnabled": "false"}, ("None", "None")),
    ],
)
def test_the_streaming_function_starts_from_snapshots_as_all_functions_unless_it_is_excepted(
    template: Transformed, parameters: dict[str, str], expected: tuple[str, str]
) -> None:
    stack = Resolved(template, parameters)
    found = tuple(stack.properties(name)["SnapStart"]["ApplyOn"] for name in ("ChatFunction", "ChatStreamFunction"))

    assert found == expected
