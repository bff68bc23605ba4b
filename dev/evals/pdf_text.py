"""Words and reading order of PDF files compared with `pdftotext`.

`python -m dev.evals.pdf_text FOLDER` reads every PDF file of a folder with the reader of collections and with Poppler's
`pdftotext` (the Debian package poppler-utils), and prints a line for each:

- words: the words of `pdftotext`; each character of a script without spaces is one
- found: share of these words, each as often as it occurs, in the text of the reader
- in order: share of the runs of five words of `pdftotext` that the reader has too
- seconds of both, the reader's in the same process

Only visible text counts: that within the crop box of the first page. Words are compared in compatibility normalization
and without case, so a ligature equals its letters. The reference is not the truth: a compound whose hyphen ends a line
is one word in `pdftotext`, and some hyphenated words are two.
"""

import argparse
import shutil
import subprocess
import sys
import time
import unicodedata
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import regex
from pypdfium2 import PdfDocument, PdfiumError

from functions.retrieval.ingest.documents import LoadError, SourceFile
from functions.retrieval.ingest.pdf import load_pdf

RUN = 5
"""Words of a run: it is found only if they follow each other in the same order."""

_WORD = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]|[\p{L}\p{M}\p{N}--[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]]+", regex.V1
)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Comparison of the two texts of one file."""

    name: str
    maker: str
    pages: int
    words: int
    found: float
    in_order: float
    seconds: float
    reference_seconds: float


def main() -> None:
    """Print the comparison of every PDF file below the folder of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m dev.evals.pdf_text", description="Compare words of PDF files with pdftotext."
    )
    parser.add_argument("folder", type=Path, help="folder with PDF files")
    folder: Path = parser.parse_args().folder
    files = sorted(folder.rglob("*.pdf"))
    if not files:
        sys.exit(f"{folder} has no PDF file")
    if shutil.which("pdftotext") is None:
        sys.exit("pdftotext is not installed; install poppler-utils")
    print(_ROW.format("file", "maker", "pages", "words", "found", "in order", "s", "pdftotext s"))
    rows: list[Comparison] = []
    for file in files:
        try:
            rows.append(compared(file))
        except (LoadError, PdfiumError) as exc:
            print(f"{file.name[:32]:34}{exc}")
        else:
            _print(rows[-1])
    total = max(1, sum(row.words for row in rows))
    _print(
        Comparison(
            name="all, by words",
            maker="",
            pages=sum(row.pages for row in rows),
            words=total,
            found=sum(row.found * row.words for row in rows) / total,
            in_order=sum(row.in_order * row.words for row in rows) / total,
            seconds=sum(row.seconds for row in rows),
            reference_seconds=sum(row.reference_seconds for row in rows),
        )
    )


_ROW = "{:34}{:34}{:>6}{:>8}{:>10}{:>10}{:>8}{:>13}"


def _print(row: Comparison) -> None:
    shares = (f"{row.found:.2%}", f"{row.in_order:.2%}", f"{row.seconds:.2f}", f"{row.reference_seconds:.2f}")
    print(_ROW.format(row.name[:32], row.maker[:32], row.pages, row.words, *shares))


def compared(file: Path) -> Comparison:
    """Return the comparison of one file. Raises LoadError for a file that the reader refuses."""
    content = file.read_bytes()
    with closing(PdfDocument(content)) as pdf:
        maker, pages = pdf.get_metadata_value("Producer").strip(), len(pdf)
        visible = _visible(pdf)
    start = time.perf_counter()
    text = load_pdf(SourceFile(file.name, content)).text
    seconds = time.perf_counter() - start
    start = time.perf_counter()
    command = ["pdftotext", "-q", "-enc", "UTF-8", *visible, str(file), "-"]
    reference = subprocess.run(command, capture_output=True, check=True)
    reference_seconds = time.perf_counter() - start
    expected, actual = words(reference.stdout.decode(errors="replace")), words(text)
    return Comparison(
        name=file.name,
        maker=maker or "unnamed",
        pages=pages,
        words=len(expected),
        found=recall(expected, actual),
        in_order=recall(runs(expected), runs(actual)),
        seconds=seconds,
        reference_seconds=reference_seconds,
    )


def _visible(pdf: PdfDocument) -> list[str]:
    """Return the options of `pdftotext` that leave out text which the pages do not show, such as printer's marks."""
    with closing(pdf[0]) as page:
        left, bottom, right, top = page.get_mediabox()
        crop = page.get_cropbox()
    if crop == (left, bottom, right, top):
        return []
    sizes = {"-x": crop[0] - left, "-y": top - crop[3], "-W": crop[2] - crop[0], "-H": crop[3] - crop[1]}
    return [part for option, points in sizes.items() for part in (option, str(round(points)))]


def words(text: str) -> list[str]:
    """Return the words of a text in its order."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def runs(found: Sequence[str]) -> list[tuple[str, ...]]:
    """Return every run of five words."""
    return [tuple(found[start : start + RUN]) for start in range(max(0, len(found) - RUN + 1))]


def recall[T](expected: Sequence[T], actual: Sequence[T]) -> float:
    """Return the share of `expected` in `actual`, each as often as it occurs."""
    return (Counter(expected) & Counter(actual)).total() / len(expected) if expected else 1.0


if __name__ == "__main__":
    main()
