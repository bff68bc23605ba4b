"""Recorded calls of phases 1 to 4."""

from functions.chat.phases.collections import FoundDocument, RetrievalResult
from functions.chat.phases.topic import TopicDecision

DETECTED = TopicDecision("new_topic", "gift cards", "openai:topical", "gift cards", None, 0)

PASSAGE = FoundDocument("Refunds", "r.md", "14 days.", distance=0.4, service="kb", collection="faq")
PARTIAL = RetrievalResult("partial", documents=(PASSAGE,))
