"""Lists of Bedrock's models."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from types import SimpleNamespace
from typing import Any, cast

import botocore.session
import pytest
from boto3.session import Session
from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders

from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Deadline
from flexchat.errors import ModelError
from functions.chat.providers.base import ListedModel
from functions.chat.providers.bedrock.adapter import BedrockProvider
from functions.chat.providers.bedrock.aws.converse import ConverseError
from functions.chat.providers.bedrock.aws.text_models import BedrockModel, list_text_models


def bedrock_session(answers: Mapping[str, Any], *, status: int = 200, seen: list[Any] | None = None) -> Session:
    """Session with clients that return `answers` by path instead of connecting."""
    session = botocore.session.Session()
    session.set_credentials("AKIDEXAMPLE", "not-a-secret")

    def answer(*, request: Any, **_: object) -> AWSResponse:
        path = request.url.split("amazonaws.com")[-1]
        if seen is not None:
            seen.append((path, request.headers["x-team"].decode()))
        content = json.dumps(answers[path.partition("?")[0]]).encode()
        raw = SimpleNamespace(stream=iter_of(content))
        return AWSResponse(request.url, status, HTTPHeaders(), cast("Any", raw))

    session.register("before-send.bedrock", cast("Any", answer))
    return Session(botocore_session=session)


def iter_of(content: bytes) -> Callable[..., list[bytes]]:
    def stream(**_: object) -> list[bytes]:
        return [content]

    return stream


def foundation(model: str, **changes: Any) -> dict[str, Any]:
    return {
        "modelArn": f"arn:aws:bedrock:eu-west-1::foundation-model/{model}",
        "modelId": model,
        "inputModalities": ["TEXT"],
        "outputModalities": ["TEXT"],
        "inferenceTypesSupported": ["ON_DEMAND"],
        "modelLifecycle": {"status": "ACTIVE"},
        **changes,
    }


def profile(id: str, *models: str, status: str = "ACTIVE") -> dict[str, Any]:
    arns = [{"modelArn": f"arn:aws:bedrock:eu-west-1::foundation-model/{model}"} for model in models]
    return {
        "inferenceProfileId": id,
        "inferenceProfileName": id,
        "inferenceProfileArn": f"arn:aws:bedrock:eu-west-1:1:inference-profile/{id}",
        "models": arns,
        "status": status,
        "type": "SYSTEM_DEFINED",
    }


def test_only_text_models_of_bedrock_with_on_demand_or_profile_inference_are_listed() -> None:
    answers = {
        "/foundation-models": {
            "modelSummaries": [
                foundation("amazon.nova-lite-v1:0", inputModalities=["TEXT", "IMAGE"]),
                foundation("meta.old", modelLifecycle={"status": "LEGACY"}),
                foundation(
                    "anthropic.claude", inferenceTypesSupported=["INFERENCE_PROFILE"], inputModalities=["IMAGE"]
                ),
                foundation("amazon.embed", outputModalities=["EMBEDDING"]),
                {"modelArn": "arn:aws:bedrock:eu-west-1::foundation-model/bare", "modelId": "bare"},
            ]
        },
        "/inference-profiles": {
            "inferenceProfileSummaries": [
                profile("eu.anthropic.claude", "anthropic.claude"),
                profile("eu.amazon.embed", "amazon.embed"),
                profile("eu.meta.old", "meta.old", status="INACTIVE"),
            ]
        },
    }
    seen: list[Any] = []

    models = list_text_models(
        region="eu-west-1",
        endpoint_url=None,
        timeout_seconds=1,
        headers={"x-team": "blue"},
        session=bedrock_session(answers, seen=seen),
    )

    assert models == (BedrockModel("amazon.nova-lite-v1:0", True), BedrockModel("eu.anthropic.claude", True))
    assert seen == [("/foundation-models?byOutputModality=TEXT", "blue"), ("/inference-profiles", "blue")]


def test_a_rejection_of_bedrock_has_its_name_and_status() -> None:
    refusal = {"__type": "AccessDeniedException", "message": "not yours"}
    session = bedrock_session({"/foundation-models": refusal}, status=403)

    with pytest.raises(ConverseError) as caught:
        list_text_models(region="eu-west-1", endpoint_url=None, timeout_seconds=1, headers={}, session=session)

    assert (caught.value.status, caught.value.message) == (403, "not yours")


def test_bedrock_without_credentials_is_an_error() -> None:
    core = botocore.session.Session()
    core.get_component("credential_provider").providers.clear()

    with pytest.raises(ConverseError, match="NoCredentialsError"):
        list_text_models(
            region="eu-west-1", endpoint_url=None, timeout_seconds=1, headers={}, session=Session(botocore_session=core)
        )


class NoConversation:
    def converse(self, model: str, body: bytes, **_: object) -> bytes:
        raise AssertionError("no chat expected")

    def converse_stream(self, model: str, body: bytes, **_: object) -> AbstractContextManager[Iterator[bytes]]:
        raise AssertionError("no chat expected")


def test_the_bedrock_adapter_lists_the_models_of_its_region() -> None:
    created: list[Any] = []

    def models(**where: Any) -> tuple[BedrockModel, ...]:
        created.append({**where, "timeout_seconds": round(where["timeout_seconds"])})
        return (BedrockModel("amazon.nova-lite-v1:0", True),)

    config = LlmConfig(type="bedrock", region="eu-west-1", headers={"x-team": "blue"})
    provider = BedrockProvider("aws", config, client=NoConversation(), list_text_models=models)

    assert list(provider.list_models(Deadline.after(5))) == [ListedModel("amazon.nova-lite-v1:0", vision=True)]
    assert created == [
        {"region": "eu-west-1", "endpoint_url": None, "timeout_seconds": 5, "headers": {"x-team": "blue"}}
    ]


def test_the_bedrock_adapter_translates_errors() -> None:
    def models(**_: Any) -> tuple[BedrockModel, ...]:
        raise ConverseError("AccessDeniedException", "not yours", status=403)

    provider = BedrockProvider("aws", LlmConfig(type="bedrock"), client=NoConversation(), list_text_models=models)

    with pytest.raises(ModelError) as caught:
        provider.list_models(Deadline.after(5))

    assert (caught.value.type, caught.value.message, caught.value.provider) == ("permission", "not yours", "aws")
