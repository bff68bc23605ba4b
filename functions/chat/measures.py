"""What of each chat is counted (document 003, lines 2239-2259): one CloudWatch line per chat, by model."""

from flexchat.api import ChatResponse
from flexchat.observability import emit_metrics


def measure(response: ChatResponse) -> None:
    """Count one answered chat: its time, tokens, iterations and tool calls, and whether a limit ended it."""
    failures = [call for call in response.tool_calls if not call.result.success]
    iterations = max((step.iteration for step in response.timings.steps), default=0)
    counts = {
        "Chats": 1,
        "Fallbacks": int(response.fallback is not None),
        "PartialAnswers": int(response.status == "partial"),
        "IterationLimitReached": int(bool(response.max_iterations_reached)),
        "RepeatedCalls": int(bool(response.circular_calls_detected)),
        "Iterations": iterations,
        "ToolCallsOfChat": len(response.tool_calls),
        "ToolFailuresOfChat": len(failures),
        "Tokens": response.usage.total_tokens,
    }
    emit_metrics(
        dimension=("model", f"{response.service}:{response.model}"),
        counts=counts,
        milliseconds={"ChatDuration": response.timings.total_ms},
    )
