"""Routes of searches and calibration."""

import pytest

from tests.functional.collections.harness import Api, text_of


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["", " ", '"', '" OR "', "col:x", "-b", "NEAR(", "*", "\u0000", "😀", "' --", "a" * 100_000, "日本語"]
)
def test_any_query_text_is_searched(api: Api, text: str) -> None:
    api.create()
    api.add({"text": "some words"})
    assert api.query(text)["result"] in ("match", "partial", "none")


def test_search_is_limited_by_count_and_distance(api: Api) -> None:
    api.create()
    api.add(*({"text": f"{text_of('river')} {text_of(f'topic{number}')}"} for number in range(4)))

    assert len(api.query("river", top_k=2)["hits"]) == 2
    hits = api.query("river")["hits"]
    nearest = min(hit["distance"] for hit in hits)
    assert api.query("river", max_distance=nearest / 2)["hits"] == []


def test_collection_thresholds_set_the_class_of_a_result(api: Api) -> None:
    api.create(match_threshold=0, partial_threshold=0)
    api.add({"text": "some words"})
    assert api.query("words")["result"] == "none"
    api.send("PATCH", "/api/collections/handbook", {"metadata": {"partial_threshold": 2}})
    assert api.query("words")["result"] == "partial"
    api.send("PATCH", "/api/collections/handbook", {"metadata": {"match_threshold": 2}})
    answer = api.query("words")
    assert (answer["result"], answer["thresholds"]) == ("match", {"match": 2, "partial": 2})


def test_calibration_proposes_thresholds_and_applies_them_on_request_only(api: Api) -> None:
    api.create(match_threshold=0.1, partial_threshold=0.2)
    api.add(*({"text": text_of(f"topic{number}", 4)} for number in range(12)))

    proposal = api.send("POST", "/api/collections/handbook/calibrate", {"questions": ["topic3", "topic5"]})

    assert proposal.status == 200
    assert 0 < proposal.body["match_threshold"] <= proposal.body["partial_threshold"] < 2
    assert (proposal.body["applied"], len(proposal.body["answered"])) == (False, 2)
    assert api.show()["metadata"]["match_threshold"] == 0.1

    applied = api.send("POST", "/api/collections/handbook/calibrate", {"apply": True}).body

    assert applied["applied"] is True
    shown = api.show()["metadata"]
    assert (shown["match_threshold"], shown["partial_threshold"]) == (
        applied["match_threshold"],
        applied["partial_threshold"],
    )


def test_calibration_with_too_few_passages_is_rejected(api: Api) -> None:
    api.create()
    assert api.send("POST", "/api/collections/handbook/calibrate", {}).refusal == (
        400,
        "collection_invalid",
        "the collection 'handbook' is empty; add documents first",
    )
    api.add({"text": "one"})
    assert "a calibration needs 8" in api.send("POST", "/api/collections/handbook/calibrate", {}).refusal[2]
