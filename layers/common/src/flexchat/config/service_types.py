"""Types and defaults of services, in a module of their own: the models of the configuration take 40 ms to build."""

from typing import Final, Literal

ProviderType = Literal["openai", "ollama", "gemini", "anthropic", "bedrock"]

RagServiceType = Literal["internal", "http", "s3vectors", "bedrock_kb"]

MATCH_THRESHOLD: Final = 0.25
PARTIAL_THRESHOLD: Final = 0.5
"""Cosine distances of a model's embeddings."""
