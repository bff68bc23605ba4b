"""The function that serves the page: what a browser gets, and what it may keep."""

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from functions.page.app import lambda_handler, page_files
from functions.page.files import PageFiles
from functions.page.responses import SECURITY_HEADERS, answer

PAGE = Path(__file__).parents[3] / "functions" / "page"
VIEWS = ("chat", "configuration", "retrieval", "tools-testing", "validation")


def asked(path: str, *, context_path: str | None = None, **headers: str) -> dict[str, Any]:
    """A GET as API Gateway tells it of a stage `dev`."""
    file = path.removeprefix("/assets/") if path.startswith("/assets/") else None
    return {
        "path": path,
        "httpMethod": "GET",
        "headers": {name.replace("_", "-"): value for name, value in headers.items()} or None,
        "pathParameters": {"file": file} if file is not None else None,
        "requestContext": {"path": context_path or f"/dev{path}", "requestId": "r-1"},
    }


def folder(at: Path, **files: str) -> Path:
    """A page of two views; `files` are more of its files, `__` a step of a path and `_js` an ending."""
    written = {
        "index.html": '<head>\n    <meta content="{stage}">\n    <script src="assets/app.js"></script>\n  </head>',
        "app.js": "run();",
        "views/chat/view.js": "chat();",
        "views/tools-testing/view.js": "test();",
        **{name.replace("__", "/").replace("_js", ".js"): text for name, text in files.items()},
    }
    for name, text in written.items():
        (at / name).parent.mkdir(parents=True, exist_ok=True)
        (at / name).write_text(text, encoding="utf-8")
    return at


@pytest.fixture
def files(tmp_path: Path) -> PageFiles:
    return PageFiles.read(folder(tmp_path), stage="dev")


def test_a_view_is_the_document_with_every_module_it_needs_named(files: PageFiles) -> None:
    version = files.version

    assert files.documents["chat"].text == (
        '<head>\n    <meta content="dev">\n'
        f'    <script src="assets/{version}/app.js"></script>\n'
        f'    <link rel="modulepreload" href="assets/{version}/app.js">\n'
        f'    <link rel="modulepreload" href="assets/{version}/views/chat/view.js">\n'
        "  </head>"
    )


def test_a_stage_is_written_into_the_document_as_text(tmp_path: Path) -> None:
    document = PageFiles.read(folder(tmp_path), stage='"><script>').documents["chat"]

    assert '<meta content="&quot;&gt;&lt;script&gt;">' in document.text


@pytest.mark.parametrize("path", ["/", "/tools-testing"])
def test_the_page_begins_with_the_tools(files: PageFiles, path: str) -> None:
    assert answer(asked(path), files) == {
        "statusCode": 200,
        "headers": {
            **SECURITY_HEADERS,
            "ETag": files.documents["tools-testing"].etag,
            "Cache-Control": "no-cache",
            "Content-Type": "text/html; charset=utf-8",
        },
        "body": files.documents["tools-testing"].text,
        "isBase64Encoded": False,
    }


def test_a_file_is_kept_for_ever_under_its_version(files: PageFiles) -> None:
    assert answer(asked(f"/assets/{files.version}/views/chat/view.js"), files) == {
        "statusCode": 200,
        "headers": {
            **SECURITY_HEADERS,
            "ETag": files.assets["views/chat/view.js"].etag,
            "Cache-Control": "public, max-age=31536000, immutable",
            "Content-Type": "text/javascript; charset=utf-8",
        },
        "body": "chat();",
        "isBase64Encoded": False,
    }


@pytest.mark.parametrize("known", ["{}", "W/{}", '"other", {}'])
@pytest.mark.parametrize("header", ["If_None_Match", "if_none_match"])
def test_what_a_browser_has_already_is_not_sent_again(files: PageFiles, known: str, header: str) -> None:
    etag = files.documents["chat"].etag

    assert answer(asked("/chat", **{header: known.format(etag)}), files) == {
        "statusCode": 304,
        "headers": {**SECURITY_HEADERS, "ETag": etag, "Cache-Control": "no-cache"},
        "body": "",
        "isBase64Encoded": False,
    }


def test_a_document_that_changed_is_sent(files: PageFiles) -> None:
    assert answer(asked("/chat", if_none_match='"of yesterday"'), files)["statusCode"] == 200


def test_every_change_of_a_file_changes_the_version_and_every_document(tmp_path: Path) -> None:
    before = PageFiles.read(folder(tmp_path / "a"), stage="dev")
    after = PageFiles.read(folder(tmp_path / "b", app_js="run(1);"), stage="dev")

    assert before.version != after.version
    assert {view: file.etag for view, file in before.documents.items()}.items().isdisjoint(
        {view: file.etag for view, file in after.documents.items()}.items()
    )


def test_a_stage_without_its_slash_is_told_where_the_page_is(files: PageFiles) -> None:
    answered = answer(asked("/", context_path="/dev"), files)

    assert (answered["statusCode"], answered["body"]) == (308, "")
    assert answered["headers"] == {**SECURITY_HEADERS, "Location": "/dev/", "Cache-Control": "no-cache"}


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/assets/0123456789ab/app.js", "there is no such file of the page, or no longer: load the page again"),
        ("/assets/{version}/other.js", "there is no such file of the page, or no longer: load the page again"),
        ("/assets/{version}/../app.py", "there is no such file of the page, or no longer: load the page again"),
        ("/assets/{version}", "there is no such file of the page, or no longer: load the page again"),
        ("/settings", "there is no such view; there are chat, tools-testing"),
        ("/chat/../../etc", "there is no such view; there are chat, tools-testing"),
    ],
)
def test_what_there_is_not_is_said_and_not_kept(files: PageFiles, path: str, message: str) -> None:
    answered = answer(asked(path.format(version=files.version)), files)

    assert answered == {
        "statusCode": 404,
        "headers": {**SECURITY_HEADERS, "Content-Type": "application/json", "Cache-Control": "no-store"},
        "body": json.dumps({"error": "not_found", "message": message, "request_id": "r-1"}),
        "isBase64Encoded": False,
    }


def test_only_what_a_page_is_made_of_is_served(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("not for everyone", encoding="utf-8")
    (tmp_path / "types.d.ts").write_text("export {};", encoding="utf-8")

    assert list(PageFiles.read(folder(tmp_path), stage="dev").assets) == [
        "app.js",
        "views/chat/view.js",
        "views/tools-testing/view.js",
    ]


def test_the_policy_admits_the_pages_own_files_and_api_and_nothing_else() -> None:
    assert SECURITY_HEADERS["Content-Security-Policy"].split("; ") == [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ]


def test_the_function_serves_the_projects_own_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLEXCHAT_STAGE", "dev")
    page_files.cache_clear()
    answered = lambda_handler(asked("/"), None)
    page_files.cache_clear()

    assert answered["statusCode"] == 200
    assert "<title>Flexchat</title>" in str(answered["body"])


@pytest.fixture(scope="module")
def page() -> PageFiles:
    """What is deployed."""
    return PageFiles.read(PAGE / "static", stage="dev")


def test_every_view_of_the_page_has_a_document(page: PageFiles) -> None:
    assert tuple(page.documents) == VIEWS


@pytest.mark.parametrize("folder", ["src", "static"])
def test_whatever_a_document_or_module_names_is_there_and_nothing_else(folder: str) -> None:
    root = PAGE / folder
    page = PageFiles.read(root, stage="dev")
    linked = {
        name
        for document in page.documents.values()
        for name in re.findall(rf'="assets/{page.version}/([^"]+)"', document.text)
    }
    imported = {
        (root / name).parent.joinpath(target).resolve().relative_to(root).as_posix()
        for name, file in page.assets.items()
        if name.endswith(".js")
        for target in re.findall(r"""(?:from|import)\s*\(?["'](\.[^"']+)["']""", file.text)
    }

    assert linked | imported <= set(page.assets)
    assert {name for name in page.assets if name.endswith(".js")} <= imported | {"app.js"}, "loaded by nobody"


def test_a_first_visit_asks_for_a_few_files_at_once(page: PageFiles) -> None:
    """A new AWS account runs ten functions at a time, and a browser asks for six files at a time over HTTP/1.1."""
    assert all(document.text.count("modulepreload") <= 12 for document in page.documents.values())


def test_nothing_of_the_page_lies_elsewhere(page: PageFiles) -> None:
    texts = [file.text for name, file in page.assets.items() if not name.startswith("vendor/")]
    texts += [document.text for document in page.documents.values()]
    elsewhere = re.compile(r"""(?:src=|href=|from |import\(|url\()["']?https?://""")

    assert [found for text in texts for found in elsewhere.findall(text)] == []


def test_the_whole_page_is_small(page: PageFiles) -> None:
    """120 kB of everything, as a browser gets it: compressed. The libraries are 20 kB of that at most."""
    libraries = [gzip.compress(path.read_bytes()) for path in (PAGE / "src" / "vendor").glob("*.js")]

    assert sum(len(gzip.compress(file.text.encode())) for file in page.assets.values()) < 120_000
    assert libraries
    assert sum(map(len, libraries)) < 20_000
