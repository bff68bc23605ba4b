"""Usage of tokens in OpenAI's form."""

from flexchat.api import UsageView
from flexchat.messages import Json


def completion_usage(usage: UsageView) -> dict[str, Json]:
    """Return the tokens of all model calls of a chat, as chat completions have them."""
    return {
        "prompt_tokens": usage.input_tokens,
        "completion_tokens": usage.output_tokens,
        "total_tokens": usage.total_tokens,
        "prompt_tokens_details": {"cached_tokens": usage.cached_tokens},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning_tokens},
    }
