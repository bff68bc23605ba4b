"""What differs between model families of one wire, as data."""

import re
from dataclasses import dataclass, replace

from flexchat.errors import ModelError

LIMIT_PARAMETERS = ("max_tokens", "max_completion_tokens")
"""The names a token limit has, best known first."""

ADJUSTABLE_PARAMETERS = frozenset({*LIMIT_PARAMETERS, "temperature", "tool_choice"})
"""Parameters a request can do without. `tools` is not among them: an answer without the tools is another answer."""


class UnsupportedParameterError(ModelError):
    """The provider refused `parameter`, and the request can do without it."""

    parameter: str

    @classmethod
    def of(cls, error: ModelError, parameter: str) -> "UnsupportedParameterError":
        refused = cls(error.message, type=error.type, provider=error.provider, status=error.status)
        refused.parameter = parameter
        return refused


@dataclass(frozen=True, slots=True)
class ModelProfile:
    """What a model family does not take; the request is written without it."""

    unsupported: frozenset[str] = frozenset()

    @property
    def limit_parameter(self) -> str | None:
        """The name its token limit goes by, or `None` when it takes none."""
        return next((name for name in LIMIT_PARAMETERS if name not in self.unsupported), None)

    def takes(self, parameter: str) -> bool:
        return parameter not in self.unsupported

    def without(self, parameter: str) -> "ModelProfile":
        """This profile after the provider refused `parameter`."""
        return replace(self, unsupported=self.unsupported | {parameter})


_PLAIN = ModelProfile()
_REASONING = ModelProfile(unsupported=frozenset({"max_tokens", "temperature"}))

_OPENAI_FAMILIES: tuple[tuple[re.Pattern[str], ModelProfile], ...] = (
    (re.compile(r"gpt-5-chat\b"), _PLAIN),
    (re.compile(r"(o[134]|gpt-[5-9])(?![\w])"), _REASONING),
)
"""First match decides, on the model's name without a vendor's path or the mark of a fine-tuned model."""


def openai_profile(model: str) -> ModelProfile:
    """The profile of an OpenAI model name: `o3-mini`, `openai/gpt-5.1`, `ft:o4-mini:team::id`."""
    family = model.rsplit("/", 1)[-1].removeprefix("ft:")
    return next((profile for pattern, profile in _OPENAI_FAMILIES if pattern.match(family)), _PLAIN)
