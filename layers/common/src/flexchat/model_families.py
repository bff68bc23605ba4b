"""Built-in profiles of model families, in `model_families.json`: features, context windows and prices.

All entries whose pattern matches the name of a model apply; a later one overrides an earlier one. A new family is a new
entry, with the address of the page that has its facts.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, Literal

import msgspec
from msgspec import Struct

from flexchat.config.models.base import ReasoningEffort
from flexchat.config.providers import ProviderType

FILE: Final = Path(__file__).with_name("model_families.json")

_SNAPSHOT: Final = re.compile(r"-(\d{4}-\d\d-\d\d|\d{8})$")

type EffortForm = Literal["adaptive", "budget", "level", "flag", "nova", "openai"]
"""Form of the reasoning effort in a request, where the models of one provider differ."""


class FamilyPrices(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Prices in US dollars per million tokens, as of the date `as_of`, at the servers `hosts`.

    Prices of the prompt cache are `None` where they are the usual share of the input price.
    """

    input: float
    output: float
    cached_input: float | None = None
    cache_write: float | None = None
    as_of: str
    hosts: tuple[str, ...]


class ModelFamily(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Facts about the models of `providers` that have one of `names` or match `pattern`; `None` is not stated here.

    A name matches with the date of a snapshot too: `gpt-5-2025-08-07`, `claude-opus-4-5-20251101`. `source` is the
    address of the page with the facts. `unsupported` has the names of `ModelProfile`, `efforts` the reasoning efforts
    that the models accept. `context_window` is in tokens.
    """

    providers: tuple[ProviderType, ...]
    source: str
    names: tuple[str, ...] = ()
    pattern: str | None = None
    unsupported: tuple[str, ...] | None = None
    tools: bool | None = None
    system_text: bool | None = None
    reasoning: bool | None = None
    format_with_tools: bool | None = None
    prompt_cache: bool | None = None
    context_window: int | None = None
    effort_form: EffortForm | None = None
    efforts: tuple[ReasoningEffort, ...] | None = None
    prices: FamilyPrices | None = None
    vision: bool | None = None
    pdf: bool | None = None
    result_images: bool | None = None


@cache
def model_families() -> tuple[ModelFamily, ...]:
    """Return the entries of the file, the general ones first."""
    return msgspec.json.decode(FILE.read_bytes(), type=tuple[ModelFamily, ...])


@lru_cache(maxsize=1_024)
def families_of(provider: ProviderType, model: str) -> tuple[ModelFamily, ...]:
    """Return the entries for `model`, named without a vendor's path or a fine-tuning prefix.

    Examples: `openai/gpt-5.1`, `ft:o4-mini:team::id`.
    """
    name = model.rsplit("/", 1)[-1].removeprefix("ft:")
    return tuple(_matching(provider, name))


def prices_at(provider: ProviderType, model: str, host: str) -> FamilyPrices | None:
    """Return the prices of `model` at a server; None for another server's and for a fine-tuned model."""
    if model.startswith("ft:"):
        return None
    found = (family.prices for family in reversed(families_of(provider, model)) if family.prices is not None)
    return next((prices for prices in found if host in prices.hosts), None)


def _matching(provider: ProviderType, name: str) -> Iterator[ModelFamily]:
    base = _SNAPSHOT.sub("", name)
    for family in model_families():
        if provider in family.providers and _has(family, name, base):
            yield family


def _has(family: ModelFamily, name: str, base: str) -> bool:
    if family.pattern is None:
        return name in family.names or base in family.names
    return re.search(family.pattern, name) is not None
