"""Tokens and their cost as text; an unknown price is `?`, never 0."""

from flexchat.api.traces import TraceUsageView

UNKNOWN = "?"


def dollars(amount: float) -> str:
    """Return US dollars without trailing zeros, at most to the millionth."""
    return f"${amount:.6f}".rstrip("0").rstrip(".")


def cost(amount: float | None, token_count: int) -> str:
    """Return the cost of `token_count` tokens; None is a missing price unless there are no tokens."""
    if amount is None:
        return UNKNOWN if token_count else ""
    return dollars(amount)


def tokens(usage: TraceUsageView) -> str:
    """Return the tokens of model calls: `120 + 30 tokens (100 cached)`."""
    parts = {
        "cached": usage.cached_tokens,
        "written to the cache": usage.cache_write_tokens,
        "reasoning": usage.reasoning_tokens,
    }
    named = ", ".join(f"{number:,} {name}" for name, number in parts.items() if number)
    return f"{usage.input_tokens:,} + {usage.output_tokens:,} tokens" + (f" ({named})" if named else "")
