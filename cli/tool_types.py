"""The tool types that this deployment runs, each with the model of its own `implementation`."""

from collections.abc import Mapping

from pydantic import BaseModel, ValidationError

from cli.config_check.check import ImplementationCheck
from flexchat.config.problems import problem_of
from flexchat.errors import Problem
from flexchat.messages import Json
from functions.retrieval.implementation import Implementation as InternalImplementation
from functions.tools.builtin.implementation import Implementation as BuiltinImplementation
from functions.tools.mock.implementation import Implementation as MockImplementation


def check_by(model: type[BaseModel]) -> ImplementationCheck:
    def check(implementation: Mapping[str, Json]) -> tuple[Problem, ...]:
        try:
            model.model_validate(implementation)
        except ValidationError as exc:
            return tuple(problem_of(error, model) for error in exc.errors(include_url=False))
        return ()

    return check


IMPLEMENTATIONS: Mapping[str, ImplementationCheck] = {
    "mock": check_by(MockImplementation),
    "builtin": check_by(BuiltinImplementation),
    "internal": check_by(InternalImplementation),
}
