"""Collection of the local stack, filled from the documents of a checkout."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

from cli.collections import collections_of
from cli.layout import LOCAL_STAGE
from cli.local_stack import aws_environment
from dev.local_stack.documents import COLLECTION, METADATA, fill
from flexchat.aws.objects import ObjectStore
from flexchat.deadline import Deadline
from flexchat.errors import ConfigError
from flexchat.retrieval import SearchQuery
from functions.retrieval.collections import Collections, ImportReport
from tests.aws import aws_client, emulated_aws

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

ROOT = Path(__file__).parents[2]
BUCKET = f"flexchat-{LOCAL_STAGE}-123456789012-us-east-1"
"""Clients of the emulated account."""


def no_model(name: str, *, purpose: str) -> NoReturn:
    raise AssertionError(f"the lexical embedding asks no model, least of all {name} for a {purpose}")


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> "Iterator[S3Client]":
    for name, value in aws_environment("", "test").items():
        monkeypatch.setenv(name, value)
    with emulated_aws(monkeypatch):
        yield aws_client("s3")


@pytest.fixture
def collections(client: "S3Client", tmp_path: Path) -> Collections:
    client.create_bucket(Bucket=BUCKET)
    objects = ObjectStore(client, BUCKET)
    return Collections.of(objects, cache=tmp_path / "cache", embedder=no_model)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    root = tmp_path / "checkout"
    (root / "docs" / "images").mkdir(parents=True)
    (root / "README.md").write_text("# Service\n\nIt answers questions.\n")
    (root / "docs" / "refunds.md").write_text("# Refunds\n\nA refund takes 14 days.\n")
    (root / "docs" / "images" / "note.md").write_text("An unused document.\n")
    return root


def sources(collections: Collections, query: str) -> list[str]:
    answer = collections.query(COLLECTION, SearchQuery(query), deadline=Deadline.after(5))
    return [hit.passage.source for hit in answer.hits]


def test_documents_of_a_checkout_are_searchable_by_path(collections: Collections, checkout: Path) -> None:
    report = fill(collections, checkout)

    assert report == ImportReport(added=2, replaced=0, unchanged=0, failed=(), passages=2)
    assert collections.get(COLLECTION).metadata.display_name == METADATA.display_name
    assert sources(collections, "How long does a refund take?") == ["docs/refunds.md#refunds"]


def test_only_changed_documents_are_indexed_again(collections: Collections, checkout: Path) -> None:
    fill(collections, checkout)
    (checkout / "docs" / "refunds.md").write_text("# Refunds\n\nA refund takes a week.\n")

    assert fill(collections, checkout) == ImportReport(added=0, replaced=1, unchanged=1, failed=(), passages=2)


def test_unreadable_file_is_skipped_and_named(collections: Collections, checkout: Path) -> None:
    (checkout / "docs" / "broken.md").write_bytes(b"")

    report = fill(collections, checkout)

    assert [failure.source for failure in report.failed] == ["docs/broken.md"]
    assert report.added == 2


@pytest.mark.slow
def test_project_documents_answer_a_question_about_tools(collections: Collections) -> None:
    report = fill(collections, ROOT)

    assert report.failed == ()
    found = sources(collections, "how to add a tool")
    assert any(source.startswith("docs/adding-a-tool.md#") for source in found)


@pytest.mark.usefixtures("client")
def test_missing_bucket_is_an_operator_error(checkout: Path) -> None:
    with collections_of(LOCAL_STAGE) as collections, pytest.raises(ConfigError, match="bucket not found"):
        fill(collections, checkout)
