"""Collections of a stage, with the operator's AWS credentials."""

import os
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from functions.retrieval.collections import Collections, NamedEmbedder
    from functions.retrieval.embeddings.factory import Embedders
    from functions.retrieval.embeddings.model import Embedder, Purpose


@contextmanager
def collections_of(stage: str) -> Generator["Collections"]:
    """Open the collections of a stage; their local copies are removed at the end."""
    from cli.stage_bucket import operator_objects
    from functions.retrieval.collections import Collections

    with tempfile.TemporaryDirectory(prefix="flexchat-collections-") as folder:
        yield Collections.of(operator_objects(stage), cache=Path(folder), embedder=_embedder_of(stage))


def _embedder_of(stage: str) -> "NamedEmbedder":
    """Return the embedding models of a stage, loaded on first use: lexical collections have none."""

    @cache
    def embedders() -> "Embedders":
        from flexchat.aws.catalog import CatalogSource
        from flexchat.aws.parameters import operator_store
        from flexchat.egress.policy import EgressPolicy
        from functions.retrieval.embeddings.factory import Embedders

        catalog = CatalogSource(store=operator_store(), stage=stage)
        # As in the template: models of this machine serve a stack in an emulator alone.
        return Embedders(catalog=catalog.current, egress=EgressPolicy(local="AWS_ENDPOINT_URL" in os.environ))

    def named(name: str, *, purpose: "Purpose") -> "Embedder":
        return embedders().named(name, purpose=purpose)

    return named
