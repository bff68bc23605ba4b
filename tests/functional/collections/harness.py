"""API of collections over an emulated bucket, with an embedding model in this process."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn
from urllib.parse import quote, unquote

from flexchat.attachments import LoadedFile, upload_key
from flexchat.aws.clients import s3
from flexchat.aws.objects import ObjectStore
from flexchat.config.models.limits import LimitsConfig
from flexchat.config.models.roles import RoleConfig
from flexchat.deadline import Deadline
from flexchat.errors import RetrievalError
from flexchat.limits.rate_limits import RateLimits
from functions.retrieval.collections import Collections
from functions.retrieval.embeddings.model import Embedder, Purpose
from functions.retrieval.routes import CollectionsApi
from functions.retrieval.search_limits import SearchLimits

BUCKET = "flexchat-test-collections"
MODEL = "main:embed"
EVENT = json.loads((Path(__file__).parents[3] / "events" / "chat-http.json").read_text())


@dataclass
class LetterEmbedder:
    """Embedder of the frequencies of a few letters; `before` runs ahead of every request."""

    name: str = MODEL
    dimensions: int = 6
    texts: list[str] = field(default_factory=list[str])
    before: Callable[[], None] = lambda: None

    def embed(self, texts: Sequence[str], deadline: Deadline) -> list[list[float]]:
        self.before()
        self.texts += texts
        return [[1.0 + text.lower().count(letter) for letter in "aeioun"] for text in texts]


@dataclass
class Embedders:
    """Embedders of a configuration with one model; `purposes` records the requested ones."""

    model: LetterEmbedder = field(default_factory=LetterEmbedder)
    purposes: list[Purpose] = field(default_factory=list[Purpose])

    def named(self, name: str, *, purpose: Purpose) -> Embedder:
        if name != self.model.name:
            raise RetrievalError(f"the embedding model {name!r} cannot be used", code="invalid")
        self.purposes.append(purpose)
        return self.model


@dataclass
class LambdaContext:
    aws_request_id: str = "request-of-the-invocation"
    remaining_ms: int = 60_000

    def get_remaining_time_in_millis(self) -> int:
        return self.remaining_ms


@dataclass(frozen=True)
class Answer:
    status: int
    body: Any
    headers: dict[str, str]

    @property
    def refusal(self) -> tuple[int, str, str]:
        """Return status, code and message of an error in the envelope of every route."""
        assert set(self.body) >= {"error", "message", "request_id"}, self.body
        assert self.body["request_id"]
        return self.status, self.body["error"], self.body["message"]


@dataclass
class Api:
    """Client of the API with a token of these roles."""

    api: CollectionsApi
    embedders: Embedders
    roles: str = "user,operator"
    remaining_ms: int = 60_000

    def send(
        self, method: str, path: str, body: Any = None, *, headers: dict[str, str] | None = None, **event: Any
    ) -> Answer:
        sent = json.loads(json.dumps(EVENT)) | {"httpMethod": method, "path": path, "resource": path}
        sent["requestContext"] |= {"httpMethod": method, "resourcePath": path}
        sent["requestContext"]["authorizer"]["roles"] = self.roles
        sent["body"] = body if isinstance(body, str | None) else json.dumps(body)
        sent["headers"] |= headers or {}
        sent["multiValueHeaders"] |= {name: [value] for name, value in (headers or {}).items()}
        response = self.api.resolve(sent | event, LambdaContext(remaining_ms=self.remaining_ms))
        headers = {name.lower(): values[0] for name, values in response["multiValueHeaders"].items()}
        return Answer(response["statusCode"], json.loads(response["body"]), headers)

    def create(self, name: str = "handbook", **metadata: Any) -> Any:
        answer = self.send("POST", "/api/collections", {"name": name, "metadata": metadata})
        assert answer.status == 201, answer.body
        return answer.body

    def add(self, *documents: dict[str, Any], name: str = "handbook") -> Any:
        answer = self.send("POST", f"/api/collections/{name}/documents", {"documents": list(documents)})
        assert answer.status == 200, answer.body
        return answer.body

    def query(self, text: str, *, name: str = "handbook", **more: Any) -> Any:
        answer = self.send("POST", f"/api/collections/{name}/query", {"query": text, **more})
        assert answer.status == 200, answer.body
        return answer.body

    def show(self, name: str = "handbook") -> Any:
        answer = self.send("GET", f"/api/collections/{name}")
        assert answer.status == 200, answer.body
        return answer.body

    def documents(self, query: str = "", *, name: str = "handbook") -> Any:
        pairs = dict(pair.split("=") for pair in query.split("&") if pair)
        answer = self.send(
            "GET",
            f"/api/collections/{name}/documents",
            queryStringParameters=pairs,
            multiValueQueryStringParameters={key: [value] for key, value in pairs.items()},
        )
        assert answer.status == 200, answer.body
        return answer.body

    def delete_document(self, id: str, *, name: str = "handbook") -> Answer:
        """Delete a document with the encoded path parameter of API Gateway."""
        return self.send(
            "DELETE",
            f"/api/collections/{name}/documents/{id}",
            resource="/api/collections/{name}/documents/{id}",
            pathParameters={"name": name, "id": quote(id, safe="")},
        )


def service(cache: Path, embedders: Embedders | None = None) -> Collections:
    """Return the collections of the bucket for one process."""
    return Collections.of(ObjectStore(s3(), BUCKET), cache=cache, embedder=(embedders or Embedders()).named)


def open_api(
    cache: Path, *, allowed_origins: tuple[str, ...] = (), roles: Mapping[str, RoleConfig] | None = None
) -> Api:
    embedders = Embedders()
    collections = service(cache, embedders)
    catalog: Any = SimpleNamespace(configuration=SimpleNamespace(limits=LimitsConfig(), roles=roles or {}))
    limits: Any = SearchLimits(catalog=lambda _due: catalog, limits=unlimited(), stage="test")
    services: Any = SimpleNamespace(collections=collections, limits=limits, uploaded_file=uploaded_file)
    return Api(CollectionsApi(services, allowed_origins=allowed_origins), embedders)


def uploaded_file(owner: str, file_id: str, _deadline: Deadline) -> LoadedFile | None:
    """Return an uploaded file of the bucket."""
    try:
        stored = ObjectStore(s3(), BUCKET).get(upload_key(owner, file_id))
    except RetrievalError:
        return None
    return LoadedFile(stored.body, unquote(stored.metadata.get("name", "")))


def unlimited() -> RateLimits:
    """Return limits without a table, which no configured limit needs."""

    def counters() -> NoReturn:
        raise AssertionError("nothing is counted without a limit")

    return RateLimits(counters=counters, now=lambda: 0.0, stage="test")


def text_of(topic: str, sentences: int = 1) -> str:
    """Return words unique to a topic, always the same."""
    words = [
        hashlib.sha256(f"{topic}{number}".encode()).hexdigest()[:6].translate(str.maketrans("0123456789", "ghijklmnop"))
        for number in range(sentences * 6)
    ]
    return " ".join(f"{' '.join([topic, *words[at : at + 6]])}." for at in range(0, len(words), 6))
