"""Built-in profiles of model families: the data file, and which of its entries a model has."""

import re
from datetime import date
from urllib.parse import urlsplit

import pytest

from flexchat.config.providers import PROVIDERS, ProviderType
from flexchat.model_families import FILE, ModelFamily, families_of, model_families, prices_at

MAX_FILE_BYTES = 40_000


def name_of(family: ModelFamily) -> str:
    return f"{family.providers[0]}: {family.pattern or family.names[0]}"


@pytest.mark.parametrize("family", model_families(), ids=name_of)
def test_every_entry_has_a_matcher_a_source_and_facts(family: ModelFamily) -> None:
    address = urlsplit(family.source)

    assert (address.scheme, bool(address.hostname), "." in address.netloc) == ("https", True, True)
    assert bool(family.names) != (family.pattern is not None)
    facts = (
        family.unsupported,
        family.tools,
        family.system_text,
        family.reasoning,
        family.prompt_cache,
        family.context_window,
        family.effort_form,
        family.efforts,
        family.prices,
        family.vision,
        family.pdf,
        family.result_images,
        family.format_with_tools,
    )
    assert any(fact is not None for fact in facts)
    assert set(family.providers) <= set(PROVIDERS)


@pytest.mark.parametrize("family", [each for each in model_families() if each.pattern is not None], ids=name_of)
def test_every_pattern_compiles(family: ModelFamily) -> None:
    assert re.compile(family.pattern or "").groups < 100


@pytest.mark.parametrize("family", [each for each in model_families() if each.prices is not None], ids=name_of)
def test_prices_have_names_a_date_and_the_servers_they_apply_to(family: ModelFamily) -> None:
    prices = family.prices
    assert prices is not None

    assert family.names
    assert date.fromisoformat(prices.as_of) <= date(2026, 12, 31)
    assert prices.hosts
    assert all("." in host for host in prices.hosts)
    assert 0 < prices.input <= prices.output
    assert prices.cached_input is None or prices.cached_input < prices.input


def test_no_model_of_ollama_has_a_context_window_since_it_is_sent_as_num_ctx() -> None:
    windows = [family.context_window for family in model_families() if "ollama" in family.providers]

    assert set(windows) == {None}


def test_the_file_is_small() -> None:
    assert FILE.stat().st_size < MAX_FILE_BYTES


@pytest.mark.parametrize(
    ("type", "model", "window"),
    [
        ("openai", "gpt-5", 400_000),
        ("openai", "gpt-5-2025-08-07", 400_000),
        ("openai", "openai/gpt-5.4", 1_050_000),
        ("openai", "gpt-5.4-mini", 400_000),
        ("openai", "gpt-5-chat-latest", None),
        ("openai", "o3-mini", 200_000),
        ("openai", "anthropic/claude-opus-4.7", 1_000_000),
        ("anthropic", "claude-haiku-4-5-20251001", 200_000),
        ("anthropic", "claude-sonnet-5-5", 1_000_000),
        ("bedrock", "us.anthropic.claude-sonnet-4-6", 1_000_000),
        ("bedrock", "amazon.nova-pro-v1:0", 300_000),
        ("gemini", "gemini-3.1-pro-preview", 1_048_576),
        ("openai", "moonshotai/Kimi-K2.6", None),
        ("openai", "kimi-k2.6", 262_144),
        ("openai", "zai-org/GLM-4.7", 204_800),
        ("openai", "MiniMaxAI/MiniMax-M2.5", 204_800),
        ("openai", "deepseek-v4-pro", 1_000_000),
        ("openai", "grok-4.5", 500_000),
        ("openai", "Qwen/Qwen3.5-27B", 262_144),
        ("openai", "mistral-large-2512", 262_144),
        ("openai", "my-model", None),
    ],
)
def test_common_models_have_their_context_window(type: ProviderType, model: str, window: int | None) -> None:
    windows = [family.context_window for family in families_of(type, model) if family.context_window is not None]

    assert (windows[-1] if windows else None) == window


@pytest.mark.parametrize(
    ("type", "model", "host", "expected"),
    [
        ("openai", "gpt-5.4-mini", "api.openai.com", (0.75, 4.5)),
        ("openai", "gpt-5.4-mini-2026-03-17", "api.openai.com", (0.75, 4.5)),
        ("openai", "gpt-5.4-mini", "openrouter.ai", None),
        ("openai", "ft:gpt-4o-mini:team::id", "api.openai.com", None),
        ("openai", "gpt-5-codex-x", "api.openai.com", None),
        ("anthropic", "claude-opus-4-5-20251101", "api.anthropic.com", (5, 25)),
        ("anthropic", "claude-opus-5-5", "api.anthropic.com", (4, 20)),
        ("anthropic", "claude-opus-5-5", "gateway.example", None),
        ("gemini", "gemini-2.5-flash", "generativelanguage.googleapis.com", (0.3, 2.5)),
        ("openai", "grok-4.3", "api.x.ai", (1.25, 2.5)),
    ],
)
def test_prices_are_those_of_the_vendors_own_server(
    type: ProviderType, model: str, host: str, expected: tuple[float, float] | None
) -> None:
    prices = prices_at(type, model, host)

    assert (prices and (prices.input, prices.output)) == expected
