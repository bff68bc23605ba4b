"""Which model answers locally: the real one where it can be reached, else the demo model."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from flexchat.config.models import LlmConfig
from flexchat.config.secrets import entry_references
from flexchat.messages import Json

DEMO_KEY = "demo"
UNUSED_KEY = "unused"
"""The openai package insists on a key, also where the server behind OPENAI_BASE_URL asks for none."""


@dataclass(frozen=True, slots=True)
class LlmChoice:
    """What answers for one entry of `llms`, and why in words.

    `changes` are the keys that the local stack gets instead of the authored ones.
    """

    llm: str
    model: Literal["demo", "real", "as configured"]
    reason: str
    changes: Mapping[str, Json]


def choose_models(llms: Mapping[str, LlmConfig], environ: Mapping[str, str]) -> tuple[LlmChoice, ...]:
    """Decide for every llm; `environ` may hold the secrets they name, and OPENAI_BASE_URL.

    An entry with an address of its own is left alone, and so are other types than openai.
    """
    return tuple(_choose(name, entry, environ) for name, entry in llms.items())


def needs_demo(choices: tuple[LlmChoice, ...]) -> bool:
    """Whether any llm has to be the demo model."""
    return any(choice.model == "demo" for choice in choices)


def localised(source: Mapping[str, Json], choices: tuple[LlmChoice, ...], demo: str | None) -> dict[str, Json]:
    """The authored configuration as the local stack gets it; `demo` is the demo model's address.

    Nothing of `source` itself is changed. An llm that a rule uses without an entry gets one.
    """
    authored = source.get("llms")
    llms = dict(authored) if isinstance(authored, dict) else {}
    for choice in choices:
        changes = _demo_changes(demo) if choice.model == "demo" else choice.changes
        if changes:
            entry = llms.get(choice.llm)
            llms[choice.llm] = {"type": "openai", **(entry if isinstance(entry, dict) else {}), **changes}
    return {**source, "llms": llms} if llms else dict(source)


def _demo_changes(url: str | None) -> Mapping[str, Json]:
    """Headers go too: they may name a secret that is missing, and the demo model needs none."""
    return {"base_url": f"{url}/v1", "api_key": DEMO_KEY, "headers": {}}


def _choose(name: str, entry: LlmConfig, environ: Mapping[str, str]) -> LlmChoice:
    if entry.type != "openai" or entry.base_url is not None:
        return LlmChoice(name, "as configured", "as configured", {})
    missing = tuple(secret for secret in entry_references(entry) if not environ.get(secret))
    if base_url := environ.get("OPENAI_BASE_URL"):
        without_key: dict[str, Json] = {"api_key": UNUSED_KEY} if missing or entry.api_key is None else {}
        return LlmChoice(name, "real", f"the model at {base_url}", {"base_url": base_url, **without_key})
    if missing:
        return LlmChoice(name, "demo", f"the demo model, because {' and '.join(missing)} is not set", {})
    if entry.api_key is None:
        return LlmChoice(name, "demo", "the demo model, because no api_key is configured", {})
    return LlmChoice(name, "real", "the real model of OpenAI", {})
