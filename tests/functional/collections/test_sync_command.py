"""`flexchat collections sync` and `documents`: directories and documents of a collection."""

import json
from pathlib import Path

import pytest

from tests.functional.collections.commands import done, json_output, run, write

pytestmark = [pytest.mark.usefixtures("stage"), pytest.mark.slow]


def ids() -> list[str]:
    return [each["id"] for each in json_output("documents", "list", "handbook")]


@pytest.fixture
def docs(stage: None, tmp_path: Path) -> Path:
    write({"docs/a.md": "# A\n\nwords", "docs/deep/b.txt": "more words", "docs/c.txt": "last words"})
    done("create", "handbook")
    return tmp_path / "docs"


def test_a_directory_is_added_updated_and_removed_after_a_question(docs: Path) -> None:
    first = done("sync", "handbook", "docs", given="y\n")
    assert [line for line in first.stdout.splitlines() if line.strip() != "y"] == [
        "+ a.md",
        "+ c.txt",
        "+ deep/b.txt",
        "3 to add",
        "'handbook': 3 added; it has 3 passages.",
    ]
    write({"docs/a.md": "# A\n\nother words", "docs/d.md": "# D\n\nnew words"})
    (docs / "c.txt").unlink()

    second = done("sync", "handbook", docs, "--yes")

    assert second.stdout.splitlines() == [
        "+ d.md",
        "~ a.md",
        "- c.txt",
        "1 to add, 1 to replace, 1 to remove, 1 unchanged",
        "'handbook': 1 added, 1 replaced, 1 removed, 1 unchanged; it has 3 passages.",
    ]
    assert ids() == ["a.md", "d.md", "deep/b.txt"]
    assert done("sync", "handbook", docs).stdout == "3 unchanged\n"


def test_nothing_is_changed_by_a_dry_run_or_after_the_answer_no(docs: Path) -> None:
    plan = json_output("sync", "handbook", docs, "--dry-run")
    assert (plan["added"], plan["removed"], plan["unchanged"]) == (["a.md", "c.txt", "deep/b.txt"], [], 0)
    assert run("sync", "handbook", docs, given="n\n").exit_code == 1
    assert ids() == []


def test_documents_that_were_added_from_elsewhere_stay(docs: Path) -> None:
    write({"other/x.txt": "words of another directory"})
    done("add", "handbook", "other")
    done("add", "handbook", "-", given="standard input")

    done("sync", "handbook", docs, "--yes")
    for file in docs.rglob("*.*"):
        file.unlink()
    done("sync", "handbook", docs, "--yes")

    assert ids() == ["stdin", "x.txt"]


def test_the_documents_of_a_file_that_cannot_be_read_stay(docs: Path) -> None:
    done("sync", "handbook", docs, "--yes")
    (docs / "c.txt").unlink()
    write({"docs/a.md": ""})

    result = run("sync", "handbook", docs, "--yes")

    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "- c.txt",
        "1 to remove, 1 unchanged, 1 left out, 1 kept because their file cannot be read",
        "'handbook': 1 removed, 1 unchanged, 1 left out; it has 2 passages.",
    ]
    assert result.stderr == "  a.md: it contains no text\n"
    assert ids() == ["a.md", "deep/b.txt"]


def test_nothing_is_removed_while_a_file_of_records_cannot_be_read(docs: Path) -> None:
    write({"docs/faq.jsonl": '{"key": "k1", "text": "first words"}'})
    done("sync", "handbook", docs, "--yes", "--id-field", "key")
    write({"docs/faq.jsonl": '{"key": "k1", "text'})
    (docs / "c.txt").unlink()

    plan = run("sync", "handbook", docs, "--dry-run", "--json", "--id-field", "key")

    assert plan.exit_code == 1
    assert json.loads(plan.stdout)["kept"] == ["c.txt", "k1"]
    assert json.loads(plan.stdout)["removed"] == []


def test_a_document_of_another_origin_is_left_out_unless_it_is_to_be_replaced(docs: Path) -> None:
    write({"other/a.md": "# Other\n\nwords of another directory"})
    done("add", "handbook", "other")

    refused = run("sync", "handbook", docs, "--yes")
    replaced = json_output("sync", "handbook", docs, "--yes", "--replace")

    assert (refused.exit_code, "a.md: the collection has another document of this id" in refused.stderr) == (1, True)
    assert (replaced["replaced"], replaced["unchanged"]) == (1, 2)


def test_a_prefix_is_kept_by_the_next_synchronization(docs: Path) -> None:
    done("sync", "handbook", docs, "--yes", "--prefix", "team")
    (docs / "c.txt").unlink()
    done("sync", "handbook", docs, "--yes", "--prefix", "team")
    assert ids() == ["team/a.md", "team/deep/b.txt"]


def test_json_needs_a_decision_and_a_directory_must_exist(docs: Path) -> None:
    result = run("sync", "handbook", docs, "--json")
    assert (result.exit_code, "add --yes, or --dry-run" in result.stderr) == (2, True)
    assert run("sync", "handbook", docs / "a.md").exit_code == 2
    assert "is not a directory" in run("sync", "handbook", "missing").stderr


def test_documents_are_listed_with_their_origins_and_removed_by_their_ids(docs: Path) -> None:
    done("add", "handbook", "docs")
    table = done("documents", "list", "handbook").stdout.splitlines()
    assert table[0].split() == ["DOCUMENT", "SIZE", "PASSAGES", "ADDED", "TITLE", "ORIGIN"]
    day, time, *others = table[1].split()[4:]
    assert table[1].split()[:4] == ["a.md", "0", "kB", "1"]
    assert (len(day), len(time), others) == (10, 5, ["A", str(docs)])

    removed = done("documents", "remove", "handbook", "a.md", "c.txt", given="y\n")

    assert removed.stderr.endswith("2 documents removed; 'handbook' has 1 document.\n")
    assert ids() == ["deep/b.txt"]


def test_nothing_is_removed_if_one_of_the_documents_is_missing(docs: Path) -> None:
    done("add", "handbook", "docs")
    result = run("documents", "remove", "handbook", "a.md", "deep/b.tx", "--yes")
    assert str(result.exception) == "the collection 'handbook' has no document 'deep/b.tx'; did you mean 'deep/b.txt'?"
    assert ids() == ["a.md", "c.txt", "deep/b.txt"]


def test_an_empty_collection_has_no_documents_to_list(docs: Path) -> None:
    assert "has no documents. Add documents: " in done("documents", "list", "handbook").stderr
