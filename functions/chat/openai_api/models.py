"""Models that the OpenAI-compatible API offers, by their ids."""

from collections.abc import Mapping
from http import HTTPStatus

from msgspec import Struct

from flexchat.config.catalog import Catalog
from flexchat.config.model_names import ModelName, model_name
from flexchat.config.models.configuration import Configuration
from flexchat.config.suggestions import did_you_mean
from flexchat.errors import RequestError
from flexchat.messages import Json
from functions.chat.openai_api.errors import invalid_parameter

ALL_RULES = "flexchat"
"""Id of the model by which the first matching rule answers."""

OWNER = "flexchat"


class ChosenModel(Struct, frozen=True):
    """Rule and model that answer a chat; without a rule the first that matches, without a model those of the rule."""

    rule: str | None = None
    model: ModelName | None = None


def chat_models(configuration: Configuration) -> Mapping[str, ChosenModel]:
    """Return the models for chats by their ids."""
    section, llms = configuration.openai_api, configuration.llms
    names = {rule.name for rule in configuration.responses}
    models = {ALL_RULES: ChosenModel()}
    models |= {f"{ALL_RULES}/{rule}": ChosenModel(rule=rule) for rule in section.rules if rule in names}
    for text in section.models:
        try:
            models[text] = ChosenModel(model=model_name(text, llms))
        except ValueError:  # an llm that cannot be used at present
            continue
    return models


def chosen_model(id: str, configuration: Configuration) -> ChosenModel:
    """Return the model with an id. Raises RequestError (404)."""
    models = chat_models(configuration)
    if id not in models:
        raise not_found(id, tuple(models))
    return models[id]


def model_list(catalog: Catalog) -> list[dict[str, Json]]:
    """Return all models, with that of embeddings, as objects of the API."""
    ids = [*chat_models(catalog.configuration)]
    embedding_model = catalog.configuration.openai_api.embedding_model
    if embedding_model is not None and embedding_model not in ids:
        ids.append(embedding_model)
    created = int(catalog.changed.at) if catalog.changed else 0
    return [{"id": each, "object": "model", "created": created, "owned_by": OWNER} for each in ids]


def listed_model(id: str, catalog: Catalog) -> dict[str, Json]:
    """Return one model as an object of the API. Raises RequestError (404)."""
    models = model_list(catalog)
    found = next((model for model in models if model["id"] == id), None)
    if found is None:
        raise not_found(id, [str(model["id"]) for model in models])
    return found


def not_found(id: str, ids: tuple[str, ...] | list[str]) -> RequestError:
    """Return the error of an unknown model, whose message names the known ones."""
    known = ", ".join(map(repr, ids))
    message = f"{id[:256]!r} is not offered, only {known}{did_you_mean(id[:256], ids)}"
    return invalid_parameter("model", message, status=HTTPStatus.NOT_FOUND, code="model_not_found")
