"""Checks of RAG services: each has the fields that its type needs, and no others."""

import re
from collections.abc import Collection, Iterator, Mapping

from flexchat.config.model_names import model_name
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.llms import LlmConfig
from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.config.problems import path_of
from flexchat.config.providers import PROVIDERS
from flexchat.config.service_types import RagServiceType
from flexchat.config.suggestions import did_you_mean
from flexchat.config_check.llms import entry_problems, url_problems
from flexchat.config_check.secrets import service_key_problems
from flexchat.errors import Problem
from flexchat.retrieval import COLLECTION_NAME_PATTERN

INDEX_NAME = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
KNOWLEDGE_BASE_ID = re.compile(
    r"[0-9a-zA-Z]{10}|arn:aws(-[^:]+)?:bedrock:[a-z0-9-]+:[0-9]{12}:knowledge-base/[0-9a-zA-Z]{10}"
)

_REQUIRED: Mapping[RagServiceType, tuple[str, ...]] = {
    "internal": (),
    "http": ("url",),
    "s3vectors": ("bucket", "embedding_model"),
    "bedrock_kb": (),
}
_REMOTE: tuple[RagServiceType, ...] = ("http", "s3vectors", "bedrock_kb")
_ONLY_FOR: Mapping[str, tuple[RagServiceType, ...]] = {
    "url": ("http",),
    "headers": ("http",),
    "region": ("s3vectors", "bedrock_kb"),
    "bucket": ("s3vectors",),
    "embedding_model": ("s3vectors",),
    "embedding_dimensions": ("s3vectors",),
    "max_retries": _REMOTE,
    "collection_ids": _REMOTE,
    "text_field": ("s3vectors",),
    "title_field": _REMOTE,
    "source_field": _REMOTE,
}


def service_problems(configuration: Configuration, *, broken_llms: Collection[str]) -> Iterator[Problem]:
    """Return every problem of the `rag_services` section; `broken_llms` are already reported."""
    for name, service in configuration.rag_services.items():
        path = path_of(("rag_services", name))
        yield from one_service_problems(path, name, service, llms=configuration.llms, broken_llms=broken_llms)
        yield from service_key_problems(path, service)


def one_service_problems(
    path: str, name: str, service: RagServiceConfig, *, llms: Mapping[str, LlmConfig], broken_llms: Collection[str]
) -> Iterator[Problem]:
    """Return the problems of one service at `path`, except literal keys."""
    yield from entry_problems(path, name, service)
    for field in _REQUIRED[service.type]:
        if getattr(service, field) is None:
            yield Problem(f"{path}.{field}", f"is required for a service of type {service.type!r}")
    for field, types in _ONLY_FOR.items():
        if field in service.model_fields_set and service.type not in types:
            known = " or ".join(repr(kind) for kind in types)
            yield Problem(f"{path}.{field}", f"is not used: it is for services of type {known}", "warning")
    yield from url_problems(f"{path}.url", service.url)
    yield from _thresholds(path, service)
    yield from _collections(path, name, service)
    if service.embedding_model is not None:
        yield from _model(f"{path}.embedding_model", service.embedding_model, llms, broken_llms)


def _thresholds(path: str, service: RagServiceConfig) -> Iterator[Problem]:
    if service.match_threshold > service.partial_threshold:
        yield Problem(
            f"{path}.match_threshold",
            f"must not be above partial_threshold ({service.partial_threshold}): both are distances, smaller is nearer",
        )
    if service.max_distance is not None and service.max_distance < service.partial_threshold:
        yield Problem(
            f"{path}.max_distance",
            f"must not be below partial_threshold ({service.partial_threshold}): it would drop partial results",
            "warning",
        )


def _collections(path: str, name: str, service: RagServiceConfig) -> Iterator[Problem]:
    for position, collection in enumerate(service.collections):
        yield from _name(f"{path}.collections[{position}]", collection)
    for collection, identifier in service.collection_ids.items():
        where = path_of(("collection_ids", collection))
        yield from _name(f"{path}.{where}", collection)
        if service.collections and collection not in service.collections:
            hint = did_you_mean(collection, service.collections)
            yield Problem(f"{path}.{where}", f"{collection!r} is not among the service's collections{hint}", "warning")
        yield from _identifier(f"{path}.{where}", identifier, service)
    named = service.collection_names(name)
    if service.type == "http" and named == (name,) and not re.fullmatch(COLLECTION_NAME_PATTERN, name):
        yield Problem(f"{path}.collections", f"is required: the service's own name {name!r} is not a collection name")
    if service.type == "s3vectors":
        if not named:
            yield Problem(f"{path}.collections", "is required for a service of type 's3vectors': the indexes to search")
        for collection in named:
            if collection not in service.collection_ids:
                yield from _identifier(f"{path}.collections", collection, service)
    if service.type == "bedrock_kb":
        if not service.collection_ids:
            yield Problem(
                f"{path}.collection_ids",
                "is required for a service of type 'bedrock_kb': {collection: knowledge base id}",
            )
        for position, collection in enumerate(service.collections):
            if service.collection_ids and collection not in service.collection_ids:
                yield Problem(
                    f"{path}.collections[{position}]",
                    f"{collection!r} has no knowledge base in collection_ids"
                    f"{did_you_mean(collection, service.collection_ids)}",
                )


def _name(path: str, collection: str) -> Iterator[Problem]:
    if not re.fullmatch(COLLECTION_NAME_PATTERN, collection):
        yield Problem(
            path,
            f"{collection!r} is not a collection name; it must be up to 63 of a-z, 0-9, _ and -; "
            "set the service's own name in collection_ids",
        )


def _identifier(path: str, identifier: str, service: RagServiceConfig) -> Iterator[Problem]:
    if service.type == "s3vectors" and not INDEX_NAME.fullmatch(identifier):
        yield Problem(
            path,
            f"{identifier!r} is not an index name; it must be 3 to 63 of a-z, 0-9, . and -; "
            "set the index of the collection in collection_ids",
        )
    if service.type == "bedrock_kb" and not KNOWLEDGE_BASE_ID.fullmatch(identifier):
        yield Problem(path, f"{identifier!r} is not a knowledge base; it must be an id such as 'ABCDEFGHIJ', or an ARN")


def _model(path: str, text: str, llms: Mapping[str, LlmConfig], broken: Collection[str]) -> Iterator[Problem]:
    if text.partition(":")[0] in broken:
        return
    try:
        name = model_name(text, llms)
    except ValueError as exc:
        yield Problem(path, str(exc))
        return
    kind = llms[name.llm].type
    if not PROVIDERS[kind].embeddings:
        yield Problem(path, f"llms.{name.llm} is of type {kind!r}, which has no embeddings")
