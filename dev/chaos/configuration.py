"""Configuration of the stage: every phase, four providers, a fallback, and fast, slow and non-repeatable tools."""

from typing import Any

from dev.chaos.questions import CALLS_PER_TURN, REPORT_ROWS, REPORT_SECONDS, TEMPERATURES
from dev.chaos.scenario_plan import LLMS, SERVERS
from dev.demo_model.server_quirks import KINDS
from flexchat.config.providers import PROVIDERS
from flexchat.messages import Json


def configuration(model_url: str) -> dict[str, Any]:
    """Return the source of the configuration with models at `model_url`."""
    llms: dict[str, Any] = {
        name: {
            "type": name,
            "base_url": f"{model_url}{PROVIDERS[name].base_path}",
            "api_key": "demo",
            "models": ["demo"],
            "timeout_ms": 8_000,
        }
        for name in LLMS
    }
    for kind in KINDS:
        llms[kind] = {**llms["openai"], "headers": {"x-demo": f"strict={kind}"}}
    rule: dict[str, Any] = {"model": "demo", "prompt": "You help: {{topic}}.\n\n{{rag_context}}"}
    rule["tools"] = {"enabled": True, "max_iterations": 6}
    return {
        "llms": llms,
        "rag_services": {"kb": {"type": "internal", "collections": ["faq", "news"], "timeout_ms": 3_000}},
        "topic": {"provider": {"llm": "openai"}},
        "intent": {
            "provider": {"llm": "gemini"},
            "detection": {"intents": {"weather": "The weather somewhere", "sums": "Arithmetic, a calculation"}},
        },
        "profile": {"caller_fields": ["llm"]},
        "responses": [
            *({**rule, "name": name, "match": {"llm": name}, "llm": name} for name in SERVERS[1:]),
            {**rule, "name": "fallback", "llm": "openai", "fallbacks": ["anthropic:demo"]},
        ],
        "tools": {
            "enabled": True,
            "default_timeout_ms": 4_000,
            "max_calls_per_turn": CALLS_PER_TURN,
            "registry": _tools(),
        },
    }


def _tools() -> list[dict[str, Any]]:
    temperatures: Json = [
        {"when": {"location": place}, "response": {"temperature": value}} for place, value in TEMPERATURES.items()
    ]
    rows: Json = [{"when": {"days": days}, "response": {"rows": count}} for days, count in REPORT_ROWS.items()]
    delay_ms = round(REPORT_SECONDS * 1000)
    return [
        _tool("calculate", {"type": "builtin", "handler": "math_eval"}, idempotent=True, expression="string"),
        _tool("get_weather", {"type": "mock", "answers": temperatures}, idempotent=True, location="string"),
        _tool("notify", {"type": "builtin", "handler": "echo"}, text="string"),
        _tool("report", {"type": "mock", "answers": rows, "delay_ms": delay_ms}, days="integer"),
    ]


def _tool(name: str, implementation: dict[str, Json], *, idempotent: bool = False, **parameters: str) -> dict[str, Any]:
    return {
        "name": name,
        "description": name.replace("_", " "),
        "parameters": {
            "type": "object",
            "properties": {parameter: {"type": kind} for parameter, kind in parameters.items()},
            "required": [*parameters],
        },
        "implementation": implementation,
        "idempotent": idempotent,
    }
