"""What of each chat is counted (document 003, lines 2239-2259): one CloudWatch line per chat, by model."""

from aws_lambda_powertools.metrics import EphemeralMetrics, MetricUnit
from flexchat.api import ChatResponse
from flexchat.observability import NAMESPACE


def measure(response: ChatResponse) -> None:
    """Count one answered chat: its time, tokens, iterations and tool calls, and whether a limit ended it."""
    failures = [call for call in response.tool_calls if not call.result.success]
    iterations = max((step.iteration for step in response.timings.steps), default=0)
    counts = {
        "Chats": 1,
        "PartialAnswers": int(response.status == "partial"),
        "IterationLimitReached": int(bool(response.max_iterations_reached)),
        "RepeatedCalls": int(bool(response.circular_calls_detected)),
        "Iterations": iterations,
        "ToolCallsOfChat": len(response.tool_calls),
        "ToolFailuresOfChat": len(failures),
        "Tokens": response.usage.total_tokens,
    }
    measured = EphemeralMetrics(namespace=NAMESPACE)
    measured.add_dimension(name="model", value=f"{response.service}:{response.model}")
    for name, value in counts.items():
        measured.add_metric(name=name, unit=MetricUnit.Count, value=value)
    measured.add_metric(name="ChatDuration", unit=MetricUnit.Milliseconds, value=response.timings.total_ms)
    measured.flush_metrics()
