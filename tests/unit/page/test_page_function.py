"""Page function: served files, caching and security headers."""

import gzip
import html
import json
import re
from pathlib import Path
from typing import Any

import pytest

from functions.page.app import lambda_handler, page_files
from functions.page.files import SECURITY_HEADERS, VIEWS, PageFiles, page_response
from functions.page.sign_in import SignIn

PAGE = Path(__file__).parents[3] / "functions" / "page"


def request(path: str, *, context_path: str | None = None, **headers: str) -> dict[str, Any]:
    """API Gateway event of a GET request to the stage `dev`."""
    file = path.removeprefix("/assets/") if path.startswith("/assets/") else None
    return {
        "path": path,
        "httpMethod": "GET",
        "headers": {name.replace("_", "-"): value for name, value in headers.items()} or None,
        "pathParameters": {"file": file} if file is not None else None,
        "requestContext": {"path": context_path or f"/dev{path}", "requestId": "r-1"},
    }


def folder(at: Path, *, script: str = "run();") -> Path:
    """Write a page with one script and one licence."""
    written = {
        "index.html": '<meta content="{stage}"><meta content="{sign-in}">\n<script src="assets/app.js"></script>',
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
    assert files.document_file(None).text == (
        f'<meta content="dev"><meta content="">\n<script src="assets/{files.version}/app.js"></script>'
    )


def test_stage_is_escaped_in_the_document(tmp_path: Path) -> None:
    document = PageFiles.read(folder(tmp_path), stage='"><script>').document

    assert '<meta content="&quot;&gt;&lt;script&gt;">' in document


@pytest.mark.parametrize("path", ["/", *(f"/{view}" for view in VIEWS)])
def test_each_view_returns_the_document(files: PageFiles, path: str) -> None:
    assert page_response(request(path), files) == {
        "statusCode": 200,
        "headers": {
            **SECURITY_HEADERS,
            "ETag": files.document_file(None).etag,
            "Cache-Control": "no-cache",
            "Content-Type": "text/html; charset=utf-8",
        },
        "body": files.document_file(None).text,
        "isBase64Encoded": False,
    }


def test_permalink_of_a_trace_returns_the_document_with_links_from_its_folder(files: PageFiles) -> None:
    response = page_response(request("/runs/6f0c2b1e-1d2f-4a3b"), files)

    assert response["statusCode"] == 200
    nested = files.document_file(None, nested=True)
    assert response["body"] == nested.text == files.document_file(None).text.replace('"assets/', '"../assets/')
    assert response["headers"] == {
        **SECURITY_HEADERS,
        "ETag": nested.etag,
        "Cache-Control": "no-cache",
        "Content-Type": "text/html; charset=utf-8",
    }
    assert nested.etag != files.document_file(None).etag


def test_versioned_file_is_cacheable_forever(files: PageFiles) -> None:
    assert page_response(request(f"/assets/{files.version}/app.js"), files) == {
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


@pytest.mark.parametrize("etags", ["{}", "W/{}", '"other", {}'])
@pytest.mark.parametrize("header", ["If_None_Match", "if_none_match"])
def test_matching_etag_returns_not_modified(files: PageFiles, etags: str, header: str) -> None:
    etag = files.document_file(None).etag

    assert page_response(request("/chat", **{header: etags.format(etag)}), files) == {
        "statusCode": 304,
        "headers": {**SECURITY_HEADERS, "ETag": etag, "Cache-Control": "no-cache"},
        "body": "",
        "isBase64Encoded": False,
    }


def test_other_etag_returns_the_document(files: PageFiles) -> None:
    assert page_response(request("/chat", if_none_match='"of yesterday"'), files)["statusCode"] == 200


def test_module_on_demand_is_served_to_a_page_of_an_earlier_deployment(tmp_path: Path) -> None:
    folder(tmp_path)
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / "math-A1B2.js").write_text("export {};", encoding="utf-8")
    files = PageFiles.read(tmp_path, stage="dev")

    response = page_response(request("/assets/0123456789ab/modules/math-A1B2.js"), files)
    replaced = page_response(request("/assets/0123456789ab/modules/math-C3D4.js"), files)

    assert (response["statusCode"], response["body"]) == (200, "export {};")
    assert response["headers"] == {
        **SECURITY_HEADERS,
        "ETag": files.assets["modules/math-A1B2.js"].etag,
        "Cache-Control": "public, max-age=31536000, immutable",
        "Content-Type": "text/javascript; charset=utf-8",
    }
    assert replaced["statusCode"] == 404


def test_changed_file_changes_version_and_document(tmp_path: Path) -> None:
    before = PageFiles.read(folder(tmp_path / "a"), stage="dev")
    after = PageFiles.read(folder(tmp_path / "b", script="run(1);"), stage="dev")

    assert before.version != after.version
    assert before.document_file(None).etag != after.document_file(None).etag


def test_stage_url_without_slash_redirects(files: PageFiles) -> None:
    response = page_response(request("/", context_path="/dev"), files)

    assert (response["statusCode"], response["body"]) == (308, "")
    assert response["headers"] == {**SECURITY_HEADERS, "Location": "/dev/", "Cache-Control": "no-cache"}


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/assets/0123456789ab/app.js", "file not found; reload the page"),
        ("/assets/{version}/other.js", "file not found; reload the page"),
        ("/assets/{version}/../app.py", "file not found; reload the page"),
        ("/assets/{version}", "file not found; reload the page"),
        ("/runs", "view not found; the views are {views}"),
        ("/runs/a/b", "view not found; the views are {views}"),
        ("/settings", "view not found; the views are {views}"),
        ("/chat/../../etc", "view not found; the views are {views}"),
    ],
)
def test_missing_file_or_view_returns_not_found_without_caching(files: PageFiles, path: str, message: str) -> None:
    response = page_response(request(path.format(version=files.version)), files)
    message = message.format(views=", ".join(VIEWS))

    assert response == {
        "statusCode": 404,
        "headers": {**SECURITY_HEADERS, "Content-Type": "application/json", "Cache-Control": "no-store"},
        "body": json.dumps({"error": "not_found", "message": message, "request_id": "r-1"}),
        "isBase64Encoded": False,
    }


def test_only_page_files_are_served(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("not for everyone", encoding="utf-8")
    (tmp_path / "types.d.ts").write_text("export {};", encoding="utf-8")

    assert list(PageFiles.read(folder(tmp_path), stage="dev").assets) == [
        "app.js",
        "vendor/LICENSE.txt",
    ]


def test_content_security_policy_allows_only_the_own_origin() -> None:
    policy = dict(directive.split(" ", 1) for directive in SECURITY_HEADERS["Content-Security-Policy"].split("; "))

    assert policy["default-src"] == "'none'"
    assert {name for name, source in policy.items() if source == "'none'"} >= {
        "base-uri",
        "form-action",
        "frame-ancestors",
    }
    assert policy.pop("img-src") == "'self' data: blob:"  # pictures of answers and messages
    assert set(policy.values()) == {"'none'", "'self'", "'script'"}
    assert policy["require-trusted-types-for"] == "'script'"


VARIABLES = {
    "oidcIssuer": "https://login.example.com:8443/realms/acme",
    "oidcClientId": "flexchat-page",
    "oidcScopes": "openid,offline_access",
    "oidcName": "Acme_ID",
    "oidcOrigins": "https://tokens.example.com",
    "oidcAudiences": "flexchat",
}


def settings(body: object) -> Any:
    """Return the settings of the sign-in that a document has; None without them."""
    text = html.unescape(re.findall(r'<meta content="([^"]*)">', str(body))[1])
    return json.loads(text) if text else None


def test_document_has_the_public_settings_of_the_sign_in(files: PageFiles) -> None:
    response = page_response({**request("/chat"), "stageVariables": VARIABLES}, files)

    assert settings(response["body"]) == {
        "issuer": "https://login.example.com:8443/realms/acme",
        "client_id": "flexchat-page",
        "scopes": ["openid", "offline_access"],
        "name": "Acme ID",
    }


@pytest.mark.parametrize("path", ["/", "/shared/6f0c", "/runs/6f0c"])
def test_policy_allows_requests_to_the_issuer_and_its_listed_origins(tmp_path: Path, path: str) -> None:
    files = PageFiles.read(folder(tmp_path), stage="dev", files_origin="https://files.example.com")
    headers: Any = page_response({**request(path), "stageVariables": VARIABLES}, files)["headers"]

    policy = headers["Content-Security-Policy"]
    assert (
        "; connect-src 'self' https://files.example.com https://login.example.com:8443 https://tokens.example.com; "
        in policy
    )
    assert policy.count("login.example.com") == 1


@pytest.mark.parametrize("missing", ["oidcIssuer", "oidcClientId"])
def test_stage_without_issuer_or_client_has_no_sign_in(files: PageFiles, missing: str) -> None:
    event = {**request("/"), "stageVariables": {**VARIABLES, missing: ""}}

    assert settings(page_response(event, files)["body"]) is None
    assert page_response(event, files) == page_response(request("/"), files)


def test_provider_without_a_name_has_that_of_its_host() -> None:
    required = {name: VARIABLES[name] for name in ("oidcIssuer", "oidcClientId")}

    assert SignIn.from_variables(required) == SignIn(
        issuer="https://login.example.com:8443/realms/acme",
        client_id="flexchat-page",
        scopes=("openid",),
        name="login.example.com:8443",
        origins=(),
    )


def test_changed_settings_change_the_etag_of_the_document(files: PageFiles) -> None:
    event = {**request("/"), "stageVariables": VARIABLES}
    first: Any = page_response(event, files)["headers"]
    changed = {**VARIABLES, "oidcClientId": "another"}

    again = {**request("/", if_none_match=first["ETag"]), "stageVariables": VARIABLES}
    assert page_response(again, files)["statusCode"] == 304
    assert page_response({**again, "stageVariables": changed}, files)["statusCode"] == 200


def test_handler_serves_the_bundled_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLEXCHAT_STAGE", "dev")
    page_files.cache_clear()
    response = lambda_handler(request("/"), None)
    page_files.cache_clear()

    assert response["statusCode"] == 200
    assert "<title>Flexchat</title>" in str(response["body"])


@pytest.fixture(scope="module")
def page() -> PageFiles:
    """The bundled page."""
    return PageFiles.read(PAGE / "static", stage="dev")


def linked(page: PageFiles) -> list[str]:
    """Files linked by the document, in order."""
    return re.findall(rf'="assets/{page.version}/([^"]+)"', page.document)


def modules(page: PageFiles) -> list[str]:
    """Names of the modules that the page loads on demand."""
    return [name for name in page.assets if name.startswith("modules/")]


def test_bundle_is_one_script_and_one_stylesheet_and_modules_on_demand(page: PageFiles) -> None:
    """Each file of a first visit may start an environment of the function; a new AWS account has ten at a time."""
    assert linked(page) == ["icon.svg", "style.css", "app.js"]
    assert [name.partition("-")[0] for name in page.assets] == [
        "app.js",
        "icon.svg",
        "modules/highlight",
        "modules/math",
        "modules/oidc",
        "modules/views",
        "style.css",
        *(f"vendor/{path.name.partition('-')[0]}" for path in sorted((PAGE / "src" / "vendor").glob("*.txt"))),
    ]
    imports = r"""\b(?:from|import)\s*\(?\s*["'](\.[^"']*)["']"""
    assert sorted(re.findall(imports, page.assets["app.js"].text)) == [f"./{name}" for name in modules(page)]
    for name in modules(page):  # a module with imports of its own would be several requests: app.js is loaded already
        own = ["../app.js"] if name.startswith("modules/views-") else []
        assert re.findall(imports, page.assets[name].text) == own
    assert re.findall(r"@import|url\(", page.assets["style.css"].text) == []


def test_all_imports_exist_and_no_module_is_unused() -> None:
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


def test_all_stylesheets_are_imported_and_all_variables_are_defined() -> None:
    folder = PAGE / "src" / "styles"
    entry = (PAGE / "src" / "style.css").read_text(encoding="utf-8")
    text = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.css"))

    imported = re.findall(r'@import "\./styles/([^"]+)"', entry)
    assert sorted(imported) == sorted(path.name for path in folder.glob("*.css"))
    assert set(re.findall(r"var\((--[\w-]+)", text)) <= set(re.findall(r"^\s*(--[\w-]+):", text, re.MULTILINE))


def test_function_serves_all_views_of_the_page() -> None:
    location = (PAGE / "src" / "router.js").read_text(encoding="utf-8")

    assert tuple(re.findall(r'\{ name: "([^"]+)", title: ', location)) == VIEWS


def test_bundle_has_version_and_licence_of_each_library(page: PageFiles) -> None:
    scripts = "".join(file.text for name, file in page.assets.items() if name.endswith(".js"))
    notices = [
        line
        for module in sorted((PAGE / "src" / "vendor").glob("*.js"))
        for line in module.read_text(encoding="utf-8").splitlines()
        if line.startswith("/*! ")
    ]

    assert {notice.partition(": see ")[2].removesuffix(" */") for notice in notices} == {
        path.name for path in (PAGE / "src" / "vendor").glob("*.txt")
    }
    assert [notice for notice in notices if notice not in scripts] == []


def test_page_has_no_external_urls(page: PageFiles) -> None:
    texts = [file.text for name, file in page.assets.items() if not name.startswith("vendor/")]
    elsewhere = re.compile(r"""(?:src=|href=|from |import\(|url\()["']?https?://""")

    assert [found for text in [*texts, page.document] for found in elsewhere.findall(text)] == []


def compressed(text: str) -> int:
    return len(gzip.compress(text.encode()))


def test_first_visit_is_limited(page: PageFiles) -> None:
    """At most 80 kB compressed, of which at most 20 kB are libraries; with the views on demand at most 150 kB."""
    first = sum(compressed(page.assets[name].text) for name in linked(page)) + compressed(page.document)
    assert first < 80_000
    (views,) = (name for name in modules(page) if name.startswith("modules/views-"))
    assert first + compressed(page.assets[views].text) < 150_000
    libraries = [(PAGE / "src" / "vendor" / f"{name}.js").read_text("utf-8") for name in ("preact", "hooks", "htm")]
    assert sum(map(compressed, libraries)) < 20_000


def test_modules_on_demand_are_limited(page: PageFiles) -> None:
    assert len(modules(page)) == 4
    (protocol,) = (name for name in modules(page) if name.startswith("modules/oidc-"))
    assert compressed(page.assets[protocol].text) < 10_000
    assert [name for name in modules(page) if compressed(page.assets[name].text) > 75_000] == []
