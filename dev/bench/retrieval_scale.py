"""Cost of 50,000 passages in one index file: size, build, first search, later searches, memory.

The text is generated from a fixed seed with word frequencies by Zipf's law: English function words first, then 100,000
artificial words. Questions have the same distribution.
"""

import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from functions.retrieval.index.languages import STOP_WORDS
from functions.retrieval.index.schema import IndexedDocument
from functions.retrieval.index.writer import IndexWriter

PASSAGES = 50_000
WORDS_PER_PASSAGE = 150
VOCABULARY = 100_000
QUESTIONS = 500
SEED = 20_250_101

_SEARCHES = """
import json, re, sys, time
started = time.perf_counter()
from pathlib import Path
from flexchat.retrieval import SearchQuery
from functions.retrieval.index.reader import CollectionIndex
from functions.retrieval.index.schema import check_sound
imported = time.perf_counter()
def memory(): return int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024
before = memory()
path, questions = Path(sys.argv[1]), json.load(sys.stdin)
opening = time.perf_counter()
check_sound(path)
index = CollectionIndex(path)
index.search(SearchQuery(questions[0]))
opened = time.perf_counter()
times, used = [], time.process_time()
for question in questions:
    asked = time.perf_counter()
    index.search(SearchQuery(question))
    times.append(time.perf_counter() - asked)
used = (time.process_time() - used) / len(questions)
times.sort()
print(json.dumps({
    "import": (imported - started) * 1000, "first": (opened - opening) * 1000, "before": before, "after": memory(),
    "cpu": used * 1000, "p50": times[len(times) // 2] * 1000, "p99": times[len(times) * 99 // 100] * 1000,
}))
"""


def report() -> None:
    """Print the figures of one index, searched in a fresh process."""
    generator = np.random.default_rng(SEED)
    words = _vocabulary()
    weights = 1 / (np.arange(len(words)) + 2.7)
    weights /= weights.sum()
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "index.sqlite"
        documents = list(_documents(words, weights, generator))
        started = time.perf_counter()
        with IndexWriter(path) as writer:
            writer.add(documents)
        built = time.perf_counter() - started
        text = sum(len(document.passages[0][0]) for document in documents)
        questions = [_drawn(words, weights, generator, count=int(generator.integers(4, 13))) for _ in range(QUESTIONS)]
        found = _searched(path, questions)
        size = path.stat().st_size
    print(f"\n{PASSAGES:,} passages of {WORDS_PER_PASSAGE} words ({text / 1e6:.0f} MB of text) in one index")
    print(f"index size                {size / 1e6:8.0f} MB")
    print(f"build                     {built:8.1f} s")
    print(f"cold: open + first search {found['first']:8.0f} ms  (and {found['import']:.0f} ms of imports)")
    print(f"warm p50                  {found['p50']:8.1f} ms  ({QUESTIONS} different questions of 4 to 12 words)")
    print(f"warm p99                  {found['p99']:8.1f} ms")
    print(f"CPU per search            {found['cpu']:8.1f} ms")
    print(f"memory                    {found['after']:8.0f} MB  ({found['before']:.0f} MB before the index was opened)")


def _vocabulary() -> list[str]:
    letters = random.Random(SEED)  # noqa: S311 # words, not secrets
    made = ("".join(letters.choices("abcdefghijklmnopqrstuvwxyz", k=letters.randint(3, 10))) for _ in range(VOCABULARY))
    return [*sorted(STOP_WORDS["en"]), *made]


def _drawn(
    words: list[str], weights: "np.typing.NDArray[np.float64]", generator: np.random.Generator, *, count: int
) -> str:
    positions: list[int] = generator.choice(len(words), size=count, p=weights).tolist()
    return " ".join(words[position] for position in positions)


def _documents(
    words: list[str], weights: "np.typing.NDArray[np.float64]", generator: np.random.Generator
) -> Iterator[IndexedDocument]:
    for number in range(PASSAGES):
        text = _drawn(words, weights, generator, count=WORDS_PER_PASSAGE)
        yield IndexedDocument(
            id=f"document-{number}",
            title=text[:40],
            source=f"s3://documents/{number}.md",
            hash=str(number),
            metadata={"shelf": number % 10},
            passages=((text, 0),),
        )


def _searched(path: Path, questions: list[str]) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-c", _SEARCHES, str(path)],
        input=json.dumps(questions),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout.splitlines()[-1])


if __name__ == "__main__":
    report()
