"""Thresholds of a collection, and their calibration from its passages.

An operator's thresholds take precedence. The defaults of an embedding model are 0.25 and 0.5. Those of the lexical
embedding depend on the collection's words, so its thresholds are calibrated whenever it has grown or shrunk by half.
"""

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from flexchat.config.service_types import MATCH_THRESHOLD, PARTIAL_THRESHOLD
from flexchat.deadline import Deadline
from flexchat.errors import RetrievalError
from flexchat.observability import logger
from flexchat.retrieval import LEXICAL, CollectionInfo, CollectionMetadata

if TYPE_CHECKING:
    from functions.retrieval.index.reader import CollectionIndex

GROWTH: Final = 1.5


class Thresholds(Struct, frozen=True):
    """Cosine distances: below `match` a match, below `partial` a partial match."""

    match: float
    partial: float

    def check(self) -> None:
        """Raise RetrievalError `invalid` when no distance could ever be a partial match."""
        if self.match > self.partial:
            raise RetrievalError(
                f"match_threshold is {self.match} and partial_threshold {self.partial}; match must be the smaller one",
                code="invalid",
            )


MODEL: Final = Thresholds(MATCH_THRESHOLD, PARTIAL_THRESHOLD)
MIN_CALIBRATED: Final = 50
"""Minimum number of passages of a lexical collection for calibrated thresholds.

With fewer, the words of a sample are most of those of the collection, and the distances of questions to the passages
that answer them are as large as those of any others.
"""

FEW_LEXICAL: Final = Thresholds(0.65, 0.99)
"""For a lexical collection of fewer passages: a passage with any content word of the query is at least partial, for
without one its distance is 1; a match has about half of the words."""


def thresholds_of(metadata: CollectionMetadata, default: Thresholds | None = None) -> Thresholds:
    """Return the thresholds of a collection: its own, else `default`, by default those of its embedding."""
    if default is None:
        default = FEW_LEXICAL if metadata.embedding_model == LEXICAL else MODEL
    return Thresholds(
        default.match if metadata.match_threshold is None else metadata.match_threshold,
        default.partial if metadata.partial_threshold is None else metadata.partial_threshold,
    )


def with_thresholds(info: CollectionInfo, thresholds: Thresholds, *, calibrated_passages: int | None) -> CollectionInfo:
    """Return `info` with `thresholds`, set by an operator or calibrated from `calibrated_passages`."""
    update = {"match_threshold": thresholds.match, "partial_threshold": thresholds.partial}
    metadata = info.metadata.model_copy(update=update)
    return info.model_copy(update={"metadata": metadata, "calibrated_passages": calibrated_passages})


def recalibrated(info: CollectionInfo, index: "CollectionIndex", due: Deadline | None = None) -> CollectionInfo:
    """Return `info` with thresholds calibrated from `index`, unless an operator set some.

    A calibration that is not ready when it is `due` is left to the next change of the collection.
    """
    if not is_due(info):
        return info
    thresholds = FEW_LEXICAL
    if info.passages >= MIN_CALIBRATED:
        from functions.retrieval.index.calibration import calibrate  # imports numpy

        try:
            proposal = calibrate(index, due=due)
        except TimeoutError:
            logger.warning("collection not calibrated in time", collection=info.name, passages=info.passages)
            return info
        thresholds = Thresholds(proposal.match_threshold, proposal.partial_threshold)
    return with_thresholds(info, thresholds, calibrated_passages=info.passages)


def is_due(info: CollectionInfo) -> bool:
    """Return true when thresholds must be set: no operator set any, and the number of passages has changed."""
    if info.metadata.embedding_model != LEXICAL:
        return False
    before = info.calibrated_passages
    if before is None:
        return info.metadata.match_threshold is None and info.metadata.partial_threshold is None
    if info.passages < MIN_CALIBRATED:
        return Thresholds(info.metadata.match_threshold or 0, info.metadata.partial_threshold or 0) != FEW_LEXICAL
    return before < MIN_CALIBRATED or not before / GROWTH < info.passages < before * GROWTH
