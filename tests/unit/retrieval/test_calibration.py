"""Thresholds proposed from the distribution of distances."""

from pathlib import Path

import pytest

from flexchat.errors import RetrievalError
from functions.retrieval.index.calibration import QUESTIONS, SampleQuestion, calibrate, thresholds
from tests.unit.retrieval.samples import document, two_subjects, written


@pytest.mark.parametrize(
    ("answered", "unanswered", "expected"),
    [
        ((0.1, 0.2, 0.3), (0.7, 0.8, 0.9), (0.2, 0.5)),
        ((0.1, 0.2, 0.6), (0.5, 0.8, 0.9), (0.2, 0.35)),
        ((0.5, 0.5), (0.5, 0.5), (0.5, 1.25)),
        ((0.0,), (1.0,), (0.0, 0.5)),
    ],
)
def test_the_threshold_separates_answered_from_unanswered_questions(
    answered: tuple[float, ...], unanswered: tuple[float, ...], expected: tuple[float, float]
) -> None:
    assert thresholds(answered, unanswered) == expected


def test_the_match_threshold_is_at_most_the_partial_one_and_rare_for_unanswered_questions() -> None:
    answered = (0.4, 0.5, 0.6, 0.7, 0.8)
    unanswered = tuple(0.3 + at / 100 for at in range(70))

    match, partial = thresholds(answered, unanswered)

    assert match <= partial
    assert match == pytest.approx(0.334)


@pytest.mark.slow
def test_answered_questions_have_smaller_distances_than_random_words(tmp_path: Path) -> None:
    index = written(tmp_path / "index.sqlite", *two_subjects(120))

    calibration = calibrate(index)

    middle = len(calibration.answered) // 2
    assert calibration.answered[middle] < calibration.unanswered[middle]
    assert 0 < calibration.match_threshold <= calibration.partial_threshold < 1
    assert calibration.neighbours[len(calibration.neighbours) // 2] < calibration.pairs[len(calibration.pairs) // 2]
    assert not calibration.given_questions
    assert calibrate(index) == calibration


@pytest.mark.slow
def test_given_questions_replace_generated_ones(tmp_path: Path) -> None:
    index = written(tmp_path / "index.sqlite", *two_subjects(120))

    calibration = calibrate(index, [SampleQuestion("cat kitten dog"), SampleQuestion("unheard of")])

    assert calibration.given_questions
    assert calibration.answered == pytest.approx((calibration.answered[0], 1.0))
    assert calibration.unanswered == calibrate(index).unanswered


def test_given_vectors_are_compared_with_neighbours_and_with_other_documents(tmp_path: Path) -> None:
    def vector(at: int) -> list[float]:
        return [1.0, at / 200, 0.0] if at % 2 else [0.0, at / 200, 1.0]

    index = written(
        tmp_path / "index.sqlite", *(document(f"d{at}", f"word{at}", vectors=(vector(at),)) for at in range(20))
    )

    calibration = calibrate(index, [SampleQuestion("anything", [1.0, 0.0, 0.0])])

    assert max(calibration.neighbours) < 0.01
    assert calibration.pairs == calibration.unanswered
    assert calibration.pairs[-1] == pytest.approx(1, abs=0.01)
    assert calibration.answered[0] < 0.001


def test_passages_of_one_document_have_no_neighbour_in_another(tmp_path: Path) -> None:
    index = written(tmp_path / "index.sqlite", document("a", *(f"the same words {at}" for at in range(10))))

    assert set(calibrate(index).neighbours) == {1.0}


def test_passages_without_words_call_no_model(tmp_path: Path) -> None:
    index = written(tmp_path / "index.sqlite", *two_subjects(10), document("signs", "- - -"))

    calibration = calibrate(index)

    assert (len(calibration.answered), len(calibration.neighbours)) == (10 * QUESTIONS, 10)


@pytest.mark.parametrize("texts", [(), ("one", "two", "three"), ("- -",) * 10])
def test_too_few_samples_are_an_error(tmp_path: Path, texts: tuple[str, ...]) -> None:
    index = written(tmp_path / "index.sqlite", document("a", *texts))

    with pytest.raises(RetrievalError, match="a calibration needs 8") as raised:
        calibrate(index)

    assert raised.value.code == "invalid"
