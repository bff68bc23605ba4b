"""Rejection of booleans in number fields of the API and the configuration."""

from typing import Any

import pytest
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from flexchat.api import ChatRequest
from flexchat.api.trials import TrialRequest
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.llms import LlmConfig
from flexchat.config.models.tools import ToolsConfig
from flexchat.json import StrictNumberModel
from flexchat.messages import Json
from flexchat.retrieval import CollectionMetadata
from flexchat.validation.cases import ValidationCase
from flexchat.validation.views import NewRun
from functions.chat.trials.phase_tests import TopicTrial


class _Inner(StrictNumberModel):
    ratio: float | None = None


class _Places(StrictNumberModel):
    number: int = 0
    listed: tuple[float, ...] = ()
    named: dict[str, int] = Field(default_factory=dict[str, int])
    either: str | int = ""
    inner: _Inner = _Inner()
    inners: tuple[_Inner, ...] = ()
    flag: bool = False


class _Early(StrictNumberModel):
    """Model with a forward reference to a later class."""

    number: int
    later: "_Later | None" = None


class _Later(StrictNumberModel):
    ratio: float


@pytest.mark.parametrize("sent", [{"number": True}, {"number": 1, "later": {"ratio": False}}])
def test_a_boolean_is_rejected_by_models_with_forward_references(sent: Any) -> None:
    with pytest.raises(ValidationError, match=r"Input should be a valid (integer|number)"):
        _Early.model_validate(sent)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("number", True),
        ("number", False),
        ("listed.1", [1, False]),
        ("named.a", {"a": True}),
        ("inner.ratio", {"ratio": False}),
        ("inners.0.ratio", [{"ratio": True}]),
    ],
)
def test_a_boolean_is_rejected_for_every_number_field(place: str, value: Any) -> None:
    with pytest.raises(ValidationError, match=rf"{place}\n  Input should be a valid (integer|number)"):
        _Places.model_validate({place.partition(".")[0]: value})


def test_numbers_and_booleans_of_the_right_type_are_accepted() -> None:
    sent = {"number": 5.0, "listed": [1, 0.5], "named": {"a": 1}, "either": 3, "inner": {"ratio": 0}, "flag": True}
    read = _Places.model_validate(sent)
    assert read == _Places(number=5, listed=(1.0, 0.5), named={"a": 1}, either=3, inner=_Inner(ratio=0.0), flag=True)
    assert _Places.model_json_schema()["properties"]["number"] == {"default": 0, "title": "Number", "type": "integer"}


@pytest.mark.parametrize(
    ("model", "fields"),
    [
        (ChatRequest, {"message": "a", "deadline_ms": True}),
        (TrialRequest, {"model": "a:b", "message": "a", "prompt": "", "temperature": False}),
        (NewRun, {"models": ["a:b"], "repeats": True}),
        (LlmConfig, {"type": "openai", "temperature": False}),
        (LlmConfig, {"type": "openai", "profiles": {"*": {"context_window": True}}}),
        (ToolsConfig, {"max_iterations": True}),
        (Configuration, {"sessions": {"ttl_days": True}}),
        (CollectionMetadata, {"match_threshold": False}),
        (ValidationCase, {"id": "a", "category": "simple", "message": "a", "expect": {}, "max_iterations": True}),
    ],
)
def test_models_of_the_api_the_configuration_and_suites_reject_booleans(model: type[BaseModel], fields: Any) -> None:
    with pytest.raises(ValidationError, match=r"Input should be a valid (integer|number)"):
        model.model_validate(fields)


def test_json_values_can_be_booleans() -> None:
    profile: dict[str, Json] = {"vip": True, "visits": 3, "nested": [False, 1.5]}
    assert ChatRequest(message="a", profile=profile).profile == profile
    assert TypeAdapter(TopicTrial).validate_python({"message": "a"}) == TopicTrial(message="a")
