"""Documents of collections: uploads, list, removal, re-indexing, and explained searches."""

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Locator, Page, Request, expect

from tests.browser.network import Interception
from tests.browser.screen import Screen
from tests.browser.trace_pages import FILES_ORIGIN as STORAGE
from tests.browser.trace_pages import StubApi, stub_api

DOCUMENTS = "retrieval?collection=handbook&tab=documents"
PATH = "/api/collections/handbook"


def collection(**changes: Any) -> dict[str, Any]:
    return {
        "name": "handbook",
        "metadata": {"display_name": "Handbook", "description": "Rules", "embedding_model": "lexical"},
        "documents": 2,
        "passages": 9,
        "bytes": 48_000,
        "calibrated_passages": 9,
        "created_at": "2026-11-20T10:00:00+00:00",
        "updated_at": "2026-11-26T10:00:00+00:00",
    } | changes


def document(name: str, **changes: Any) -> dict[str, Any]:
    return {
        "id": name,
        "title": name.rpartition(".")[0].title(),
        "source": name,
        "passages": 4,
        "origin": "",
        "characters": 4_100,
        "bytes": 340_000,
        "added_at": "2026-11-26T10:00:00+00:00",
    } | changes


def imported(**changes: Any) -> dict[str, Any]:
    report: dict[str, Any] = {"added": 0, "replaced": 0, "unchanged": 0, "failed": [], "warnings": [], "passages": 9}
    return report | changes


def failure(reason: str, *, exists: bool = False) -> dict[str, Any]:
    return imported(failed=[{"source": "leave.pdf", "reason": reason, "exists": exists}])


@pytest.fixture
def api() -> StubApi:
    return with_documents(stub_api("user", "operator"))


def with_documents(api: StubApi) -> StubApi:
    documents: list[Any] = [
        document("leave.pdf"),
        document("travel.md", origin="/srv/docs", bytes=None, added_at=None, passages=0),
    ]
    api.set("GET /api/collections", {"collections": [collection()]})
    api.set(f"GET {PATH}", collection())
    api.set(f"GET {PATH}/documents", {"documents": documents, "next": None})
    api.set(f"POST {PATH}/documents", imported(added=1))
    return api


def choose(page: Page, *files: tuple[str, bytes]) -> None:
    page.get_by_label("Upload documents").last.set_input_files(
        [{"name": name, "mimeType": "application/octet-stream", "buffer": content} for name, content in files]
    )


def row(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name="Uploads").get_by_role("listitem").filter(has_text=name)


@pytest.mark.parametrize("width", [1280, 390])
def test_documents_are_listed_with_source_size_state_and_time(stubbed: Screen, width: int) -> None:
    page = stubbed.open(DOCUMENTS, width=width)
    table = page.get_by_role("region", name="Documents")
    expect(table).to_contain_text("leave.pdf")
    expect(table).to_contain_text("340 kB")
    expect(table).to_contain_text("from /srv/docs")
    expect(table).to_contain_text("no text")
    expect(table).to_contain_text("not recorded")
    stubbed.settle()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    stubbed.axe()
    stubbed.shoot("documents")


def test_files_are_uploaded_one_after_another_with_the_file_as_base64(stubbed: Screen, api: StubApi) -> None:
    page = stubbed.open(DOCUMENTS)
    choose(page, ("leave.pdf", b"one"), ("travel.md", b"two"))

    expect(row(page, "leave.pdf")).to_contain_text("indexed")
    expect(row(page, "travel.md")).to_contain_text("added")
    assert api.bodies(f"POST {PATH}/documents") == [
        {
            "replace": False,
            "documents": [{"source": name, "content_base64": content, "fields": {"text_fields": ["text"]}}],
        }
        for name, content in (("leave.pdf", "b25l"), ("travel.md", "dHdv"))
    ]
    expect(page.get_by_role("button", name="Clear finished")).to_be_visible()


def test_an_uploaded_file_is_listed_while_the_list_of_collections_is_old(stubbed: Screen, api: StubApi) -> None:
    api.set("GET /api/collections", {"collections": [collection(documents=0, passages=0)]})
    api.set(f"GET {PATH}/documents", {"documents": [], "next": None})
    page = stubbed.open(DOCUMENTS)
    expect(page.get_by_text("Upload files to have chats search them.")).to_be_visible()
    api.set(f"GET {PATH}", collection(documents=1, updated_at="2026-11-28T10:00:00.001+00:00"))
    api.set(f"GET {PATH}/documents", {"documents": [document("leave.pdf")], "next": None})

    choose(page, ("leave.pdf", b"content"))

    expect(page.get_by_role("region", name="Documents")).to_contain_text("leave.pdf")


@pytest.mark.parametrize(
    ("response", "state", "note"),
    [
        (failure("the PDF is encrypted; save it without a password"), "failed", "the PDF is encrypted"),
        (failure("it contains no text"), "failed", "it contains no text"),
        (failure("the format is unknown for '.exe'"), "failed", "the format is unknown"),
        (imported(unchanged=1), "indexed", "the collection has it already"),
        (imported(replaced=1), "indexed", "replaced the document of this name"),
        (
            imported(added=1, warnings=[{"source": "leave.pdf", "reason": "1 of 2 pages have only images"}]),
            "indexed",
            "1 of 2 pages have only images",
        ),
        ((403, {"error": "forbidden", "message": "this needs the role", "request_id": "r-1"}), "failed", "request r-1"),
    ],
)
def test_each_result_of_an_upload_is_shown_in_words(
    stubbed: Screen, api: StubApi, response: Any, state: str, note: str
) -> None:
    api.set(f"POST {PATH}/documents", response)
    if isinstance(response, tuple):
        stubbed.expects("403")
    page = stubbed.open(DOCUMENTS)
    choose(page, ("leave.pdf", b"content"))
    expect(row(page, "leave.pdf")).to_contain_text(state)
    expect(row(page, "leave.pdf")).to_contain_text(note)


def test_empty_large_and_repeated_files_are_not_sent(stubbed: Screen, api: StubApi) -> None:
    page = stubbed.open(DOCUMENTS)
    choose(page, ("empty.txt", b""), ("large.txt", b"a" * 20_000_001), ("same.txt", b"1"), ("same.txt", b"2"))
    expect(row(page, "empty.txt")).to_contain_text("The file is empty.")
    expect(row(page, "large.txt")).to_contain_text("the page uploads at most 20.0 MB")
    expect(row(page, "same.txt").last).to_contain_text("Another file of this upload has the same name")
    expect(row(page, "same.txt").first).to_contain_text("indexed")
    assert len(api.sent(f"POST {PATH}/documents")) == 1


LARGE = ("large.pdf", b"%PDF-" + b"a" * 3_000_001)
FORM: dict[str, Any] = {"id": "file-1", "url": f"{STORAGE}/bucket", "fields": {"key": "k"}, "expires_at": ""}
CORS = {"Access-Control-Allow-Origin": "*"}


@pytest.fixture
def storage(stubbed: Screen, api: StubApi) -> Interception:
    """Storage whose uploads wait."""
    api.set("POST /api/files", (201, FORM))
    stubbed.watch.allow(STORAGE)
    return stubbed.hold(f"{STORAGE}/**")


@pytest.mark.parametrize("width", [1280, 390])
def test_a_large_file_is_uploaded_to_the_storage_and_added_by_its_id(
    stubbed: Screen, api: StubApi, storage: Interception, width: int
) -> None:
    page = stubbed.open(DOCUMENTS, width=width)
    choose(page, LARGE)

    expect(page.get_by_role("progressbar", name="Upload of large.pdf")).to_be_visible()
    stubbed.axe()
    stubbed.shoot("documents-uploading")
    assert not api.sent(f"POST {PATH}/documents")
    storage.held.pop().fulfill(status=204, headers=CORS)

    expect(row(page, "large.pdf")).to_contain_text("indexed")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert api.bodies("POST /api/files") == [{"name": "large.pdf", "size": len(LARGE[1])}]
    assert api.bodies(f"POST {PATH}/documents") == [
        {
            "replace": False,
            "documents": [{"source": "large.pdf", "file_id": "file-1", "fields": {"text_fields": ["text"]}}],
        }
    ]


def test_a_cancelled_upload_of_a_large_file_adds_nothing_and_can_be_repeated(
    stubbed: Screen, api: StubApi, storage: Interception
) -> None:
    page = stubbed.open(DOCUMENTS)
    choose(page, LARGE)
    expect(page.get_by_role("progressbar", name="Upload of large.pdf")).to_be_visible()

    row(page, "large.pdf").get_by_role("button", name="Cancel large.pdf").press("Enter")

    expect(row(page, "large.pdf")).to_contain_text("cancelled")
    expect(row(page, "large.pdf")).not_to_contain_text("may have been indexed")
    assert not api.sent(f"POST {PATH}/documents")
    storage.held.clear()
    row(page, "large.pdf").get_by_role("button", name="Upload large.pdf again").click()
    expect(page.get_by_role("progressbar", name="Upload of large.pdf")).to_be_visible()


def test_a_refused_upload_and_a_timeout_of_the_indexing_say_what_happened(stubbed: Screen, api: StubApi) -> None:
    stubbed.expects("403")
    stubbed.expects("504")
    stubbed.watch.allow(STORAGE)
    api.set("POST /api/files", (201, FORM))
    api.set(f"POST {PATH}/documents", (504, {"error": "timeout", "message": "no response in time", "request_id": "r"}))
    statuses = [403, 204]
    page = stubbed.open(DOCUMENTS)
    page.route(f"{STORAGE}/**", lambda route: route.fulfill(status=statuses.pop(0), headers=CORS))

    choose(page, LARGE)
    expect(row(page, "large.pdf")).to_contain_text("The time for the upload is over. Try again.")
    assert not api.sent(f"POST {PATH}/documents")
    row(page, "large.pdf").get_by_role("button", name="Upload large.pdf again").click()

    expect(row(page, "large.pdf")).to_contain_text("It may have been indexed; the list shows it.")


def test_a_document_from_a_directory_is_replaced_on_request(stubbed: Screen, api: StubApi) -> None:
    def respond(request: Request) -> Any:
        replaces = '"replace":true' in (request.post_data or "")
        return imported(replaced=1) if replaces else failure("the collection has another document", exists=True)

    api.set(f"POST {PATH}/documents", respond)
    page = stubbed.open(DOCUMENTS)
    choose(page, ("leave.pdf", b"content"))
    expect(row(page, "leave.pdf")).to_contain_text("not added")
    row(page, "leave.pdf").get_by_role("button", name="Replace leave.pdf").press("Enter")
    expect(row(page, "leave.pdf")).to_contain_text("replaced the document of this name")


def test_a_document_is_removed_after_a_question_by_keyboard(stubbed: Screen, api: StubApi) -> None:
    api.set(f"DELETE {PATH}/documents/leave.pdf", collection(documents=1, updated_at="2026-11-27T10:00:00+00:00"))
    page = stubbed.open(DOCUMENTS)
    page.get_by_role("button", name="Remove Leave").press("Enter")
    expect(page.get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Remove Leave")).to_be_focused()
    assert not api.sent(f"DELETE {PATH}/documents/leave.pdf")
    page.get_by_role("button", name="Remove Leave").press("Enter")
    expect(page.get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 document, 9 passages", exact=True)).to_be_visible()
    assert len(api.sent(f"DELETE {PATH}/documents/leave.pdf")) == 1


def test_a_collection_is_created_re_indexed_and_deleted(stubbed: Screen, api: StubApi) -> None:
    api.set("GET /api/collections", {"collections": []})
    api.set("POST /api/collections", collection(documents=0, passages=0))
    api.set(f"GET {PATH}/documents", {"documents": [], "next": None})
    api.set(f"POST {PATH}/reindex", collection(passages=30))
    api.set(f"DELETE {PATH}", {"deleted": "handbook"})
    page = stubbed.open("retrieval")
    page.get_by_label("Name").fill("handbook")
    page.get_by_role("button", name="Create collection").click()
    expect(page.get_by_role("heading", name="Documents of Handbook")).to_be_visible()
    expect(page.get_by_text("Upload files to have chats search them.")).to_be_visible()

    page.get_by_text("Re-index or delete the collection").click()
    page.get_by_label("Characters of a passage").fill("300")
    page.get_by_role("button", name="Re-index", exact=True).click()
    expect(page.get_by_text("indexed again: 30 passages ✓")).to_be_visible()
    assert api.bodies(f"POST {PATH}/reindex") == [{"embedding_model": "lexical", "passage_size": 300}]

    page.get_by_role("button", name="Delete collection").click()
    page.get_by_role("group", name="Delete collection").get_by_role("button", name="Delete collection").click()
    expect(page.get_by_role("heading", name="No collections")).to_be_visible()


def test_a_failed_re_indexing_says_what_to_do(stubbed: Screen, api: StubApi) -> None:
    message = "the collection 'handbook' is too large for the time of a request"
    api.set(f"POST {PATH}/reindex", (413, {"error": "collection_too_large", "message": message, "request_id": "r-1"}))
    stubbed.expects("413")
    page = stubbed.open(DOCUMENTS)
    page.get_by_text("Re-index or delete the collection").click()
    page.get_by_role("button", name="Re-index", exact=True).click()
    expect(page.get_by_text(message)).to_be_visible()


@pytest.mark.parametrize("width", [1280, 390])
def test_a_search_says_why_nothing_matches_and_suggests_words(stubbed: Screen, api: StubApi, width: int) -> None:
    sentence = "None of the words of the query occurs in the collection. 'vacaton' does not occur in it."
    words: list[Any] = [{"word": "vacaton", "similar": ["vacation"]}]
    explanation: dict[str, Any] = {
        "code": "no_word_occurs",
        "sentence": sentence,
        "unknown_words": words,
        "excluded": [],
    }
    thresholds: dict[str, Any] = {"match": 0.65, "partial": 0.99}
    response: dict[str, Any] = {"result": "none", "hits": [], "explanation": explanation, "thresholds": thresholds}
    api.set(f"POST {PATH}/query", response)
    page = stubbed.open("retrieval?collection=handbook&query=Vacaton days", width=width)
    expect(page.get_by_text(sentence)).to_be_visible()
    stubbed.axe()
    stubbed.shoot("explained")
    page.get_by_role("button", name="vacation days").click()
    expect(page.get_by_label("Test query")).to_have_value("vacation days")
    assert api.bodies(f"POST {PATH}/query") == [
        {"query": text, "top_k": 5} for text in ("Vacaton days", "vacation days")
    ]


OWN = "page-uploads"


@pytest.fixture
def no_collection(service: httpx2.Client) -> Iterator[None]:
    service.delete(f"/api/collections/{OWN}")  # left over from an aborted test run
    yield
    service.delete(f"/api/collections/{OWN}")


@pytest.mark.usefixtures("no_collection")
def test_files_are_added_to_a_new_collection_of_the_stack_and_found(screen: Screen) -> None:
    page = screen.open("retrieval")
    page.get_by_text("New collection").click()
    page.get_by_label("Name").fill(OWN)
    page.get_by_role("button", name="Create collection").click()
    expect(page.get_by_role("heading", name=f"Documents of {OWN}")).to_be_visible()

    choose(page, ("leave.txt", b"Vacation days are granted by the manager."), ("broken.pdf", b"no PDF"))

    expect(row(page, "leave.txt")).to_contain_text("indexed")
    expect(row(page, "broken.pdf")).to_contain_text("failed")
    expect(page.get_by_role("region", name="Documents")).to_contain_text("leave.txt")
    expect(page.get_by_role("region", name="Documents")).to_contain_text("41 B")
    page.get_by_role("tab", name="Search").click()
    page.get_by_label("Test query").fill("vacaton")
    page.get_by_role("button", name="Search", exact=False).first.click()
    expect(page.get_by_text("Similar words that occur: 'vacation'")).to_be_visible()
    page.get_by_role("button", name="vacation", exact=True).click()
    expect(page.get_by_role("table", name="Passages by rank").locator("tbody tr")).to_have_count(1)


class TestUser:
    @pytest.fixture
    def api(self) -> StubApi:
        return with_documents(stub_api("user"))

    def test_a_user_sees_the_documents_without_actions(self, stubbed: Screen) -> None:
        page = stubbed.open(DOCUMENTS)
        expect(page.get_by_role("region", name="Documents")).to_contain_text("leave.pdf")
        expect(page.get_by_role("button", name="Upload documents")).to_have_count(0)
        expect(page.get_by_role("button", name="Remove Leave")).to_have_count(0)
        expect(page.get_by_text("New collection")).to_have_count(0)
