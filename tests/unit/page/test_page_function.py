"""The function that serves the page: what a browser gets, and what it may keep."""

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from functions.page.app import lambda_handler, page_files
from functions.page.files import VIEWS, PageFiles
from functions.page.responses import SECURITY_HEADERS, answer

PAGE = Path(__file__).parents[3] / "functions" / "page"


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


def folder(at: Path, *, script: str = "run();") -> Path:
    """A page of one script and one licence."""
    written = {
        "index.html": '<meta content="{stage}">\n<script src="assets/app.js"></script>',
        "app.js": script,
        "vendor/LICENSE.txt": "MIT",
    }
    for name, text in written.items():
        (at / name).parent.mkdir(parents=True, exist_ok=True)
        (at / name).write_text(text, encoding="utf-8")
    return at


@pytest.fixture
def files(tmp_path: Path) -> PageFiles:
    return PageFiles.read(folder(tmp_path), stage="dev")


def test_document_has_the_stage_and_versioned_links(files: PageFiles) -> None:
    assert files.document.text == f'<meta content="dev">\n<script src="assets/{files.version}/app.js"></script>'


def test_a_stage_is_written_into_the_document_as_text(tmp_path: Path) -> None:
    document = PageFiles.read(folder(tmp_path), stage='"><script>').document

    assert '<meta content="&quot;&gt;&lt;script&gt;">' in document.text


@pytest.mark.parametrize("path", ["/", *(f"/{view}" for view in VIEWS)])
def test_each_view_returns_the_document(files: PageFiles, path: str) -> None:
    assert answer(asked(path), files) == {
        "statusCode": 200,
        "headers": {
            **SECURITY_HEADERS,
            "ETag": files.document.etag,
            "Cache-Control": "no-cache",
            "Content-Type": "text/html; charset=utf-8",
        },
        "body": files.document.text,
        "isBase64Encoded": False,
    }


def test_a_file_is_kept_for_ever_under_its_version(files: PageFiles) -> None:
    assert answer(asked(f"/assets/{files.version}/app.js"), files) == {
        "statusCode": 200,
        "headers": {
            **SECURITY_HEADERS,
            "ETag": files.assets["app.js"].etag,
            "Cache-Control": "public, max-age=31536000, immutable",
            "Content-Type": "text/javascript; charset=utf-8",
        },
        "body": "run();",
        "isBase64Encoded": False,
    }


@pytest.mark.parametrize("known", ["{}", "W/{}", '"other", {}'])
@pytest.mark.parametrize("header", ["If_None_Match", "if_none_match"])
def test_what_a_browser_has_already_is_not_sent_again(files: PageFiles, known: str, header: str) -> None:
    etag = files.document.etag

    assert answer(asked("/chat", **{header: known.format(etag)}), files) == {
        "statusCode": 304,
        "headers": {**SECURITY_HEADERS, "ETag": etag, "Cache-Control": "no-cache"},
        "body": "",
        "isBase64Encoded": False,
    }


def test_a_document_that_changed_is_sent(files: PageFiles) -> None:
    assert answer(asked("/chat", if_none_match='"of yesterday"'), files)["statusCode"] == 200


def test_a_changed_file_changes_the_version_and_the_document(tmp_path: Path) -> None:
    before = PageFiles.read(folder(tmp_path / "a"), stage="dev")
    after = PageFiles.read(folder(tmp_path / "b", script="run(1);"), stage="dev")

    assert before.version != after.version
    assert before.document.etag != after.document.etag


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
        ("/settings", "there is no such view; the views are {views}"),
        ("/chat/../../etc", "there is no such view; the views are {views}"),
    ],
)
def test_what_there_is_not_is_said_and_not_kept(files: PageFiles, path: str, message: str) -> None:
    answered = answer(asked(path.format(version=files.version)), files)
    message = message.format(views=", ".join(VIEWS))

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
        "vendor/LICENSE.txt",
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


def linked(page: PageFiles) -> list[str]:
    """The files that the document names, in its order."""
    return re.findall(rf'="assets/{page.version}/([^"]+)"', page.document.text)


def test_the_page_is_one_script_and_one_stylesheet(page: PageFiles) -> None:
    """Each file of a first visit may start an environment of the function; a new AWS account has ten at a time."""
    assert linked(page) == ["icon.svg", "style.css", "app.js"]
    assert list(page.assets) == [
        "app.js",
        "icon.svg",
        "style.css",
        "vendor/LICENSE.htm.txt",
        "vendor/LICENSE.preact.txt",
    ]
    assert re.findall(r"""\b(?:from|import)\s*\(?\s*["'][^"']*["']""", page.assets["app.js"].text) == []
    assert re.findall(r"@import|url\(", page.assets["style.css"].text) == []


def test_every_import_of_the_sources_exists_and_no_module_is_unused() -> None:
    root = PAGE / "src"
    page = PageFiles.read(root, stage="dev")
    imported = {
        (root / name).parent.joinpath(target).resolve().relative_to(root).as_posix()
        for name, file in page.assets.items()
        if name.endswith(".js")
        for target in re.findall(r"""(?:from|import)\s*\(?["'](\.[^"']+)["']""", file.text)
    }

    assert {*linked(page), *imported} <= set(page.assets)
    assert {name for name in page.assets if name.endswith(".js")} <= imported | {"app.js"}


def test_the_function_serves_the_views_that_the_page_has() -> None:
    location = (PAGE / "src" / "router.js").read_text(encoding="utf-8")

    assert tuple(re.findall(r'\{ name: "([^"]+)", title: ', location)) == VIEWS


def test_the_script_names_the_version_and_licence_of_each_library(page: PageFiles) -> None:
    modules = sorted((PAGE / "src" / "vendor").glob("*.js"))
    notices = [module.read_text(encoding="utf-8").partition("\n")[0] for module in modules]

    assert [re.match(r"/\*! .+, .+: see (LICENSE\..+\.txt) \*/$", notice) is not None for notice in notices] == [
        True,
        True,
        True,
    ]
    assert [notice for notice in notices if notice not in page.assets["app.js"].text] == []


def test_nothing_of_the_page_lies_elsewhere(page: PageFiles) -> None:
    texts = [file.text for name, file in page.assets.items() if not name.startswith("vendor/")]
    elsewhere = re.compile(r"""(?:src=|href=|from |import\(|url\()["']?https?://""")

    assert [found for text in [*texts, page.document.text] for found in elsewhere.findall(text)] == []


def test_the_whole_page_is_small(page: PageFiles) -> None:
    """120 kB of everything, as a browser gets it: compressed. The libraries are 20 kB of that at most."""
    libraries = [gzip.compress(path.read_bytes()) for path in (PAGE / "src" / "vendor").glob("*.js")]
    files = [page.document, *page.assets.values()]

    assert sum(len(gzip.compress(file.text.encode())) for file in files) < 120_000
    assert libraries
    assert sum(map(len, libraries)) < 20_000
