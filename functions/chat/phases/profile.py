"""Phase 4: the profile, everything known about a message that rules match on and prompts may use (decision C41)."""

from flexchat.api import ChatRequest
from flexchat.messages import Json


def build_profile(request: ChatRequest) -> dict[str, Json]:
    """The profile of a request: its own `profile` fields, under the facts that are not the caller's to set."""
    return {
        "intent": None,
        "service": None,
        "collection": None,
        **request.profile,
        "topic": request.topic or request.message,
        "user_message": request.message,
        "rag_results": "none",
        "documents": [],
        "rag_context": "",
    }
