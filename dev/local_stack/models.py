"""Choice of the local model: the real one if it is reachable, else the demo model."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from dev.local_stack.ollama import is_ollama, ollama_address
from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import PROVIDERS, ProviderType
from flexchat.config.secrets import entry_references
from flexchat.egress.policy import is_loopback
from flexchat.egress.urls import host_of
from flexchat.messages import Json
from flexchat.secret_references import references_in

DEMO_KEY = "demo"
UNUSED_KEY = "unused"
"""Placeholder for a key that the configuration requires and the server, on this machine or at OPENAI_BASE_URL, does
not."""


@dataclass(frozen=True, slots=True)
class LlmChoice:
    """Model of one entry of `llms`, with the reason as text.

    `changes` are the keys that replace the authored ones locally.
    """

    llm: str
    type: ProviderType
    model: Literal["demo", "real", "as configured"]
    reason: str
    changes: Mapping[str, Json]


def choose_models(
    llms: Mapping[str, LlmConfig], environ: Mapping[str, str], *, answers: Callable[[str], bool] = is_ollama
) -> tuple[LlmChoice, ...]:
    """Return the choice for every llm; `environ` may contain their secrets, OPENAI_BASE_URL and OLLAMA_HOST.

    An entry with an address keeps it. `answers` tests for an Ollama at an address.
    """
    return tuple(_choose(name, entry, environ, answers) for name, entry in llms.items())


def local_address(type: ProviderType, environ: Mapping[str, str]) -> str | None:
    """Return the address in the environment for an llm without one of its own."""
    match type:
        case "openai":
            return environ.get("OPENAI_BASE_URL") or None
        case "ollama":
            return ollama_address(environ)
        case _:
            return None


def needs_demo(choices: tuple[LlmChoice, ...]) -> bool:
    """Return true when an llm needs the demo model."""
    return any(choice.model == "demo" for choice in choices)


def localised(source: Mapping[str, Json], choices: tuple[LlmChoice, ...], demo: str | None) -> dict[str, Json]:
    """Return the authored configuration with the local changes; `demo` is the demo model's address.

    `source` is not changed. An llm that a rule uses without an entry gets one.
    """
    authored = source.get("llms")
    llms = dict(authored) if isinstance(authored, dict) else {}
    for choice in choices:
        changes = _demo_changes(choice.type, demo) if choice.model == "demo" else choice.changes
        if changes:
            entry = llms.get(choice.llm)
            secret = PROVIDERS[choice.type].api_key_secret
            implied: dict[str, Json] = {"api_key": f"${{{secret}}}"} if secret else {}
            llms[choice.llm] = {"type": choice.type, **(entry if isinstance(entry, dict) else implied), **changes}
    return {**source, "llms": llms} if llms else dict(source)


def _demo_changes(type: ProviderType, url: str | None) -> Mapping[str, Json]:
    """Headers are removed too: they may name a missing secret, and the demo model needs none."""
    return {
        "base_url": url and f"{url}{PROVIDERS[type].base_path}",
        # Requests to Bedrock are signed with the emulator's credentials, without a key.
        "api_key": None if PROVIDERS[type].aws_signed else DEMO_KEY,
        "headers": {},
        "demo": True,
    }


def _choose(name: str, entry: LlmConfig, environ: Mapping[str, str], answers: Callable[[str], bool]) -> LlmChoice:
    missing = tuple(secret for secret in entry_references(entry) if not environ.get(secret))
    not_set = f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} not set"
    if entry.base_url is not None:
        if missing and is_loopback(host_of(entry.base_url)):
            reason = f"the server at {entry.base_url}, without a key: {not_set}"
            return LlmChoice(name, entry.type, "real", reason, _without_secrets(entry, missing))
        return LlmChoice(name, entry.type, "as configured", "as configured", {})
    if PROVIDERS[entry.type].aws_signed:
        return _demo(name, entry, "the local stack has no AWS account")
    if entry.type == "ollama":
        address = ollama_address(environ)
        if not answers(address):
            return _demo(name, entry, f"no Ollama answers at {address}")
        changes = {"base_url": address, **_without_secrets(entry, missing)}
        return LlmChoice(name, entry.type, "real", f"the Ollama at {address}", changes)
    base_url = local_address(entry.type, environ)
    if base_url:
        without_key: dict[str, Json] = {"api_key": UNUSED_KEY} if missing or entry.api_key is None else {}
        reason = f"the model at {base_url}"
        return LlmChoice(name, entry.type, "real", reason, {"base_url": base_url, **without_key})
    if missing:
        return _demo(name, entry, not_set)
    if entry.api_key is None:
        return _demo(name, entry, "no api_key is configured")
    return LlmChoice(name, entry.type, "real", f"the real model of {PROVIDERS[entry.type].label}", {})


def _demo(name: str, entry: LlmConfig, because: str) -> LlmChoice:
    return LlmChoice(name, entry.type, "demo", f"the demo model, because {because}", {})


def _without_secrets(entry: LlmConfig, missing: tuple[str, ...]) -> dict[str, Json]:
    """Return the changes that remove references to `missing` secrets, which would disable `entry`."""

    def names_missing(text: str) -> bool:
        return not set(references_in(text)).isdisjoint(missing)

    changes: dict[str, Json] = {}
    if entry.api_key is not None and names_missing(entry.api_key):
        changes["api_key"] = UNUSED_KEY
    if any(names_missing(text) for text in entry.headers.values()):
        changes["headers"] = {name: text for name, text in entry.headers.items() if not names_missing(text)}
    return changes
