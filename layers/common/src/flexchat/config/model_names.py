"""Models by name: `llm:model`, where a model's own name may have colons too (decision C29)."""

from collections.abc import Mapping
from dataclasses import dataclass

from flexchat.config.models.llms import LlmConfig
from flexchat.config.suggestions import did_you_mean


@dataclass(frozen=True, slots=True)
class ModelName:
    """A model of a configured llm; `str` gives `llm:model`."""

    llm: str
    model: str

    def __str__(self) -> str:
        return f"{self.llm}:{self.model}"


def model_name(text: str, llms: Mapping[str, LlmConfig]) -> ModelName:
    """The model that `text` names.

    What stands before the first colon is the llm only when one of that name is configured, so `ollama:llama3.2:3b` and
    a bare `llama3.2:3b` both work; a bare name needs exactly one llm that lists it. Raises ValueError saying what would
    be right.
    """
    llm, colon, model = text.partition(":")
    if colon and llm in llms:
        if not model:
            raise ValueError(f"{text!r} names no model; write it as '{llm}:MODEL'")
        return ModelName(llm, model)
    listing = [name for name, config in llms.items() if text in config.models]
    if len(listing) == 1:
        return ModelName(listing[0], text)
    if listing:
        raise ValueError(
            f"several llms list {text!r}: write it as " + " or ".join(f"'{name}:{text}'" for name in listing)
        )
    known = ", ".join(repr(name) for name in llms)
    raise ValueError(f"no llm named {llm!r}" + (f" among {known}" if known else "") + did_you_mean(llm, llms))
