"""Problems of the section `limits`: models without prices beside a limit of money."""

from collections.abc import Iterator

from flexchat.config.model_names import ModelName
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.limits import Limits, LimitsConfig
from flexchat.config.problems import path_of
from flexchat.config.used_models import used_models
from flexchat.errors import Problem
from flexchat.limits.windows import limits_in
from flexchat.prices import prices_of


def limit_problems(configuration: Configuration) -> Iterator[Problem]:
    """Report each model whose calls a limit of money could not count, at the first such limit."""
    path = _first_of_money(configuration.limits)
    if path is None:
        return
    llms = configuration.llms
    embedding_llm, _, embedding_model = (configuration.openai_api.embedding_model or "").partition(":")
    models = [*used_models(configuration), ModelName(embedding_llm, embedding_model)]
    for name in dict.fromkeys(models):
        if name.llm in llms and prices_of(name, llms) is None:
            yield Problem(
                path,
                f"a limit in US dollars needs the prices of every model, and {str(name)!r} has none; set 'input_price'"
                f" and 'output_price' in a profile of the llm {name.llm!r}, 0 for a model that costs nothing",
            )


def _first_of_money(config: LimitsConfig) -> str | None:
    for place, limits in _entries(config):
        for limit in limits_in(limits):
            if limit.quantity == "usd":
                return path_of((*place, limit.name))
    return None


def _entries(config: LimitsConfig) -> Iterator[tuple[tuple[str, ...], Limits]]:
    yield ("limits", "caller"), config.caller
    for group, entries in (
        ("roles", config.roles),
        ("principals", config.principals),
        ("role_totals", config.role_totals),
    ):
        for name, limits in entries.items():
            yield ("limits", group, name), limits
    yield ("limits", "session"), config.session
