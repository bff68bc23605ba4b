"""Problems of the section `limits`: models without prices beside a limit of money."""

import pytest

from flexchat.messages import Json
from tests.unit.config.sources import rule, source
from tests.unit.config_check.checked import errors as problems_of

UNPRICED = "a limit in US dollars needs the prices of every model, and 'local:llama3.2' has none"
PROFILES: Json = {"llama*": {"input_price": 0, "output_price": 0}}


def document(limits: Json, **llm: Json) -> dict[str, Json]:
    llms: Json = {
        "main": {"type": "openai", "api_key": "${MAIN_KEY}", "models": ["gpt-4o"]},
        "local": {"type": "ollama", "base_url": "https://ollama.example", **llm},
    }
    return source(llms=llms, responses=[rule(fallbacks=["local:llama3.2"])], rag_services={}, limits=limits)


@pytest.mark.parametrize(
    ("limits", "path"),
    [
        ({"caller": {"usd_per_day": 5}}, "limits.caller.usd_per_day"),
        ({"roles": {"user": {"usd_per_month": 5, "tokens_per_day": 9}}}, "limits.roles.user.usd_per_month"),
        ({"principals": {"k3m9x2p7qd": {"usd_per_minute": 0.5}}}, "limits.principals.k3m9x2p7qd.usd_per_minute"),
        ({"role_totals": {"user": {"usd_per_month": 5}}}, "limits.role_totals.user.usd_per_month"),
        ({"session": {"usd_per_day": 5}}, "limits.session.usd_per_day"),
    ],
)
def test_a_limit_of_money_needs_the_prices_of_every_model(limits: Json, path: str) -> None:
    [problem] = [line for line in problems_of(document(limits)) if line.startswith("limits")]

    assert problem.startswith(
        f"{path}: {UNPRICED}; set 'input_price' and 'output_price' in a profile of the llm 'local'"
    )


def test_a_model_that_costs_nothing_has_the_price_0() -> None:
    assert problems_of(document({"caller": {"usd_per_day": 5}}, profiles=PROFILES)) == []


def test_other_limits_need_no_prices() -> None:
    assert problems_of(document({"caller": {"tokens_per_month": 5}})) == []


@pytest.mark.parametrize(
    ("value", "problem"),
    [(0, "equal to 1e-06"), (-1, "equal to 1e-06"), ("5", "must be a number"), (float("inf"), "finite")],
)
def test_an_amount_of_money_is_a_positive_number(value: Json, problem: str) -> None:
    found = problems_of(document({"caller": {"usd_per_day": value}}, profiles=PROFILES))

    assert any(line.startswith("limits.caller.usd_per_day: ") and problem in line for line in found), found
