"""Errors of malformed requests, for the models of every request body."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from flexchat.api import ChatRequest
from flexchat.api.sessions import NewSession, SessionChange
from flexchat.api.trials import ToolTest, TrialEvent
from flexchat.errors import Problem
from flexchat.http_api.errors import shape_error
from flexchat.validation.cases import Suite
from flexchat.validation.views import NewRun
from functions.chat.inspection.views import RuleMatch
from functions.chat.trials.phase_tests import IntentTrial, TopicTrial
from functions.retrieval.route_models import CalibrationRequest, CollectionChange, NewCollection, NewDocuments, Question

MODELS: tuple[type[BaseModel], ...] = (
    *(ChatRequest, TopicTrial, IntentTrial, NewSession, SessionChange, ToolTest, TrialEvent, NewRun, Suite, RuleMatch),
    *(CalibrationRequest, CollectionChange, NewCollection, NewDocuments, Question),
)

WRONG_VALUES: tuple[Any, ...] = (
    *(None, True, -1, 1.5, 10**30, float("nan"), float("inf"), "", " ", "x", "1" * 5_000, "a" * 40_000, "\ud83d"),
    *([], ["x"], [5], [[]], ["x"] * 300, [{}], {}, {"x": 1}, {"x": "a" * 3_000}, {"": "x"}),
)

LIBRARY_TEXT = re.compile(r"Input|String|valid|Field|Extra|Tuple|List|Dictionary|Value error|should|\bpydantic\b")


def problems(model: type[BaseModel], body: Any) -> tuple[Problem, ...]:
    try:
        model.model_validate(body)
    except ValidationError as exc:
        errors = [{**error, "loc": ("body", *error["loc"])} for error in exc.errors(include_url=False)]
        return shape_error(errors, model).details
    return ()


def wrong_bodies(model: type[BaseModel]) -> Iterator[Any]:
    """Bodies with each wrong value in the place of each field, and in fields of its objects."""
    for name in (*model.model_fields, "unknown"):
        for value in WRONG_VALUES:
            yield {name: value}
            yield {name: {"tools": [{"implementation": value, "name": value}], "match_threshold": value, "usd": value}}
            yield {name: [{"content": value, "text": value, "format": value, "expected": value}]}


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_a_request_error_has_no_text_of_a_library(model: type[BaseModel]) -> None:
    found = [problem for body in wrong_bodies(model) for problem in problems(model, body)]

    assert found
    assert [problem for problem in found if LIBRARY_TEXT.search(problem.message)] == []
    assert [problem for problem in found if not problem.message or len(problem.message) > 1_000] == []


@pytest.mark.parametrize(
    ("model", "body", "path", "message"),
    [
        (NewSession, {"titel": "a"}, "titel", "unknown key 'titel'; did you mean 'title'?"),
        (NewSession, {"x": 1}, "x", "unknown key 'x'; the keys are 'title'"),
        (SessionChange, {}, "title", "is required"),
        (SessionChange, {"title": None}, "title", "must be text, not null"),
        (SessionChange, {"title": " "}, "title", "must have at least 1 character"),
        (SessionChange, {"title": [1]}, "title", "must be text, not a list"),
        (SessionChange, {"title": {}}, "title", "must be text, not an object"),
        (NewRun, {"repeats": True}, "repeats", "must be a whole number, not true"),
        (NewRun, {"repeats": 1.5}, "repeats", "must be a whole number, not 1.5"),
        (NewRun, {"repeats": "x" * 61}, "repeats", f"must be a whole number, not '{'x' * 60}'… of 61 characters"),
        (NewRun, {"repeats": 0}, "repeats", "must be greater than or equal to 1, not 0"),
        (NewRun, {"repeats": 101}, "repeats", "must be less than or equal to 100, not 101"),
        (NewRun, {"budget": {"usd": 0}}, "budget.usd", "must be greater than 0, not 0"),
        (NewRun, {"budget": {"usd": "x"}}, "budget.usd", "must be a number, not 'x'"),
        (NewRun, {"budget": 5}, "budget", "must be an object, not 5"),
        (NewRun, {"stop_early": "perhaps"}, "stop_early", "must be true or false, not 'perhaps'"),
        (NewRun, {"models": "x"}, "models", "must be a list, not 'x'"),
        (NewRun, {"models": ["x"] * 51}, "models", "must have at most 50 items, not 51"),
        (NewRun, {"suite": "A B"}, "suite", "'A B' does not match ^[a-z0-9][a-z0-9_.-]{0,63}$"),
        (NewDocuments, {"documents": []}, "documents", "must have at least 1 item, not 0"),
        (ChatRequest, {"message": " "}, "message", "is required and must contain more than white space"),
        (ChatRequest, {"message": "a", "profile": []}, "profile", "must be an object, not a list"),
    ],
)
def test_a_request_error_has_the_wrong_value_and_the_correct_form(
    model: type[BaseModel], body: Any, path: str, message: str
) -> None:
    assert problems(model, body) == (Problem(path, message),)
