"""`flexchat collections`: creation, search, calibration and deletion."""

import json

import pytest

from cli.errors import UnknownNameError
from flexchat.errors import ConfigError, RetrievalError
from tests.functional.collections.commands import FILES, done, json_output, run, write
from tests.functional.collections.harness import text_of

pytestmark = [pytest.mark.usefixtures("stage"), pytest.mark.slow]


def test_collection_is_created_listed_and_shown() -> None:
    assert "'dev' has no collection" in done("list").stderr
    assert json_output("list") == []

    assert "collections add handbook" in done("create", "handbook", "--description", "How we work").stdout

    assert [info["name"] for info in json_output("list")] == ["handbook"]
    assert json_output("show", "handbook")["metadata"]["description"] == "How we work"
    listed = done("list").stdout.splitlines()
    assert listed[0].split() == ["COLLECTION", "DOCUMENTS", "PASSAGES", "SIZE", "EMBEDDING", "DESCRIPTION"]
    assert listed[1].split() == ["handbook", "0", "0", "0", "kB", "lexical", "How", "we", "work"]


def test_collection_is_created_with_all_given_metadata() -> None:
    created = json_output(
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


def test_query_prints_the_class_and_a_table_of_passages() -> None:
    done("create", "handbook", "--match-threshold", "1", "--partial-threshold", "2")
    done("add", "handbook", FILES)

    lines = done("search", "handbook", "spring tides", "--top-k", "1").stdout.splitlines()

    assert lines[0].startswith("match  The nearest passage has the distance 0.")
    assert lines[0].endswith("; a match is below 1.000.")
    assert lines[1].split() == ["#", "DISTANCE", "TITLE", "SOURCE", "TEXT"]
    assert lines[2].split()[0] == "1"
    assert "Tides & moons > Tides" in lines[2]
    assert "tides.html#top" in lines[2]


def test_query_without_results_prints_no_table() -> None:
    done("create", "handbook")
    assert done("search", "handbook", "zebra").stdout == (
        "none  The collection 'handbook' has no documents; add some first.\n"
    )


def test_query_prints_similar_words_and_the_passages_that_filters_exclude() -> None:
    write({"a.txt": "The vacation policy of the company."})
    done("create", "handbook")
    done("add", "handbook", "a.txt")

    assert done("search", "handbook", "vacaton").stdout == (
        "none  None of the words of the query occurs in the collection. 'vacaton' does not occur in it. Similar words "
        "that occur: 'vacation'.\n"
    )
    lines = done("search", "handbook", "vacation", "--max-distance", "0.01").stdout.splitlines()
    assert lines[0].endswith("; max_distance is 0.010.")
    assert lines[1] == "passages that were left out:"
    assert "vacation policy" in lines[3]


@pytest.mark.slow
def test_filters_compare_numbers_booleans_and_texts() -> None:
    write({"r.json": json.dumps([{"text": "words", "n": 2, "b": True, "t": "2", "s": "x y"}])})
    done("create", "handbook")
    done("add", "handbook", "r.json", *(part for name in "nbts" for part in ("--metadata-field", name)))

    def found(*filters: str) -> int:
        options = [part for each in filters for part in ("--filter", each)]
        return len(json_output("search", "handbook", "words", *options)["hits"])

    assert [found("n=2"), found("b=true"), found('t="2"'), found("s=x y"), found("n=2", "b=true")] == [1] * 5
    assert [found("n=3"), found("b=false"), found("t=2"), found("s=[1]"), found("n=2", "s=z")] == [0] * 5
    assert run("search", "handbook", "words", "--filter", "n").exit_code == 2


def test_passages_beyond_the_maximum_distance_are_omitted() -> None:
    write({"a.txt": "some words and others"})
    done("create", "handbook")
    done("add", "handbook", "a.txt")
    assert len(json_output("search", "handbook", "words")["hits"]) == 1
    assert json_output("search", "handbook", "words", "--max-distance", "0.01")["hits"] == []


@pytest.mark.slow
def test_calibration_prints_both_samples_and_the_thresholds() -> None:
    write({f"{number}.txt": text_of(f"topic{number}", 4) for number in range(12)})
    write({"questions": "topic3\n\n  topic5  \n"})
    done("create", "handbook", "--match-threshold", "0.1", "--partial-threshold", "0.2")
    done("add", "handbook", "*.txt")

    proposal = json_output("calibrate", "handbook", "--questions", "questions")
    shown = done("calibrate", "handbook").stdout

    assert (proposal["applied"], len(proposal["answered"])) == (False, 2)
    assert json_output("show", "handbook")["metadata"]["match_threshold"] == 0.1
    assert "questions with an answer (48)" in shown
    assert "questions without (48)" in shown
    assert "█" in shown
    assert "← match" in shown
    assert "partial " in shown
    assert "Store them with --apply." in shown

    assert "'handbook' has these thresholds now." in done("calibrate", "handbook", "--apply").stdout
    metadata = json_output("show", "handbook")["metadata"]
    assert f"match_threshold {metadata['match_threshold']}, partial_threshold {metadata['partial_threshold']}" in shown


def test_emptying_and_deleting_require_confirmation() -> None:
    write({"a.txt": "words"})
    done("create", "handbook")
    done("add", "handbook", "a.txt")

    for command in ("empty", "delete"):
        refused = run(command, "handbook", given="n\n")
        assert refused.exit_code == 1
        assert "1 document" in refused.stderr
    assert json_output("show", "handbook")["documents"] == 1

    done("empty", "handbook", given="y\n")
    assert json_output("show", "handbook")["documents"] == 0
    done("delete", "handbook", "--yes")
    assert json_output("list") == []


def test_missing_collection_is_reported_with_the_nearest_name() -> None:
    done("create", "handbook")
    for arguments in (("show", "handbok"), ("query", "handbok", "a"), ("delete", "handbok"), ("calibrate", "handbok")):
        result = run(*arguments)
        assert isinstance(result.exception, RetrievalError)
        assert str(result.exception) == "collection 'handbok' not found; the collections are: 'handbook'"


def test_stage_without_a_bucket_is_reported_with_the_deployed_stages() -> None:
    result = run("list", "--stage", "prod")
    assert isinstance(result.exception, UnknownNameError)
    assert str(result.exception).startswith("region 'us-east-1' has no deployed stage 'prod'; it has: none. ")


def test_embedding_model_must_be_configured() -> None:
    result = run("create", "handbook", "--embedding-model", "main:embed")
    assert isinstance(result.exception, ConfigError)
    assert "no configuration is stored" in str(result.exception)
    assert json_output("list") == []
