"""Names of models: `llm:model`, where the model's name may contain colons too (decision C29)."""

from collections.abc import Mapping

from msgspec import Struct

from flexchat.config.models.llms import LlmConfig
from flexchat.config.suggestions import did_you_mean


class ModelName(Struct, frozen=True):
    """Name of a model of a configured llm; `str` gives `llm:model`."""

    llm: str
    model: str

    def __str__(self) -> str:
        return f"{self.llm}:{self.model}"


def model_name(text: str, llms: Mapping[str, LlmConfig]) -> ModelName:
    """Return the model that `text` names.

    The part before the first colon is the llm only when an llm of that name is configured, so both `ollama:llama3.2:3b`
    and `llama3.2:3b` work. A name without an llm must be listed by exactly one llm. Raises ValueError with the valid
    names.
    """
    llm, colon, model = text.partition(":")
    if colon and llm in llms:
        if not model:
            raise ValueError(f"{text!r} is not a model name; write it as '{llm}:MODEL'")
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
