"""Chat function with tables and a Lambda service that queues background work."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from botocore.exceptions import ClientError

from flexchat.config.catalog import Catalog
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Clock
from flexchat.runs import WallClock
from functions.chat.app import ChatFunction
from functions.tools.builtin.app import lambda_handler as builtin_handler
from functions.tools.mock.app import lambda_handler as mock_handler
from tests.functional.chat.harness import Chat, InProcessLambdas, LambdaContext, serve
from tests.functional.chat.scripted_provider import ScriptedProvider, Step


@dataclass
class Lambdas(InProcessLambdas):
    """Fake Lambda service that runs tools synchronously and queues other events; `refuses` makes the queue fail."""

    queued: list[tuple[str, dict[str, Any]]] = field(default_factory=list[tuple[str, dict[str, Any]]])
    refuses: bool = False

    def invoke(  # botocore's own names
        self,
        *,
        FunctionName: str,  # noqa: N803
        Payload: bytes,  # noqa: N803
        InvocationType: str = "RequestResponse",  # noqa: N803
    ) -> dict[str, Any]:
        if InvocationType != "Event":
            return super().invoke(FunctionName=FunctionName, Payload=Payload)
        if self.refuses:
            raise ClientError({"Error": {"Code": "ServiceException", "Message": "try later"}}, "Invoke")
        self.queued.append((FunctionName, json.loads(Payload)))
        return {"StatusCode": 202}


@dataclass
class BackgroundChat(Chat):
    """Deployed chat function and its Lambda service; `catalog_error` is raised when it reads its configuration."""

    background: Lambdas = field(kw_only=True)
    catalog_error: Exception | None = None

    def deliver(self, *, remaining_ms: int = 900_000) -> Any:
        """Deliver the last queued event."""
        _, order = self.background.queued[-1]
        return self.function.handle(order, LambdaContext(remaining_ms=remaining_ms))

    def delete(self, path: str, *, principal: str | None = None) -> Any:
        return self.request("DELETE", path, principal=principal)


def deploy_with_background(
    script: Sequence[Step],
    config: Mapping[str, Any],
    dynamodb: Any,
    *,
    runs_function: str = "",
    allowed_origins: tuple[str, ...] = (),
    secretsmanager: Any = None,
    handlers: Mapping[str, Callable[[Any, Any], Any]] | None = None,
    clock: Clock = time.monotonic,
    now: WallClock = time.time,
) -> BackgroundChat:
    """Return the chat function on `config` with a model that follows `script`."""
    model = ScriptedProvider(list(script))
    lambdas = Lambdas({"mock": mock_handler, "builtin": builtin_handler, **(handlers or {})})
    catalog = Catalog(configuration=Configuration.model_validate(config), disabled=(), version="1")

    def create_provider(name: str, _config: LlmConfig) -> ScriptedProvider:
        model.name = name
        return model

    def read_catalog() -> Catalog:
        if chat.catalog_error is not None:
            raise chat.catalog_error
        return catalog

    function: ChatFunction = serve(
        lambdas,
        catalog=read_catalog,
        provider=create_provider,
        dynamodb=dynamodb,
        secretsmanager=secretsmanager,
        runs_function=runs_function,
        allowed_origins=allowed_origins,
        clock=clock,
        now=now,
    )
    chat = BackgroundChat(function, model, lambdas, background=lambdas)
    return chat
