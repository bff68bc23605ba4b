"""Clients of guardrails by their type."""

from typing import assert_never

from flexchat.config.models.guardrails import GuardrailConfig
from flexchat.egress.policy import PUBLIC, EgressPolicy
from functions.chat.guardrails.base import Guardrail


def create_guardrail(name: str, config: GuardrailConfig, *, egress: EgressPolicy = PUBLIC) -> Guardrail:
    """Return the client of an entry of `guardrails`. Raises ConfigError for one that cannot be used."""
    match config.type:
        case "bedrock":
            from functions.chat.guardrails.aws.bedrock import BedrockGuardrail

            return BedrockGuardrail(name, config)
        case "http":
            from functions.chat.guardrails.http import HttpGuardrail

            return HttpGuardrail(name, config, egress=egress)
        case _:
            assert_never(config.type)
