"""Types and defaults of RAG services, apart from the models of the configuration, which take 40 ms to build."""

from typing import Final, Literal

RagServiceType = Literal["internal", "http", "s3vectors", "bedrock_kb"]

MATCH_THRESHOLD: Final = 0.25
PARTIAL_THRESHOLD: Final = 0.5
"""Cosine distances of a model's embeddings."""
