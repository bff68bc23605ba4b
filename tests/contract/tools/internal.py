"""Sample of the tool type internal, on collections in memory."""

from flexchat.tool_runtime import tool_handler
from functions.retrieval.implementation import Implementation
from tests.contract.tool_lambdas import CANARY, LARGE, Sample
from tests.functional.retrieval.memory_services import MemoryCollection, deployment_services, hit

_SENTENCES = MemoryCollection([hit(f"{CANARY} is what it says.", 0.2, title="Sentences", source="sentences.md")])
_COLLECTIONS = deployment_services({"docs": _SENTENCES, "large": MemoryCollection([hit(LARGE, 0.2)])})

SAMPLE = Sample(
    handler=tool_handler(Implementation, _COLLECTIONS.tool()),
    implementation={"type": "internal", "handler": "rag_query"},
    arguments={"query": CANARY, "collection": "docs"},
    result={
        "results": [
            {
                "title": "Sentences",
                "source": "sentences.md",
                "text": f"{CANARY} is what it says.",
                "distance": 0.2,
                "id": f"{CANARY} is wha#0",
                "offset": 0,
                "metadata": {},
                "collection": "docs",
                "relevance": "match",
            }
        ],
        "searched": ["docs"],
        "skipped": [],
    },
    oversize={
        "implementation": {"type": "internal", "handler": "rag_query", "max_bytes": 6_000_000},
        "arguments": {"query": CANARY, "collection": "large"},
    },
    hooks=(1, 1),
)
