"""Time and memory of every reader of foreign documents, limited by the system. `-s` prints the measured table."""

import faulthandler
import multiprocessing
import os
import re
import resource
import sys
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from flexchat.errors import ToolError
from flexchat.http_client import HttpResponse
from functions.retrieval.ingest.chunker import Chunking, chunks
from functions.retrieval.ingest.documents import Document, SourceFile
from functions.retrieval.ingest.load import load_bounded
from functions.tools.http.implementation import Implementation
from functions.tools.http.responses import read_result
from tests.unit.foreign_text.hostile_documents import HTML, PDF, TEXTS, formatted
from tests.unit.foreign_text.hostile_packages import PACKAGES

SECONDS = 8
"""Processor time of a process: 2 seconds, and one for each megabyte of the largest document."""

MEGABYTES = 400
"""Additional memory of a process, with the document itself."""

REFUSAL = re.compile(
    r"takes more than [\d.]+ seconds of processor time|takes more than \d+ MB of memory|"
    r"(?:has |it has )?more than \d+ (?:of its elements|headings|values|characters)|at most \d+ are accepted|"
    r"nested deeper than \d+ levels|same name twice|contains no text|the PDF is broken|has only images|"
    r"the (?:file|book|presentation|workbook) is broken|has more than \d+ (?:rows|characters)|is not CSV"
)

SLOW = {
    "100,000 open options of a select",
    "100,000 options of a select",
    "60,000 attributes",
    "attributes of 50,000 body elements",
    "1,000,000 unclosed paragraphs",
    "list items below 4,000 elements",
    "end tags below 4,000 elements",
    "1,000,000 line breaks",
    "underlined headings.md",
    "half flags.txt",
    "200,000 empty records.jsonl",
    "1,300,000 records.json",
    "a content shared by 5,000 pages",
    "150 MB in one stream",
    "150 MB compressed three times",
    "a form that shows itself",
    "100,000 nested page trees",
    "500,000 characters of a map",
}
"""Documents that take more than half a second to make or to read."""

QUICK = {"entities.docx", "entities.pptx", "entities.xlsx", "entities.epub", "a cell far away.xlsx"}
"""Packages that take less than half a second to make and to read."""

in_a_process = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")


def cases[T](documents: Mapping[str, T]) -> list[object]:
    return [
        pytest.param(document, id=name, marks=pytest.mark.slow if name in SLOW else ())
        for name, document in documents.items()
    ]


def ingested(name: str, content: bytes) -> str:
    """Return the refusal of a file, and nothing when it is divided into passages."""
    (first, *_) = load_bounded(SourceFile(name, content))
    if not isinstance(first, Document):
        return first.reason
    assert sum(1 for _ in chunks(first.text, Chunking()))
    return ""


def http_result(body: bytes, *, media_type: str = "text/html", path: str | None = None) -> str:
    """Return the error of an http tool, and nothing for a result."""
    implementation = Implementation.model_validate(
        {"type": "http", "url": "https://example.com/", "response_path": path}
    )
    try:
        read_result(HttpResponse(200, {"content-type": media_type}, body), implementation, seconds=60)
    except ToolError as exc:
        return exc.message
    return ""


def within_limits(read: Callable[[], str], size: int) -> str:
    """Return the refusal by `read`, in a process that the system ends above `SECONDS` and `MEGABYTES`."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_limited, args=(read, theirs))
    process.start()
    theirs.close()
    try:
        refusal, seconds, megabytes = ours.recv()
    except EOFError:
        refusal, seconds, megabytes = "killed", SECONDS, MEGABYTES
    process.join()
    test = os.environ["PYTEST_CURRENT_TEST"].partition("::")[2].removesuffix(" (call)")
    sys.stdout.write(f"\n{test}: {size} bytes, {seconds:.2f} s, {megabytes} MB, {refusal or 'read'}\n")
    assert process.exitcode == 0, "a limit of the test ended the process"
    return refusal


def _limited(read: Callable[[], str], result: Connection) -> None:
    faulthandler.disable()  # of pytest: a parser without memory aborts
    most = _memory(os.getpid(), "VmSize") + MEGABYTES * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    used, resident = _processor_seconds(), _memory(os.getpid(), "VmRSS")
    refusal = read()
    children = Path("/proc/thread-self/children").read_text().split()
    peaks = [_memory(int(pid), "VmHWM") for pid in (os.getpid(), *children)]
    ended = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    peak = max(*peaks, ended) - resident
    result.send((refusal, _processor_seconds(*children) - used, peak // (1024 * 1024)))


def _memory(pid: int, name: str) -> int:
    found = re.search(rf"{name}:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) * 1024 if found else 0


def _processor_seconds(*children: str) -> float:
    whole = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    ticks = (Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13] for pid in children)
    return sum(each.ru_utime + each.ru_stime for each in whole) + sum(
        int(tick) / os.sysconf("SC_CLK_TCK") for both in ticks for tick in both
    )


@in_a_process
@pytest.mark.parametrize("page", cases(HTML))
def test_a_hostile_page_is_read_or_refused_by_the_http_tool_within_limits(page: Callable[[], str]) -> None:
    body = page().encode()

    refusal = within_limits(lambda: http_result(body), len(body))

    assert not refusal or REFUSAL.search(refusal)


@in_a_process
@pytest.mark.parametrize("page", cases(HTML))
def test_a_hostile_page_is_added_or_refused_within_limits(page: Callable[[], str]) -> None:
    content = page().encode()

    refusal = within_limits(lambda: ingested("a.html", content), len(content))

    assert not refusal or REFUSAL.search(refusal)


@in_a_process
@pytest.mark.parametrize("document", cases(PDF))
def test_a_hostile_pdf_is_added_or_refused_within_limits(document: Callable[[], bytes]) -> None:
    content = document()

    refusal = within_limits(lambda: ingested("a.pdf", content), len(content))

    assert not refusal or REFUSAL.search(refusal)


@in_a_process
@pytest.mark.parametrize(
    ("name", "text"),
    [pytest.param(*item, id=item[0], marks=pytest.mark.slow if item[0] in SLOW else ()) for item in TEXTS.items()],
)
def test_a_hostile_text_is_added_or_refused_within_limits(name: str, text: Callable[[], str]) -> None:
    content = text().encode()

    refusal = within_limits(lambda: ingested(name, content), len(content))

    assert not refusal or REFUSAL.search(refusal) or "no text in 'text'" in refusal


@in_a_process
@pytest.mark.parametrize(
    ("name", "document"),
    [pytest.param(*item, id=item[0], marks=() if item[0] in QUICK else pytest.mark.slow) for item in PACKAGES.items()],
)
def test_a_hostile_package_is_added_or_refused_within_limits(name: str, document: Callable[[], bytes]) -> None:
    content = document()

    refusal = within_limits(lambda: ingested(name, content), len(content))

    assert not refusal or REFUSAL.search(refusal)


@in_a_process
@pytest.mark.parametrize("path", ["$[*].id", "$..email", "$[::-1]"])
def test_a_path_refuses_a_response_of_a_million_values(path: str) -> None:
    body = b"[" + b"{}," * 1_000_000 + b"{}]"

    refusal = within_limits(lambda: http_result(body, media_type="application/json", path=path), len(body))

    assert refusal == "The response of the API has more than 200000 values, too many for its response_path"


@in_a_process
def test_open_formatting_elements_are_refused_by_their_memory() -> None:
    body = formatted(500, 10_000).encode()

    reason = "reading it takes more than 130 MB of memory, or crashes its parser; simplify or split it"
    assert within_limits(lambda: ingested("a.html", body), len(body)) == reason
    error = within_limits(lambda: http_result(body), len(body))
    assert error == f"The API answered with a page that cannot be read: {reason}"


@in_a_process
def test_the_documents_after_a_refused_one_are_read() -> None:
    hostile, harmless = formatted(500, 10_000).encode(), b"<p>hello"

    def read() -> str:
        refusals = [ingested("a.html", content) for content in (harmless, hostile, harmless)]
        return "|".join(refusals)

    assert re.fullmatch(r"\|reading it takes more than 130 MB of memory[^|]*\|", within_limits(read, len(hostile)))
