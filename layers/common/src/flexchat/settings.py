"""Settings of a function: environment variables, parsed once into a model."""

from collections.abc import Mapping

from pydantic import ConfigDict, ValidationError

from flexchat.deferred_model import DeferredModel
from flexchat.errors import ConfigError, Problem

PREFIX = "FLEXCHAT_"


class Settings(DeferredModel):
    """Base of each function's settings.

    A field `stage` is read from `FLEXCHAT_STAGE`, a field `aws_region` from `AWS_REGION`.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")


def read_environment[T: Settings](model: type[T], environment: Mapping[str, str]) -> T:
    """Return the settings of `model` from environment variables; a structured field is declared as `pydantic.Json`.

    Raises ConfigError naming every variable that is missing or wrong.
    """
    variables = {name: _variable(name) for name in model.model_fields}
    values = {name: environment[variable] for name, variable in variables.items() if variable in environment}
    try:
        return model.model_validate_strings(values)
    except ValidationError as exc:
        problems = tuple(Problem(path=_variable(str(error["loc"][0])), message=error["msg"]) for error in exc.errors())
        raise ConfigError(problems) from exc


def _variable(name: str) -> str:
    return name.upper() if name.startswith("aws_") else PREFIX + name.upper()
