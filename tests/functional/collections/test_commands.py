"""`flexchat collections`, from the command line to the bucket."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from cli.commands.collections import commands as collections_commands
from cli.errors import UnknownNameError
from flexchat.errors import ConfigError, RetrievalError
from tests.aws import aws_client, emulated_aws
from tests.functional.collections.harness import text_of

FILES = Path(__file__).parents[2] / "data" / "documents"
NAMES = ["bees.md", "bridges.jsonl", "clock.txt", "deliveries.pdf", "elements.json", "tides.html"]


@pytest.fixture(autouse=True)
def bucket(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("FLEXCHAT_STAGE", "dev")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(tmp_path)
    with emulated_aws(monkeypatch):
        aws_client("s3").create_bucket(Bucket="flexchat-dev-123456789012-us-east-1")
        yield


def run(*arguments: str | Path, given: str | bytes | None = None) -> Result:
    return CliRunner().invoke(collections_commands.app, [str(argument) for argument in arguments], input=given)


def done(*arguments: str | Path, given: str | bytes | None = None) -> Result:
    result = run(*arguments, given=given)
    assert result.exit_code == 0, result.output
    return result


def told(*arguments: str | Path, given: str | bytes | None = None) -> Any:
    return json.loads(done(*arguments, "--json", given=given).stdout)


def write(files: dict[str, str]) -> None:
    for name, text in files.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def sources(name: str = "handbook", query: str = "words") -> list[str]:
    return sorted(hit["source"] for hit in told("query", name, query, "--top-k", "100")["hits"])


def test_collection_is_created_listed_and_shown() -> None:
    assert "'dev' has no collection" in done("list").stderr
    assert told("list") == []

    assert "collections add handbook" in done("create", "handbook", "--description", "How we work").stdout

    assert [info["name"] for info in told("list")] == ["handbook"]
    assert told("show", "handbook")["metadata"]["description"] == "How we work"
    listed = done("list").stdout.splitlines()
    assert listed[0].split() == ["COLLECTION", "DOCUMENTS", "PASSAGES", "SIZE", "EMBEDDING", "DESCRIPTION"]
    assert listed[1].split() == ["handbook", "0", "0", "0", "kB", "lexical", "How", "we", "work"]


def test_collection_is_created_with_all_given_metadata() -> None:
    created = told(
        "create", "handbook", "--display-name", "H", "--match-threshold", "0.2", "--partial-threshold", "0.4",
        "--title-field", "heading", "--source-field", "url",
    )  # fmt: skip
    assert created["metadata"] == {
        "display_name": "H",
        "description": "",
        "match_threshold": 0.2,
        "partial_threshold": 0.4,
        "embedding_model": "lexical",
        "title_field": "heading",
        "source_field": "url",
    }
    shown = done("show", "handbook").stdout
    assert "match below 0.2, partial below 0.4" in shown
    assert "heading" in shown


def test_directory_with_every_format_is_added_and_a_second_time_unchanged() -> None:
    done("create", "handbook")

    first = told("add", "handbook", FILES)
    again = done("add", "handbook", FILES)

    assert first == {"added": 8, "replaced": 0, "unchanged": 0, "failed": [], "passages": first["passages"]}
    assert again.stdout == f"'handbook': 8 unchanged; it has {first['passages']:,} passages.\n"
    assert told("query", "handbook", "returned goods")["hits"][0]["source"] == "documents/deliveries.pdf#page=3"


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
    assert "no such file" in failed["missing.txt"]
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
    assert told("add", "handbook", "-", given="plain words")["added"] == 1
    done("add", "handbook", "-", "--format", "markdown", given="# Title\n\nother words")
    assert told("show", "handbook")["documents"] == 1
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

    first = told("query", "by-options", "first")["hits"][0]
    assert (first["id"], first["title"], first["metadata"]) == ("k1#0", "One", {})
    (filtered,) = told("query", "by-schema", "words", "--filter", "kind=a")["hits"]
    assert (filtered["id"], filtered["metadata"]) == ("k1#0", {"kind": "a"})


@pytest.mark.parametrize(
    ("schema", "says"),
    [
        ("{", "schema.json: not valid JSON: a name in double quotes is missing at line 1 column 2"),
        ("[]", "schema.json: must be an object"),
        ('{"text_field": "a"}', "schema.json: text_field: unknown key 'text_field'; did you mean 'text_fields'?"),
    ],
)
def test_unusable_schema_is_rejected_before_files_are_read(schema: str, says: str) -> None:
    write({"schema.json": schema, "a.json": "{}"})
    result = run("add", "handbook", "a.json", "--schema", "schema.json")
    assert (result.exit_code, str(result.exception)) == (1, says)


@pytest.mark.parametrize("options", [("--passage-size", "10"), ("--overlap", "900"), ("--overlap", "-1")])
def test_invalid_passage_size_is_rejected(options: tuple[str, str]) -> None:
    write({"a.txt": "words"})
    result = run("add", "handbook", "a.txt", *options)
    assert result.exit_code == 2
    assert "characters" in result.stderr


def test_passage_size_can_be_set() -> None:
    write({"a.txt": text_of("river", 40)})
    done("create", "handbook")
    few = told("add", "handbook", "a.txt")["passages"]
    many = told("add", "handbook", "a.txt", "--passage-size", "300", "--overlap", "50")
    assert (many["replaced"], many["passages"] > 3 * few) == (1, True)


def test_query_prints_the_class_and_a_table_of_passages() -> None:
    done("create", "handbook", "--match-threshold", "1", "--partial-threshold", "2")
    done("add", "handbook", FILES)

    lines = done("query", "handbook", "spring tides", "--top-k", "1").stdout.splitlines()

    assert lines[0] == "match  (match below 1.0, partial below 2.0)"
    assert lines[1].split() == ["#", "DISTANCE", "TITLE", "SOURCE", "TEXT"]
    assert lines[2].split()[0] == "1"
    assert "Tides & moons > Tides" in lines[2]
    assert "documents/tides.html#top" in lines[2]


def test_query_without_results_prints_no_table() -> None:
    done("create", "handbook")
    assert done("query", "handbook", "zebra").stdout == "none  (match below 0.65, partial below 0.73)\n"


@pytest.mark.slow
def test_filters_compare_numbers_booleans_and_texts() -> None:
    write({"r.json": json.dumps([{"text": "words", "n": 2, "b": True, "t": "2", "s": "x y"}])})
    done("create", "handbook")
    done("add", "handbook", "r.json", *(part for name in "nbts" for part in ("--metadata-field", name)))

    def found(*filters: str) -> int:
        options = [part for each in filters for part in ("--filter", each)]
        return len(told("query", "handbook", "words", *options)["hits"])

    assert [found("n=2"), found("b=true"), found('t="2"'), found("s=x y"), found("n=2", "b=true")] == [1] * 5
    assert [found("n=3"), found("b=false"), found("t=2"), found("s=[1]"), found("n=2", "s=z")] == [0] * 5
    assert run("query", "handbook", "words", "--filter", "n").exit_code == 2


def test_passages_beyond_the_maximum_distance_are_omitted() -> None:
    write({"a.txt": "some words and others"})
    done("create", "handbook")
    done("add", "handbook", "a.txt")
    assert len(told("query", "handbook", "words")["hits"]) == 1
    assert told("query", "handbook", "words", "--max-distance", "0.01")["hits"] == []


@pytest.mark.slow
def test_calibration_prints_both_samples_and_the_thresholds() -> None:
    write({f"{number}.txt": text_of(f"topic{number}", 4) for number in range(12)})
    write({"questions": "topic3\n\n  topic5  \n"})
    done("create", "handbook", "--match-threshold", "0.1", "--partial-threshold", "0.2")
    done("add", "handbook", "*.txt")

    proposal = told("calibrate", "handbook", "--questions", "questions")
    shown = done("calibrate", "handbook").stdout

    assert (proposal["applied"], len(proposal["answered"])) == (False, 2)
    assert told("show", "handbook")["metadata"]["match_threshold"] == 0.1
    assert "questions with an answer (12)" in shown
    assert "questions without (12)" in shown
    assert "█" in shown
    assert "← match" in shown
    assert "partial " in shown
    assert "Store them with --apply." in shown

    assert "'handbook' has these thresholds now." in done("calibrate", "handbook", "--apply").stdout
    held = told("show", "handbook")["metadata"]
    assert f"match_threshold {held['match_threshold']}, partial_threshold {held['partial_threshold']}" in shown


def test_emptying_and_deleting_require_confirmation() -> None:
    write({"a.txt": "words"})
    done("create", "handbook")
    done("add", "handbook", "a.txt")

    for command in ("empty", "delete"):
        refused = run(command, "handbook", given="n\n")
        assert refused.exit_code == 1
        assert "1 document" in refused.stderr
    assert told("show", "handbook")["documents"] == 1

    done("empty", "handbook", given="y\n")
    assert told("show", "handbook")["documents"] == 0
    done("delete", "handbook", "--yes")
    assert told("list") == []


def test_missing_collection_is_reported_with_the_nearest_name() -> None:
    done("create", "handbook")
    for arguments in (("show", "handbok"), ("query", "handbok", "a"), ("delete", "handbok"), ("calibrate", "handbok")):
        result = run(*arguments)
        assert isinstance(result.exception, RetrievalError)
        assert str(result.exception) == "there is no collection 'handbok'; there are: 'handbook'"


def test_stage_without_a_bucket_is_reported_with_the_deployed_stages() -> None:
    result = run("list", "--stage", "prod")
    assert isinstance(result.exception, UnknownNameError)
    assert str(result.exception).startswith("region 'us-east-1' has no deployed stage 'prod'; it has: none. ")


def test_embedding_model_must_be_configured() -> None:
    result = run("create", "handbook", "--embedding-model", "main:embed")
    assert isinstance(result.exception, ConfigError)
    assert "no configuration is stored" in str(result.exception)
    assert told("list") == []
