"""`flexchat collections add`: files, formats and records."""

import json
from pathlib import Path

import pytest

from tests.functional.collections.commands import FILES, done, json_output, run, write
from tests.functional.collections.harness import text_of
from tests.unit.ingest.office_files import docx, epub, pptx, row, shape, xlsx
from tests.unit.ingest.pdf_files import IMAGE, laid_out, lines

pytestmark = [pytest.mark.usefixtures("stage"), pytest.mark.slow]


def sources(name: str = "handbook", query: str = "words") -> list[str]:
    return sorted(hit["source"] for hit in json_output("query", name, query, "--top-k", "100")["hits"])


def test_directory_with_every_format_is_added_and_a_second_time_unchanged() -> None:
    done("create", "handbook")

    first = json_output("add", "handbook", FILES)
    again = done("add", "handbook", FILES)

    assert first == {
        "added": 8,
        "replaced": 0,
        "removed": 0,
        "unchanged": 0,
        "failed": [],
        "warnings": [],
        "skipped": [],
        "passages": first["passages"],
    }
    assert again.stdout == f"'handbook': 8 unchanged; it has {first['passages']:,} passages.\n"
    assert json_output("search", "handbook", "returned goods")["hits"][0]["source"] == "deliveries.pdf#page=3"


def test_invalid_files_are_reported_with_reasons_and_the_others_added() -> None:
    write({"good.txt": "good words", "empty.md": " ", "deep/fine.md": "fine words"})
    Path("latin.txt").write_bytes("words of Göttingen".encode("latin-1"))
    Path("broken.pdf").write_bytes(b"%PDF-1.4 and no more")
    Path("odd.doc").write_bytes(b"x")
    done("create", "handbook")

    result = run("add", "handbook", ".", "odd.doc", "missing.txt", "nothing-*.txt")

    assert result.exit_code == 1
    assert result.stdout == "'handbook': 2 added, 6 left out; it has 2 passages.\n"
    lines, _, skipped = result.stderr.partition("1 file skipped:\n")
    assert skipped == f"  {Path('odd.doc').absolute()}: unknown ending '.doc'\n"
    failed = {line.strip().partition(": ")[0]: line for line in lines.splitlines()}
    assert set(failed) == {"empty.md", "latin.txt", "broken.pdf", "odd.doc", "missing.txt", "nothing-*.txt"}
    assert "not UTF-8 (byte 10)" in failed["latin.txt"]
    assert "the format is unknown for '.doc'" in failed["odd.doc"]
    assert "file not found" in failed["missing.txt"]
    assert sources() == ["deep/fine.md", "good.txt"]


def test_documents_are_named_by_their_path_below_the_argument_in_any_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write({"a.txt": "words", "docs/b.txt": "words", "docs/deep/c.txt": "words", "more/deep/d.txt": "words"})
    done("create", "handbook")
    done("add", "handbook", "a.txt", "docs", "./a.txt", tmp_path / "docs" / "deep" / "c.txt", "more/*/d.txt")
    assert sources() == ["a.txt", "b.txt", "deep/c.txt", "deep/d.txt"]

    monkeypatch.chdir(tmp_path / "docs")
    assert json_output("add", "handbook", ".", "../a.txt", "../more/**/*.txt")["unchanged"] == 4


def test_hidden_files_and_unknown_formats_of_a_directory_are_skipped_and_named(tmp_path: Path) -> None:
    write({"d/.git/a.txt": "words", "d/.b.txt": "words", "d/c.bin": "words", "d/e": "words", "d/d.txt": "words"})
    done("create", "handbook")

    result = done("add", "handbook", "d")

    assert sources() == ["d.txt"]
    top = tmp_path / "d"
    assert result.stderr.splitlines() == [
        "4 files skipped:",
        f"  {top}/.git/: hidden directory",
        f"  {top}/.b.txt: hidden file",
        f"  {top}/c.bin: unknown ending '.bin'",
        f"  {top}/e: no ending",
    ]
    assert len(json_output("add", "handbook", "d")["skipped"]) == 4


def test_many_skipped_files_are_counted_and_the_first_are_named() -> None:
    write({f"d/{at:03}.bin": "" for at in range(30)} | {"d/a.txt": "words"})
    done("create", "handbook")
    lines = done("add", "handbook", "d").stderr.splitlines()
    assert (len(lines), lines[0], lines[-1]) == (22, "30 files skipped:", "  and 10 more (all with --json)")


def test_a_document_of_another_directory_is_reported_and_replaced_only_on_request(tmp_path: Path) -> None:
    write({"one/guide.md": "# One\n\nfirst words", "two/guide.md": "# Two\n\nsecond words"})
    done("create", "handbook")
    done("add", "handbook", "one")

    clash = run("add", "handbook", "two")
    assert clash.exit_code == 1
    assert clash.stderr == (
        f"  guide.md: the collection has another document of this id, from {str(tmp_path / 'one')!r}; "
        "add it with a prefix, or replace it\n"
    )
    assert sources() == ["guide.md#one"]

    done("add", "handbook", "two", "--prefix", "team/two")
    assert sources() == ["guide.md#one", "team/two/guide.md#two"]

    assert json_output("add", "handbook", "two", "--replace")["replaced"] == 1
    assert sources() == ["guide.md#two", "team/two/guide.md#two"]

    write({"two/guide.md": "# Three\n\nthird words"})
    assert json_output("add", "handbook", "two")["replaced"] == 1


def test_two_files_of_one_name_are_reported_and_the_first_is_added(tmp_path: Path) -> None:
    write({"one/guide.md": "# One\n\nwords", "two/guide.md": "# Two\n\nwords"})
    done("create", "handbook")
    result = run("add", "handbook", "one", "two")
    assert result.exit_code == 1
    assert result.stderr == (
        f"  {tmp_path}/two/guide.md: its name 'guide.md' is that of '{tmp_path}/one/guide.md' too; "
        "add them apart, one with --prefix\n"
    )
    assert sources() == ["guide.md#one"]


def test_a_named_origin_is_independent_of_the_directory() -> None:
    write({"one/guide.md": "# One\n\nwords", "two/guide.md": "# Two\n\nwords"})
    done("create", "handbook")
    done("add", "handbook", "one", "--origin", "docs")
    assert json_output("add", "handbook", "two", "--origin", "docs")["replaced"] == 1


def test_scanned_pages_are_named_in_the_output() -> None:
    Path("scan.pdf").write_bytes(laid_out(lines("words"), IMAGE, IMAGE))
    done("create", "handbook")
    result = done("add", "handbook", "scan.pdf")
    assert result.stdout == "'handbook': 1 added; it has 1 passage.\n"
    assert "  scan.pdf: 2 of 3 pages have only images, no text: 2-3; recognize" in result.stderr


def test_office_files_are_found_by_their_cells_slides_and_chapters() -> None:
    Path("prices.xlsx").write_bytes(xlsx({"Prices": row(1, "Item", "Price") + row(2, "Cable", 42)}))
    Path("plan.pptx").write_bytes(pptx(shape("Plan", kind="title") + shape("Bridges first")))
    Path("days.epub").write_bytes(epub("<h1>Dawn</h1><p>It was cold.</p>", title="Days"))
    Path("pipes.docx").write_bytes(docx(("Heading1", "Pipes"), "Three bars."))
    write({"people.csv": "Name,City\nAda,London\n"})
    done("create", "handbook")

    assert json_output("add", "handbook", ".")["added"] == 5

    def found(text: str) -> str:
        return json_output("search", "handbook", text)["hits"][0]["source"]

    assert [found(text) for text in ("cable price", "bridges", "cold", "bars", "ada london")] == [
        "prices.xlsx#Prices!A1:B2",
        "plan.pptx#slide=1",
        "days.epub#chapter=1",
        "pipes.docx#pipes",
        "people.csv#row=1-2",
    ]


def test_format_can_be_given_for_files_with_any_extension() -> None:
    write({"d/notes": "# Title\n\nwords", "d/more.log": "words", "e/only.bin": "words"})
    done("create", "handbook")

    assert "known ending" in run("add", "handbook", "e").stderr
    done("add", "handbook", "d", "--format", "markdown")

    assert sources() == ["more.log", "notes#title"]


def test_glob_patterns_add_the_matching_files() -> None:
    write({"docs/a.md": "words", "docs/deep/b.md": "words", "docs/c.txt": "words"})
    done("create", "handbook")
    done("add", "handbook", "docs/**/*.md")
    assert sources() == ["a.md", "deep/b.md"]


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
