"""`flexchat collections add`: files, formats and records."""

import json
from pathlib import Path

import pytest

from tests.functional.collections.commands import FILES, done, json_output, run, write
from tests.functional.collections.harness import text_of

pytestmark = [pytest.mark.usefixtures("stage"), pytest.mark.slow]


def sources(name: str = "handbook", query: str = "words") -> list[str]:
    return sorted(hit["source"] for hit in json_output("query", name, query, "--top-k", "100")["hits"])


def test_directory_with_every_format_is_added_and_a_second_time_unchanged() -> None:
    done("create", "handbook")

    first = json_output("add", "handbook", FILES)
    again = done("add", "handbook", FILES)

    assert first == {"added": 8, "replaced": 0, "unchanged": 0, "failed": [], "passages": first["passages"]}
    assert again.stdout == f"'handbook': 8 unchanged; it has {first['passages']:,} passages.\n"
    assert json_output("query", "handbook", "returned goods")["hits"][0]["source"] == "documents/deliveries.pdf#page=3"


def test_invalid_files_are_reported_with_reasons_and_the_others_added() -> None:
    write({"good.txt": "good words", "empty.md": " ", "deep/fine.md": "fine words"})
    Path("latin.txt").write_bytes("words of Göttingen".encode("latin-1"))
    Path("broken.pdf").write_bytes(b"%PDF-1.4 and no more")
    Path("odd.docx").write_bytes(b"x")
    done("create", "handbook")

    result = run("add", "handbook", ".", "odd.docx", "missing.txt", "nothing-*.txt")

    assert result.exit_code == 1
    assert result.stdout == "'handbook': 2 added, 6 left out; it has 2 passages.\n"
    failed = {line.strip().partition(": ")[0]: line for line in result.stderr.splitlines()}
    assert set(failed) == {"empty.md", "latin.txt", "broken.pdf", "odd.docx", "missing.txt", "nothing-*.txt"}
    assert "not UTF-8 (byte 10)" in failed["latin.txt"]
    assert "the format is unknown for '.docx'" in failed["odd.docx"]
    assert "file not found" in failed["missing.txt"]
    assert sources() == ["deep/fine.md", "good.txt"]


def test_documents_are_named_by_their_path_relative_to_the_working_directory_or_argument(tmp_path: Path) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    write({"a.txt": "words", "docs/b.txt": "words", str(outside / "deep" / "c.txt"): "words"})
    done("create", "handbook")

    done("add", "handbook", "a.txt", "docs", "./a.txt", tmp_path / "docs" / "b.txt", outside, outside / "deep/c.txt")

    assert sources() == ["a.txt", "docs/b.txt", f"{outside.name}/deep/c.txt"]


def test_hidden_files_and_unknown_formats_of_a_directory_are_skipped() -> None:
    write({"d/.git/a.txt": "words", "d/.b.txt": "words", "d/c.bin": "words", "d/d.txt": "words"})
    done("create", "handbook")
    done("add", "handbook", "d")
    assert sources() == ["d/d.txt"]


def test_format_can_be_given_for_files_with_any_extension() -> None:
    write({"d/notes": "# Title\n\nwords", "d/more.log": "words", "e/only.bin": "words"})
    done("create", "handbook")

    assert "known ending" in run("add", "handbook", "e").stderr
    done("add", "handbook", "d", "--format", "markdown")

    assert sources() == ["d/more.log", "d/notes#title"]


def test_glob_patterns_add_the_matching_files() -> None:
    write({"docs/a.md": "words", "docs/deep/b.md": "words", "docs/c.txt": "words"})
    done("create", "handbook")
    done("add", "handbook", "docs/**/*.md")
    assert sources() == ["docs/a.md", "docs/deep/b.md"]


def test_standard_input_is_added_as_a_document() -> None:
    done("create", "handbook")
    assert json_output("add", "handbook", "-", given="plain words")["added"] == 1
    done("add", "handbook", "-", "--format", "markdown", given="# Title\n\nother words")
    assert json_output("show", "handbook")["documents"] == 1
    assert sources() == ["stdin#title"]


def test_records_are_read_with_options_or_a_schema_file() -> None:
    records = [{"key": "k1", "body": "first words", "kind": "a", "name": "One"}, {"key": "k2", "body": "second words"}]
    write(
        {
            "records.jsonl": "\n".join(map(json.dumps, records)),
            "schema.json": json.dumps({"text_fields": ["body"], "metadata_fields": ["kind"], "id_field": "name"}),
        }
    )
    done("create", "by-options")
    done("create", "by-schema")

    done("add", "by-options", "records.jsonl", "--text-field", "body", "--id-field", "key", "--title-field", "name")
    done("add", "by-schema", "records.jsonl", "--schema", "schema.json", "--id-field", "key")

    first = json_output("query", "by-options", "first")["hits"][0]
    assert (first["id"], first["title"], first["metadata"]) == ("k1#0", "One", {})
    (filtered,) = json_output("query", "by-schema", "words", "--filter", "kind=a")["hits"]
    assert (filtered["id"], filtered["metadata"]) == ("k1#0", {"kind": "a"})


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ("{", "schema.json: not valid JSON: a name in double quotes is missing at line 1 column 2"),
        ("[]", "schema.json: must be an object"),
        ('{"text_field": "a"}', "schema.json: text_field: unknown key 'text_field'; did you mean 'text_fields'?"),
    ],
)
def test_unusable_schema_is_rejected_before_files_are_read(schema: str, message: str) -> None:
    write({"schema.json": schema, "a.json": "{}"})
    result = run("add", "handbook", "a.json", "--schema", "schema.json")
    # The line of a fault follows.
    assert (result.exit_code, str(result.exception).partition("\n")[0]) == (1, message)


@pytest.mark.parametrize("options", [("--passage-size", "10"), ("--overlap", "900"), ("--overlap", "-1")])
def test_invalid_passage_size_is_rejected(options: tuple[str, str]) -> None:
    write({"a.txt": "words"})
    result = run("add", "handbook", "a.txt", *options)
    assert result.exit_code == 2
    assert "characters" in result.stderr


def test_passage_size_can_be_set() -> None:
    write({"a.txt": text_of("river", 40)})
    done("create", "handbook")
    few = json_output("add", "handbook", "a.txt")["passages"]
    many = json_output("add", "handbook", "a.txt", "--passage-size", "300", "--overlap", "50")
    assert (many["replaced"], many["passages"] > 3 * few) == (1, True)
