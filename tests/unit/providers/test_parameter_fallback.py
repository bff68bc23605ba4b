import pytest

from flexchat.errors import ModelError
from functions.chat.providers.parameter_fallback import AdaptiveProfiles
from functions.chat.providers.profiles import ModelProfile, UnsupportedParameterError


def refusal(parameter: str) -> UnsupportedParameterError:
    return UnsupportedParameterError.of(ModelError("no", type="invalid_request", provider="main"), parameter)


def test_each_parameter_is_omitted_once_and_only_for_the_model_that_rejected_it() -> None:
    profiles = AdaptiveProfiles("main", lambda _model: ModelProfile())
    attempts: list[tuple[str, frozenset[str]]] = []

    def call_model(model: str) -> str:
        def call(profile: ModelProfile) -> str:
            attempts.append((model, profile.unsupported))
            if model == "new" and profile.supports("temperature"):
                raise refusal("temperature")
            if model == "new" and profile.supports("tool_choice"):
                raise refusal("tool_choice")
            return "answer"

        return profiles.call(model, call)

    assert [call_model("new"), call_model("new"), call_model("other")] == ["answer"] * 3
    assert attempts == [
        ("new", frozenset()),
        ("new", frozenset({"temperature"})),
        ("new", frozenset({"temperature", "tool_choice"})),
        ("new", frozenset({"temperature", "tool_choice"})),
        ("other", frozenset()),
    ]


def test_a_rejection_of_an_unsent_parameter_is_an_error() -> None:
    profiles = AdaptiveProfiles("main", lambda _model: ModelProfile(unsupported=frozenset({"temperature"})))

    def call(profile: ModelProfile) -> None:
        raise refusal("temperature")

    with pytest.raises(UnsupportedParameterError):
        profiles.call("m", call)
