"""Chat function whose rule has guardrails that decide in process."""

from collections.abc import Callable, Sequence
from typing import Any

from flexchat.config.models.guardrails import GuardrailConfig
from flexchat.deadline import Deadline
from functions.chat.guardrails.base import GuardrailError, TextSource, Verdict

ALLOWED = Verdict(action="allowed", units=1)
CANARY = "canary-9b27"

ENTRY: dict[str, Any] = {"type": "http", "url": "https://hook.example.com/check"}


class WordGuardrail:
    """Guardrail that blocks texts with `bad`, masks `ada`, and fails at `fail`, each followed by the canary.

    `seen` has each checked text with its source; `on_check` is called before each verdict.
    """

    def __init__(self) -> None:
        self.seen: list[tuple[TextSource, str]] = []
        self.on_check: Callable[[], object] = lambda: None

    def create(self, _name: str, _config: GuardrailConfig) -> "WordGuardrail":
        return self

    def check(self, text: str, source: TextSource, *, deadline: Deadline) -> Verdict:
        self.seen.append((source, text))
        self.on_check()
        if f"fail {CANARY}" in text:
            raise GuardrailError("timeout")
        if f"bad {CANARY}" in text:
            return Verdict(action="blocked", policies=("content:HATE",), units=2)
        if f"ada {CANARY}" in text:
            return Verdict(
                action="masked", text=text.replace(f"ada {CANARY}", "{NAME}"), policies=("pii:NAME",), units=1
            )
        return ALLOWED


def guarded(
    config: dict[str, Any],
    *,
    input: Sequence[str] = (),
    output: Sequence[str] = (),
    chunk_characters: int = 60,
    **fields: Any,
) -> dict[str, Any]:
    """Return a configuration whose rules have guardrails; `fields` are those of their entries."""
    names = dict.fromkeys((*input, *output))
    own = {"input": list(input), "output": list(output), "chunk_characters": chunk_characters}
    return {
        **config,
        "guardrails": {name: {**ENTRY, **fields} for name in names},
        "responses": [{**rule, "guardrails": own} for rule in config["responses"]],
    }
