"""Checks of a list of models, such as fallbacks: each exists and is listed once."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from flexchat.config.model_names import ModelName, model_name
from flexchat.config.models.llms import LlmConfig
from flexchat.config.suggestions import did_you_mean
from flexchat.errors import Problem


def fallback_problems(
    path: str,
    fallbacks: Sequence[str],
    llms: Mapping[str, LlmConfig],
    *,
    broken: Collection[str],
    own: ModelName | None = None,
) -> Iterator[Problem]:
    """Return the problems of one list of models at `path`.

    `broken` are llms whose entry is already reported, `own` is the model that the fallbacks replace.
    """
    first_at: dict[ModelName, int] = {}
    for position, text in enumerate(fallbacks):
        where = f"{path}[{position}]"
        if text.partition(":")[0] in broken:
            continue
        try:
            name = model_name(text, llms)
        except ValueError as exc:
            yield Problem(where, str(exc))
            continue
        first = first_at.setdefault(name, position)
        if name == own:
            yield Problem(where, f"{text!r} is the rule's own model: a fallback must be another model")
        elif first != position:
            yield Problem(where, f"{text!r} is already {path}[{first}]")
        listed = llms[name.llm].models
        if listed and name.model not in listed:
            hint = did_you_mean(name.model, listed)
            yield Problem(where, f"llms.{name.llm}.models does not list {name.model!r}{hint}", "warning")
