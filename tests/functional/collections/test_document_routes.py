"""Routes of documents: additions, changes and deletion."""

import base64
import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from flexchat.attachments import upload_key
from flexchat.aws.clients import s3
from flexchat.deadline import Deadline
from functions.retrieval.index.store import index_key
from functions.retrieval.ingest.documents import Document
from tests.functional.collections.harness import BUCKET, EVENT, Api, Embedders, service
from tests.unit.foreign_text.hostile_documents import formatted
from tests.unit.ingest.pdf_files import IMAGE, laid_out, lines

pytestmark = pytest.mark.slow

FILES = Path(__file__).parents[2] / "data" / "documents"


def test_added_document_is_found_and_cited(api: Api) -> None:
    api.create()

    report = api.add(
        {
            "id": "holidays",
            "source": "handbook/holidays.md",
            "format": "markdown",
            "text": "# Holidays\n\nEverybody has thirty days off.",
            "metadata": {"team": "people", "year": 2025, "draft": False},
        }
    )

    assert report == {"added": 1, "replaced": 0, "unchanged": 0, "failed": [], "warnings": [], "passages": 1}
    answer = api.query("days off")
    (hit,) = answer["hits"]
    assert hit == {
        "title": "Holidays",
        "source": "handbook/holidays.md#holidays",
        "text": "# Holidays\n\nEverybody has thirty days off.",
        "distance": hit["distance"],
        "id": "holidays#0",
        "offset": 0,
        "metadata": {"team": "people", "year": 2025, "draft": False},
    }
    assert answer["result"] == "match"
    assert hit["distance"] < answer["thresholds"]["match"] < answer["thresholds"]["partial"]


def test_adding_a_document_again_changes_nothing(api: Api) -> None:
    api.create()
    document = {"source": "a.txt", "text": "some words"}
    api.add(document)
    before, etag = api.show(), s3().head_object(Bucket=BUCKET, Key=index_key("handbook"))["ETag"]

    assert api.add(document) == {"added": 0, "replaced": 0, "unchanged": 1, "failed": [], "warnings": [], "passages": 1}

    assert api.show() == before
    assert s3().head_object(Bucket=BUCKET, Key=index_key("handbook"))["ETag"] == etag


def test_document_without_an_id_is_identified_by_its_content(api: Api) -> None:
    api.create()
    assert api.add({"text": "some words"}, {"text": "other words"})["added"] == 2
    assert api.add({"text": "some words"})["unchanged"] == 1


@pytest.mark.parametrize(
    "change",
    [{"text": "other words"}, {"title": "T"}, {"metadata": {"a": 1}}, {"source": "b.txt"}],
    ids=["text", "title", "metadata", "source"],
)
def test_changed_document_replaces_the_previous_version(api: Api, change: dict[str, Any]) -> None:
    api.create()
    document = {"id": "a", "source": "a.txt", "text": "some words"}
    api.add(document)

    report = api.add(document | change)

    assert report == {"added": 0, "replaced": 1, "unchanged": 0, "failed": [], "warnings": [], "passages": 1}


@pytest.mark.parametrize(
    ("file", "format", "query", "source"),
    [
        ("deliveries.pdf", "pdf", "returned goods", "deliveries.pdf#page=3"),
        ("tides.html", "html", "spring tides", "tides.html#top"),
        ("bridges.jsonl", "jsonl", "suspension bridge", "bridges.jsonl#2"),
        ("elements.json", "json", "noble gas balloons", "elements.json#1"),
        ("bees.md", "markdown", "winter cluster", "bees.md#keeping-bees"),
        ("clock.txt", "text", "pendulum", "clock.txt"),
    ],
)
def test_file_of_every_format_is_added_as_base64(api: Api, file: str, format: str, query: str, source: str) -> None:
    api.create()
    content = base64.b64encode((FILES / file).read_bytes()).decode()

    report = api.add({"source": file, "content_base64": content, "format": format})

    assert report["failed"] == []
    assert api.query(query)["hits"][0]["source"] == source


OWNER = EVENT["requestContext"]["authorizer"]["principalId"]
UPLOAD = f"file-{'a' * 32}"


def upload(content: bytes, *, name: str = "deliveries.pdf", owner: str = OWNER) -> None:
    """Store a file as the form of POST /api/files does."""
    s3().put_object(Bucket=BUCKET, Key=upload_key(owner, UPLOAD), Body=content, Metadata={"name": quote(name)})


def test_uploaded_file_is_added_with_the_name_and_size_of_its_upload(api: Api) -> None:
    api.create()
    content = (FILES / "deliveries.pdf").read_bytes()
    upload(content, name="Lieferungen März.pdf")

    report = api.add({"file_id": UPLOAD})

    assert (report["added"], report["failed"]) == (1, [])
    assert api.query("returned goods")["hits"][0]["source"] == "Lieferungen März.pdf#page=3"
    (document,) = api.documents()["documents"]
    assert (document["id"], document["bytes"]) == ("Lieferungen März.pdf", len(content))
    assert api.add({"file_id": UPLOAD})["unchanged"] == 1


def test_source_format_and_metadata_of_a_request_are_those_of_the_uploaded_document(api: Api) -> None:
    api.create()
    upload(b"# Bees\n\nThe winter cluster.", name="bees")

    api.add({"file_id": UPLOAD, "source": "docs/bees", "format": "markdown", "metadata": {"year": 2026}})

    (hit,) = api.query("winter cluster")["hits"]
    assert (hit["source"], hit["metadata"]) == ("docs/bees#bees", {"year": 2026})


@pytest.mark.parametrize(
    ("content", "name", "reason"),
    [
        (b"no pdf", "a.pdf", "the PDF is broken; open it and save it again"),
        (b"PK\x03\x04 no archive", "a.docx", "broken"),
        (b"a", "a.exe", "the format is unknown for '.exe'"),
        (b"  ", "a.txt", "it contains no text"),
    ],
)
def test_unreadable_uploaded_file_is_reported_and_changes_nothing(
    api: Api, content: bytes, name: str, reason: str
) -> None:
    api.create()
    upload(content, name=name)
    before = api.show()

    report = api.add({"file_id": UPLOAD})

    (failed,) = report["failed"]
    assert (report["added"], failed["source"]) == (0, name)
    assert reason in failed["reason"]
    assert (api.show(), api.documents()["documents"]) == (before, [])


def test_upload_of_another_token_and_a_missing_one_are_the_same_failure(api: Api) -> None:
    api.create()
    upload(b"some words", name="a.txt", owner="another")

    report = api.add({"file_id": UPLOAD, "source": "a.txt"})

    reason = (
        f"the file {UPLOAD!r} is not uploaded, has expired, or belongs to another token; upload it with POST /api/files"
    )
    assert report["failed"] == [{"source": "a.txt", "reason": reason, "exists": False}]


INVALID_UPLOADS: list[Any] = [
    ([{"file_id": "../secret"}], "does not match ^file-[0-9a-f]{32}$"),
    ([{"file_id": UPLOAD, "text": "a"}], "a document has one of text, content_base64 and file_id"),
    ([{}], "a document has one of text, content_base64 and file_id"),
    ([{"file_id": UPLOAD}, {"text": "a"}], "a document with a file_id is added alone"),
]


@pytest.mark.parametrize(("documents", "message"), INVALID_UPLOADS)
def test_invalid_upload_of_a_document_is_rejected(api: Api, documents: list[Any], message: str) -> None:
    api.create()

    answer = api.send("POST", "/api/collections/handbook/documents", {"documents": documents})

    assert answer.status == 400
    assert message in json.dumps(answer.body)


def test_file_that_takes_too_long_names_the_command_and_changes_nothing(api: Api) -> None:
    api.create()
    upload((FILES / "deliveries.pdf").read_bytes())
    api.remaining_ms = 1_000  # no time is left for reading

    answer = api.send("POST", "/api/collections/handbook/documents", {"documents": [{"file_id": UPLOAD}]})

    (failed,) = answer.body["failed"]
    assert (answer.status, answer.body["added"]) == (200, 0)
    assert "no time is left to read it" in failed["reason"]
    assert "`flexchat collections add NAME FILE --stage STAGE`" in failed["reason"]
    api.remaining_ms = 60_000
    assert api.documents()["documents"] == []


def test_invalid_documents_are_reported_and_the_others_added(api: Api) -> None:
    api.create()
    encoded = base64.b64encode(b"\xff\xfe\x00").decode()

    report = api.add(
        {"source": "good.txt", "text": "good words"},
        {"source": "bad.txt", "content_base64": "%%%", "format": "text"},
        {"id": "no-base64", "content_base64": "é", "format": "text"},
        {"source": "utf16.txt", "content_base64": encoded, "format": "text"},
        {"source": "empty.txt", "text": "  \n"},
        {"source": "good.txt", "text": "the same source again"},
        {"source": "x.pdf", "content_base64": base64.b64encode(b"no pdf").decode(), "format": "pdf"},
    )

    assert (report["added"], report["passages"]) == (1, 1)
    reasons = {failure["source"]: failure["reason"] for failure in report["failed"]}
    assert {source: reason.partition(";")[0].partition(":")[0] for source, reason in reasons.items()} == {
        "bad.txt": "content_base64 is not base64",
        "no-base64": "content_base64 is not base64",
        "utf16.txt": "the file declares utf-16le, but byte 2 is no text in it",
        "empty.txt": "it contains no text",
        "good.txt": "another document of this import has the id 'good.txt'",
        "x.pdf": "the PDF is broken",
    }


def test_each_record_is_a_separate_document(api: Api) -> None:
    api.create()
    records = [{"key": 7, "body": "red apples", "kind": "fruit"}, {"key": 8, "body": "green leeks", "kind": "root"}]
    document = {
        "format": "json",
        "text": json.dumps(records),
        "source": "store.json",
        "fields": {"text_fields": ["body"], "id_field": "key", "metadata_fields": ["kind"]},
        "metadata": {"shop": "north"},
    }

    assert api.add(document)["added"] == 2

    (hit,) = api.query("apples or leeks", filters={"kind": "root", "shop": "north"})["hits"]
    assert (hit["id"], hit["metadata"]) == ("8#0", {"kind": "root", "shop": "north"})
    assert api.query("apples or leeks", filters={"kind": "none"})["hits"] == []


def test_collection_defines_the_metadata_fields_of_titles_and_sources(api: Api) -> None:
    api.create(title_field="heading", source_field="url")
    metadata = {"heading": "Tides", "url": "https://example.com/tides"}

    api.add({"source": "a.md", "format": "markdown", "text": "# Sea\n\nThe water rises.", "metadata": metadata})

    (hit,) = api.query("water")["hits"]
    assert (hit["title"], hit["source"]) == ("Tides", "https://example.com/tides#sea")


def test_document_is_deleted_by_an_id_with_any_characters(api: Api) -> None:
    api.create()
    for name in ("docs/a b.md", "50%", "ä?x=1#y", "plain"):
        api.add({"id": name, "text": f"words of {name}"})
        assert api.show()["documents"] == 1

        answer = api.delete_document(name)

        assert (answer.status, answer.body["documents"], answer.body["passages"]) == (200, 0, 0)
        assert api.delete_document(name).refusal == (
            404,
            "collection_not_found",
            f"the collection 'handbook' has no document {name!r}",
        )


def test_a_hostile_page_is_reported_and_the_documents_after_it_are_added(api: Api) -> None:
    api.create()

    report = api.add(
        {"source": "first.html", "text": "<p>first words", "format": "html"},
        {"source": "hostile.html", "text": formatted(500, 10_000), "format": "html"},
        {"source": "last.html", "text": "<p>last words", "format": "html"},
    )

    assert (report["added"], report["passages"]) == (2, 2)
    reason = "reading it takes more than 130 MB of memory, or crashes its parser; simplify or split it"
    assert report["failed"] == [{"source": "hostile.html", "reason": reason, "exists": False}]


def test_documents_are_listed_in_pages_by_their_ids(api: Api) -> None:
    api.create()
    assert api.documents() == {"documents": [], "next": None}
    api.add(*({"id": name, "title": f"Title {name}", "text": f"words of {name}"} for name in "cabd"))

    first = api.documents("limit=2")
    second = api.documents(f"limit=2&after={first['next']}")

    times = [document.pop("added_at") for document in first["documents"]]
    assert all(time.startswith("20") and time.endswith("+00:00") for time in times)
    assert first == {
        "documents": [
            {
                "id": name,
                "title": f"Title {name}",
                "source": name,
                "passages": 1,
                "origin": "",
                "characters": 10,
                "bytes": 10,
            }
            for name in "ab"
        ],
        "next": "b",
    }
    assert ([each["id"] for each in second["documents"]], second["next"]) == (["c", "d"], None)


def test_documents_of_a_missing_collection_are_an_error(api: Api) -> None:
    assert api.send("GET", "/api/collections/handbook/documents").refusal[:2] == (404, "collection_not_found")


def test_a_pdf_with_scanned_pages_is_added_with_a_warning(api: Api) -> None:
    api.create()
    content = base64.b64encode(laid_out(lines("words"), IMAGE)).decode()

    report = api.add({"source": "scan.pdf", "format": "pdf", "content_base64": content})

    assert report["added"] == 1
    assert report["warnings"] == [
        {
            "source": "scan.pdf",
            "reason": "1 of 2 pages have only images, no text: 2; recognize the text (OCR) to have it found",
        }
    ]


def test_a_document_of_files_is_replaced_only_on_request(api: Api, tmp_path: Path) -> None:
    api.create()
    documents = [Document("guide.md", "Guide", "guide.md", "words of a file", origin="/srv/docs")]
    service(tmp_path / "other", Embedders()).add("handbook", documents, deadline=Deadline.after(60))
    other = {"id": "guide.md", "text": "other words"}

    refused = api.add(other)
    replaced = api.send("POST", "/api/collections/handbook/documents", {"documents": [other], "replace": True}).body

    assert (refused["added"], refused["replaced"], replaced["replaced"]) == (0, 0, 1)
    assert refused["failed"] == [
        {
            "source": "guide.md",
            "reason": (
                "the collection has another document of this id, from '/srv/docs'; add it with a prefix, or replace it"
            ),
            "exists": True,
        }
    ]


@pytest.mark.parametrize("format", ["pdf", "docx", "pptx", "xlsx", "epub"])
def test_a_binary_format_needs_base64(api: Api, format: str) -> None:
    api.create()
    answer = api.send("POST", "/api/collections/handbook/documents", {"documents": [{"text": "a", "format": format}]})
    assert f"the format {format} needs content_base64 instead of text" in json.dumps(answer.body)
    assert answer.status == 400
