"""Chat function whose providers list models."""

from collections.abc import Mapping, Sequence
from typing import Any

from flexchat.config.catalog import Catalog, DisabledEntry
from flexchat.config.document import parse
from flexchat.config.models.llms import LlmConfig
from flexchat.errors import ConfigError, ModelError, Problem
from functions.chat.providers.base import ListedModel
from tests.functional.chat.harness import Chat, InProcessLambdas, serve
from tests.functional.chat.scripted_provider import ScriptedProvider
from tests.unit.validation.harness import TABLE

RULE = {"llm": "openai", "model": "gpt-4o", "prompt": ""}


class Service:
    """Deploy a service with a provider for each name in `listed`; creating any other llm fails."""

    def __init__(
        self,
        config: Mapping[str, Any],
        listed: Mapping[str, Sequence[ListedModel] | ModelError],
        *,
        disabled: tuple[DisabledEntry, ...] = (),
        unusable: Mapping[str, LlmConfig] | None = None,
        dynamodb: Any = None,
    ) -> None:
        source: dict[str, Any] = {"responses": [RULE], **config}
        configuration = parse(source).configuration
        usable = {name: llm for name, llm in configuration.llms.items() if name not in (unusable or {})}
        configuration = configuration.model_copy(update={"llms": usable})
        self.catalog = Catalog(configuration, disabled, "1", unusable_llms=unusable or {})
        self.providers = {name: ScriptedProvider([], name, listed=answer) for name, answer in listed.items()}
        self.now = 0.0
        lambdas = InProcessLambdas({})
        function = serve(
            lambdas,
            catalog=lambda: self.catalog,
            provider=self._provider,
            dynamodb=dynamodb,
            validation_table=TABLE if dynamodb else "",
            clock=lambda: self.now,
        )
        self.chat = Chat(function, ScriptedProvider([]), lambdas)

    def _provider(self, name: str, config: LlmConfig) -> ScriptedProvider:
        if name not in self.providers:
            raise ConfigError((Problem(f"llms.{name}.base_url", "must be an address"),))
        return self.providers[name]

    def list(self) -> dict[str, Any]:
        answer = self.chat.get("/api/models/list")
        assert answer.status == 200
        return answer.body


def seen(body: Mapping[str, Any]) -> dict[str, list[str]]:
    return {model["id"]: model["capabilities"] for model in body["models"]}


def down(name: str = "openai") -> ModelError:
    return ModelError("no connection could be made to the provider", type="network", provider=name)
