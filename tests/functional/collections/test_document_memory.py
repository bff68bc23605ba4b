"""Memory of the retrieval function while it reads the largest files that are uploaded.

`pytest -s` prints the peak of each.
"""

import io
import json
import random
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from cli.layout import Layout
from flexchat.attachments import MAX_FILE_BYTES
from flexchat.bounded_reading import MAX_MEGABYTES
from functions.retrieval.ingest.documents import MAX_DOCUMENT_CHARACTERS
from tests.template.transform import authored
from tests.unit.foreign_text.hostile_documents import FONT, pdf, stream
from tests.unit.ingest.office_files import docx
from tests.unit.ingest.pdf_files import IMAGE, lines

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="only Linux has the memory of a process"),
]

PICTURE_BYTES: Final = 1_000_000
PICTURES: Final = 19
FUNCTION_MEGABYTES: Final = 384
"""Memory of the function beside that of its reader: its modules, a file and its copies."""


def words(characters: int) -> str:
    source = random.Random(1)  # noqa: S311 - no secret
    vocabulary = ["".join(source.choices("abcdefghijklmnopqrstuvwxyz", k=source.randint(2, 11))) for _ in range(5_000)]
    return " ".join(source.choices(vocabulary, k=characters // 6))[:characters]


def pictures() -> Iterator[bytes]:
    source = random.Random(2)  # noqa: S311 - the same
    return (source.randbytes(PICTURE_BYTES) for _ in range(PICTURES))


def illustrated_pdf() -> bytes:
    """Return a PDF with a picture and some text on each page, as a scanned brochure with its text."""
    kind = "/Type /XObject /Subtype /Image /Width 1000 /Height 1000 /ColorSpace /DeviceGray /BitsPerComponent 8"
    objects, kids = {1: b"<< /Type /Catalog /Pages 2 0 R >>"}, list[str]()
    for at, picture in enumerate(pictures()):
        image, page, content = (10 + 3 * at + each for each in range(3))
        objects[image] = stream(picture, kind)
        resources = f"<< /Font << /F {FONT} >> /XObject << /I {image} 0 R >> >>"
        objects[page] = f"<< /Type /Page /Parent 2 0 R /Contents {content} 0 R /Resources {resources} >>".encode()
        objects[content] = stream(lines(*[words(90)] * 40) + IMAGE)
        kids.append(f"{page} 0 R")
    tree = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} /MediaBox [0 0 612 792] >>"
    return pdf({**objects, 2: tree.encode()})


def with_pictures(document: bytes) -> bytes:
    """Return a Word document with pictures beside its text."""
    out = io.BytesIO(document)
    with zipfile.ZipFile(out, "a") as archive:
        for at, picture in enumerate(pictures()):
            archive.writestr(f"word/media/image{at}.png", picture)
    return out.getvalue()


def illustrated_docx() -> bytes:
    return with_pictures(docx(*[words(500)] * 2_000))


def page() -> bytes:
    return b"<html><body>" + f"<p>{words(300)} <b>{words(30)}</b></p>".encode() * 23_000 + b"</body></html>"


READ: Final[dict[str, Callable[[], bytes]]] = {
    "illustrated.pdf": illustrated_pdf,
    "illustrated.docx": illustrated_docx,
    "page.html": page,
    "longest.txt": lambda: words(MAX_DOCUMENT_CHARACTERS).encode(),
}


def function_memory() -> int:
    """Return the memory of the retrieval function in MB."""
    return authored()["Resources"]["RetrievalFunction"]["Properties"]["MemorySize"]


def read(name: str, content: bytes, folder: Path) -> dict[str, Any]:
    """Return the memory and the result of reading a file in a process of its own."""
    path = folder / name
    path.write_bytes(content)
    command = [sys.executable, "-m", "tests.functional.collections.read_document", str(path)]
    done = subprocess.run(command, cwd=Layout.here().root, capture_output=True, text=True, check=False, timeout=600)  # noqa: S603
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    sys.stdout.write(f"\n{name}: {len(content) / 1e6:.1f} MB, {found}\n")
    return found


@pytest.mark.parametrize("name", READ)
def test_the_largest_file_is_read_within_half_of_the_memory_of_the_function(name: str, tmp_path: Path) -> None:
    content = READ[name]()
    assert len(content) <= MAX_FILE_BYTES

    found = read(name, content, tmp_path)

    assert (found["error"], found["characters"] > 0) == (None, True)
    assert found["peak"] < function_memory() / 2


def test_a_text_that_is_too_long_is_refused_within_half_of_the_memory_of_the_function(tmp_path: Path) -> None:
    found = read("long.txt", words(MAX_FILE_BYTES).encode(), tmp_path)

    assert "characters, at most 8000000 are accepted" in found["error"]
    assert found["peak"] < function_memory() / 2


def test_the_function_has_the_memory_of_its_largest_reader_and_its_own() -> None:
    assert function_memory() >= MAX_MEGABYTES + FUNCTION_MEGABYTES
