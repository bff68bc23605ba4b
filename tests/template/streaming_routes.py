"""Routes that the streaming function answers."""

STREAMING_ROUTES = {
    ("/api/chat", "post"): "ChatPermission",
    ("/api/runs/{id}/events", "get"): "FollowRunPermission",
    ("/v1/chat/completions", "post"): "ChatCompletionsPermission",
    ("/v1/responses", "post"): "ResponsesPermission",
    ("/v1/responses/{response_id}", "get"): "FollowResponsePermission",
}
"""Permission of API Gateway, by path and method."""
