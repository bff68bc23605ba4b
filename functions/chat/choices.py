"""Choice of the response rule and the model by a caller, as far as the configuration lets them choose."""

from http import HTTPStatus
from typing import Final

from msgspec import Struct

from flexchat.config.model_names import ModelName, model_name
from flexchat.config.models.configuration import Configuration
from flexchat.config.suggestions import did_you_mean
from flexchat.errors import RequestError
from flexchat.http_api.caller import Caller


class Choice(Struct, frozen=True):
    """Response rule and model (`llm:model`) that a caller chose for a message."""

    rule: str | None = None
    model: str | None = None


NO_CHOICE: Final = Choice()


class OfferedChoices(Struct, frozen=True):
    """Names of the response rules and the models (`llm:model`) that a caller may choose."""

    rules: tuple[str, ...] = ()
    models: tuple[str, ...] = ()


def offered_choices(configuration: Configuration, caller: Caller) -> OfferedChoices:
    """Return the rules and models that a caller may choose; none where the configuration has no choice for them."""
    section = configuration.choices
    if not may_choose(configuration, caller):
        return OfferedChoices()
    names = {rule.name for rule in configuration.responses}
    return OfferedChoices(
        rules=tuple(name for name in section.rules if name in names),
        models=tuple(name for name in section.models if _model_of(name, configuration) is not None),
    )


def may_choose(configuration: Configuration, caller: Caller) -> bool:
    """Return whether the section `choices` is for a caller; the role `operator` includes `user`."""
    return caller.is_operator or caller.has_one_of(configuration.choices.roles)


def chosen_model(choice: Choice, configuration: Configuration, caller: Caller) -> ModelName | None:
    """Return the model of a choice, None for the rule's models.

    Raises RequestError: 403 for a caller whom the configuration does not let choose, 400 for a rule or a model that is
    not offered.
    """
    if choice == NO_CHOICE:
        return None
    if not may_choose(configuration, caller):
        roles = " or ".join(map(repr, configuration.choices.roles)) or "none"
        message = (
            f"a rule or a model may be chosen with the role {roles}, by the section `choices` of the configuration; "
            "leave rule and model out"
        )
        raise RequestError(message, status=HTTPStatus.FORBIDDEN, code="choice_not_allowed")
    offered = offered_choices(configuration, caller)
    _check("rule", choice.rule, offered.rules)
    _check("model", choice.model, offered.models)
    return None if choice.model is None else _model_of(choice.model, configuration)


def _check(field: str, name: str | None, offered: tuple[str, ...]) -> None:
    if name is None or name in offered:
        return
    only = f"only {', '.join(map(repr, offered))}" if offered else f"the section `choices` offers no {field}"
    message = f"the {field} {name!r} is not offered, {only}{did_you_mean(name, offered)}"
    raise RequestError(message, code="choice_not_offered")


def _model_of(name: str, configuration: Configuration) -> ModelName | None:
    """Return a model by its name; None for one whose llm cannot be used at present."""
    try:
        return model_name(name, configuration.llms)
    except ValueError:
        return None
