"""Models of requests and responses, for HTTPS, direct invocations and validation runs."""

from flexchat.api.answer import (
    ChatResponse,
    FallbackView,
    ModelErrorView,
    RagDocumentView,
    RagView,
    SkippedCollectionView,
    StepView,
    TimingsView,
    ToolCallView,
    ToolFailureView,
    ToolResultView,
    ToolSuccessView,
    UsageView,
)
from flexchat.api.base import ApiModel, Optional
from flexchat.api.errors import ErrorDetail, ErrorResponse
from flexchat.api.limits import LimitView
from flexchat.api.request import (
    MAX_BODY_BYTES,
    MAX_DEADLINE_MS,
    MAX_HISTORY_MESSAGES,
    MAX_MESSAGE_CHARACTERS,
    MIN_DEADLINE_MS,
    ChatRequest,
    ClientMessage,
    HistoryMessage,
    history_messages,
)

__all__ = [
    "MAX_BODY_BYTES",
    "MAX_DEADLINE_MS",
    "MAX_HISTORY_MESSAGES",
    "MAX_MESSAGE_CHARACTERS",
    "MIN_DEADLINE_MS",
    "ApiModel",
    "ChatRequest",
    "ChatResponse",
    "ClientMessage",
    "ErrorDetail",
    "ErrorResponse",
    "FallbackView",
    "HistoryMessage",
    "LimitView",
    "ModelErrorView",
    "Optional",
    "RagDocumentView",
    "RagView",
    "SkippedCollectionView",
    "StepView",
    "TimingsView",
    "ToolCallView",
    "ToolFailureView",
    "ToolResultView",
    "ToolSuccessView",
    "UsageView",
    "history_messages",
]
