"""Phase 4: the profile, everything known about a message that rules match on and prompts may use (decision C41)."""

from flexchat.api import ChatRequest
from flexchat.messages import Json
from functions.chat.phases.rag import Retrieved, context_text


def build_profile(request: ChatRequest, retrieved: Retrieved | None = None) -> dict[str, Json]:
    """The profile of a request: its own `profile` fields, under the facts that are not the caller's to set.

    `service` and `collection` are the caller's to name until a collection matches.
    """
    found = retrieved or Retrieved()
    matched: dict[str, Json] = (
        {"service": found.service, "collection": found.collection} if found.result == "match" else {}
    )
    return {
        "intent": None,
        "service": None,
        "collection": None,
        **request.profile,
        "topic": request.topic or request.message,
        "user_message": request.message,
        "rag_results": found.result,
        "documents": [document.as_json() for document in found.documents],
        "rag_context": context_text(found.documents),
        **matched,
    }
