"""Request and response models of the collections API."""

from typing import Annotated, Self, get_args

from pydantic import Field, model_validator

from flexchat.api import ApiModel
from flexchat.attachments import UPLOAD_ID
from flexchat.retrieval import LEXICAL, CollectionInfo, CollectionMetadata, Distance, MetadataValue, RagClass, hit_view
from flexchat.sessions import timestamp
from functions.retrieval.explanation import Explanation, ExplanationCode, QueryResult
from functions.retrieval.index.calibration import Calibration
from functions.retrieval.index.listing import StoredDocument
from functions.retrieval.ingest.chunker import Chunking, chunking_of
from functions.retrieval.ingest.documents import MAX_ID_CHARACTERS, Format
from functions.retrieval.ingest.records import FieldSchema

MAX_DOCUMENTS = 1_000
MAX_QUESTIONS = 500
MAX_TOP_K = 100
MAX_LISTED = 1_000
MAX_PASSAGE_SIZE = 100_000
BINARY_FORMATS = ("pdf", "docx", "pptx", "xlsx", "epub")

Metadata = Annotated[dict[Annotated[str, Field(min_length=1, max_length=256)], MetadataValue], Field(max_length=64)]
Line = Annotated[str, Field(min_length=1, max_length=MAX_ID_CHARACTERS)]


class CollectionList(ApiModel):
    """Every collection, by name."""

    collections: tuple[CollectionInfo, ...]


class NewCollection(ApiModel):
    """A collection to create: 1 to 63 of a-z, 0-9, `-` and `_`, with its metadata."""

    name: Annotated[str, Field(max_length=256, examples=["handbook"])]
    metadata: CollectionMetadata = CollectionMetadata()


class CollectionChange(ApiModel):
    """Changes of metadata; an omitted field is unchanged, a threshold of null is calibrated again."""

    metadata: CollectionMetadata


class Deleted(ApiModel):
    """The deleted collection."""

    deleted: str


class PostedDocument(ApiModel):
    """A document: its text, a file of a named format in base64, or the id of a file of `POST /api/files`.

    Without `format` the ending of `source` sets that of a file. The source of an uploaded file is the name of its
    upload by default. The document's key is its `id`, else its source, else its content. Records of JSON have the key
    `fields.id_field`.
    """

    id: Line | None = None
    title: Line | None = None
    source: Line | None = None
    text: str | None = None
    content_base64: str | None = None
    file_id: Annotated[str, Field(pattern=f"^{UPLOAD_ID.pattern}$")] | None = None
    format: Format | None = None
    fields: FieldSchema = FieldSchema()
    metadata: Metadata = Field(default_factory=dict[str, MetadataValue])

    @model_validator(mode="after")
    def _has_one_content(self) -> Self:
        if sum(content is not None for content in (self.text, self.content_base64, self.file_id)) != 1:
            raise ValueError("a document has one of text, content_base64 and file_id")
        if self.content_base64 is not None and self.format is None and self.source is None:
            raise ValueError(
                "content_base64 needs a format, or a source with the ending of one: " + ", ".join(get_args(Format))
            )
        if self.text is not None and self.format in BINARY_FORMATS:
            raise ValueError(f"the format {self.format} needs content_base64 instead of text")
        if self.id is not None and self.format in ("json", "jsonl"):
            raise ValueError("records have ids of their own: name fields.id_field instead of id")
        return self


class NewDocuments(ApiModel):
    """Documents to add; unchanged ones have no effect.

    A document that the command added from files is replaced only with `replace`. One with a `file_id` is sent alone.
    """

    replace: bool = False
    documents: Annotated[list[PostedDocument], Field(min_length=1, max_length=MAX_DOCUMENTS)]

    @model_validator(mode="after")
    def _has_one_upload_alone(self) -> Self:
        if len(self.documents) > 1 and any(document.file_id is not None for document in self.documents):
            raise ValueError("a document with a file_id is added alone: send a request for each")
        return self


class FailureView(ApiModel):
    """A document that was not added, with the reason.

    `exists`: the collection has another document of its id, from files; `replace` replaces that one.
    """

    source: str
    reason: str
    exists: bool = False


class WarningView(ApiModel):
    """A part of an added document that could not be read, such as scanned pages."""

    source: str
    reason: str


class ImportView(ApiModel):
    """Result of adding documents. `passages` is the number in the collection afterwards."""

    added: int
    replaced: int
    unchanged: int
    failed: tuple[FailureView, ...]
    warnings: tuple[WarningView, ...]
    passages: int


class DocumentView(ApiModel):
    """A document of a collection; `title` and `source` are those of its first passage.

    `origin` names what it was added from, such as a directory. `bytes`, the size of its file, and `added_at`, ISO 8601
    in UTC, are null for a document of an earlier release; `bytes` is also null for a record of a file.
    """

    id: str
    title: str
    source: str
    passages: int
    origin: str
    characters: int
    bytes: int | None
    added_at: str | None

    @classmethod
    def of(cls, document: StoredDocument) -> Self:
        return cls(
            id=document.id,
            title=document.title,
            source=document.source,
            passages=document.passages,
            origin=document.origin,
            characters=document.characters,
            bytes=document.bytes or None,
            added_at=timestamp(document.added_at) if document.added_at else None,
        )


class DocumentList(ApiModel):
    """Documents in order of their ids; with `next`, the list continues after this id."""

    documents: tuple[DocumentView, ...]
    next: str | None


class Question(ApiModel):
    """A search. `filters` must all equal a passage's metadata; passages beyond `max_distance` are omitted."""

    query: str
    top_k: Annotated[int, Field(ge=1, le=MAX_TOP_K)] = 5
    filters: Metadata = Field(default_factory=dict[str, MetadataValue])
    max_distance: Distance | None = None


class HitView(ApiModel):
    """A passage of the result, with its cosine distance and its offset in the document."""

    title: str
    source: str
    text: str
    distance: float
    id: str
    offset: int
    metadata: dict[str, MetadataValue]


class ThresholdsView(ApiModel):
    """A passage nearer than `match` is a match, one nearer than `partial` a partial match."""

    match: float
    partial: float


class MisspellingView(ApiModel):
    """A word of the query that does not occur in the collection, with similar words that do."""

    word: str
    similar: tuple[str, ...]


class ExplanationView(ApiModel):
    """The reason for the class of a result, as a code and a sentence.

    `excluded` are the nearest passages where the filters or `max_distance` excluded all of them.
    """

    code: ExplanationCode
    sentence: str
    unknown_words: tuple[MisspellingView, ...]
    excluded: tuple[HitView, ...]

    @classmethod
    def of(cls, explanation: Explanation) -> Self:
        return cls(
            code=explanation.code,
            sentence=explanation.sentence,
            unknown_words=tuple(
                MisspellingView(word=each.word, similar=each.similar) for each in explanation.unknown_words
            ),
            excluded=tuple(HitView.model_validate(hit_view(hit)) for hit in explanation.excluded),
        )


class AnswerView(ApiModel):
    """Passages of a collection for a query, best first, and the reason for their class."""

    result: RagClass
    hits: tuple[HitView, ...]
    thresholds: ThresholdsView
    explanation: ExplanationView

    @classmethod
    def of(cls, answer: QueryResult) -> Self:
        return cls(
            result=answer.result,
            hits=tuple(HitView.model_validate(hit_view(hit)) for hit in answer.hits),
            thresholds=ThresholdsView(match=answer.thresholds.match, partial=answer.thresholds.partial),
            explanation=ExplanationView.of(answer.explanation),
        )


class ReindexRequest(ApiModel):
    """Settings of a new index; an omitted one stays.

    `passage_size` and `overlap` are in characters and divide the documents again; the default of `overlap` is a sixth
    of the size, at most 200.
    """

    embedding_model: Annotated[str, Field(min_length=1, max_length=256, examples=[LEXICAL])] | None = None
    passage_size: Annotated[int, Field(le=MAX_PASSAGE_SIZE)] | None = None
    overlap: int | None = None

    @model_validator(mode="after")
    def _is_possible(self) -> Self:
        if self.overlap is not None and self.passage_size is None:
            raise ValueError("overlap needs a passage_size")
        _ = self.chunking
        return self

    @property
    def chunking(self) -> Chunking | None:
        """Size and overlap of the passages; None to leave them. Raises ValueError for an impossible combination."""
        return None if self.passage_size is None else chunking_of(self.passage_size, self.overlap)


class CalibrationRequest(ApiModel):
    """Sample questions that the collection's passages answer; `apply` stores the thresholds."""

    questions: Annotated[
        tuple[Annotated[str, Field(min_length=1, max_length=2_000)], ...], Field(max_length=MAX_QUESTIONS)
    ] = ()
    apply: bool = False


class CalibrationView(ApiModel):
    """Calibrated thresholds, and their distances, the nearest first."""

    match_threshold: float
    partial_threshold: float
    applied: bool
    answered: tuple[float, ...]
    unanswered: tuple[float, ...]

    @classmethod
    def of(cls, proposal: Calibration, *, applied: bool) -> Self:
        return cls(
            match_threshold=proposal.match_threshold,
            partial_threshold=proposal.partial_threshold,
            applied=applied,
            answered=proposal.answered,
            unanswered=proposal.unanswered,
        )
