"""Models and inference profiles of Bedrock's control plane."""

from collections.abc import Mapping
from typing import Any, Protocol, cast

from boto3.session import Session
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from msgspec import Struct

from flexchat.aws.clients import new_session
from functions.chat.providers.bedrock.aws.converse import ConverseError


class BedrockModel(Struct, frozen=True):
    """A model or an inference profile for on-demand requests, by its id."""

    id: str
    reads_images: bool


class ListTextModels(Protocol):
    """Lists the models that generate text."""

    def __call__(
        self, *, region: str | None, endpoint_url: str | None, timeout_seconds: float, headers: Mapping[str, str]
    ) -> tuple[BedrockModel, ...]: ...


def list_text_models(
    *,
    region: str | None,
    endpoint_url: str | None,
    timeout_seconds: float,
    headers: Mapping[str, str],
    session: Session | None = None,
) -> tuple[BedrockModel, ...]:
    """Return the region's active models that generate text, and then their inference profiles.

    Many models are available through a profile only (`us.anthropic…`). Without `region` it is the environment's. Every
    request has `headers`. Raises ConverseError.
    """
    config = Config(
        connect_timeout=timeout_seconds,
        read_timeout=timeout_seconds,
        retries={"mode": "standard", "total_max_attempts": 1},
    )

    def add_headers(*, params: dict[str, Any], **_: object) -> None:
        params["headers"].update(headers)

    try:
        client = cast("Any", session or new_session()).client(
            "bedrock", region_name=region, endpoint_url=endpoint_url, config=config
        )
        client.meta.events.register("before-call.bedrock", add_headers)
        models: list[dict[str, Any]] = client.list_foundation_models(byOutputModality="TEXT")["modelSummaries"]
        pages = client.get_paginator("list_inference_profiles").paginate()
        profiles: list[dict[str, Any]] = [profile for page in pages for profile in page["inferenceProfileSummaries"]]
    except ClientError as exc:
        error, metadata = exc.response.get("Error", {}), exc.response.get("ResponseMetadata", {})
        raise ConverseError(
            error.get("Code", ""), error.get("Message", ""), status=metadata.get("HTTPStatusCode")
        ) from exc
    except BotoCoreError as exc:
        raise ConverseError(type(exc).__name__) from exc
    reads_images = {
        model["modelId"]: "IMAGE" in model.get("inputModalities", ()) for model in models if _writes_text(model)
    }
    on_demand = [model["modelId"] for model in models if _writes_text(model) and _is_on_demand(model)]
    found = [BedrockModel(model, reads_images[model]) for model in on_demand]
    for profile in profiles:
        behind = {model["modelArn"].rpartition("/")[2] for model in profile["models"]} & reads_images.keys()
        if behind and profile["status"] == "ACTIVE":
            found.append(BedrockModel(profile["inferenceProfileId"], any(reads_images[model] for model in behind)))
    return tuple(found)


def _writes_text(model: Mapping[str, Any]) -> bool:
    """Return True for text output; an emulator of the service may not filter."""
    return "TEXT" in model.get("outputModalities", ())


def _is_on_demand(model: Mapping[str, Any]) -> bool:
    active = model.get("modelLifecycle", {}).get("status", "ACTIVE") == "ACTIVE"
    return active and "ON_DEMAND" in model.get("inferenceTypesSupported", ())
