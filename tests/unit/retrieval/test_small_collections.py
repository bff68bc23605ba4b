"""Plain questions about two short files, in each language."""

from pathlib import Path

import pytest

from flexchat.retrieval import CollectionMetadata, SearchQuery, classify
from functions.retrieval.index.reader import CollectionIndex
from functions.retrieval.index.writer import IndexWriter
from functions.retrieval.ingest.chunker import Chunking
from functions.retrieval.ingest.documents import Document
from functions.retrieval.ingest.indexing import indexed
from functions.retrieval.thresholds import FEW_LEXICAL
from tests.unit.retrieval.samples import document, written
from tests.unit.retrieval.small_collections import FILES, QUESTIONS


def read(path: Path, *languages: str) -> CollectionIndex:
    with IndexWriter(path) as writer:
        writer.add(
            indexed(Document(name, name, name, text), chunking=Chunking(), metadata=CollectionMetadata())
            for language in languages
            for name, text in FILES[language].items()
        )
    return CollectionIndex(path)


def class_and_first(index: CollectionIndex, question: str) -> tuple[str, str | None]:
    hits = index.search(SearchQuery(question))
    nearest = min((hit.distance for hit in hits), default=None)
    found = classify(nearest, match_threshold=FEW_LEXICAL.match, partial_threshold=FEW_LEXICAL.partial)
    return found, hits[0].passage.document_id if hits else None


@pytest.mark.parametrize("language", FILES)
def test_every_plain_question_finds_its_file(path: Path, language: str) -> None:
    index = read(path, language)

    found = {question: class_and_first(index, question) for question, _ in QUESTIONS[language]}

    assert {question: name for question, (_, name) in found.items()} == dict(QUESTIONS[language])
    assert {result for result, _ in found.values()} <= {"match", "partial"}


@pytest.mark.parametrize("language", FILES)
def test_a_question_without_a_common_word_or_character_has_no_result(path: Path, language: str) -> None:
    unrelated = {"zh": "火星直径"}.get(language, "Ulaanbaatar Mongolia")

    assert class_and_first(read(path, language), unrelated) == ("none", None)


def test_a_collection_of_several_languages_answers_in_each(path: Path) -> None:
    languages = ("en", "de", "zh")
    index = read(path, *languages)

    found = {question: class_and_first(index, question)[1] for each in languages for question, _ in QUESTIONS[each]}

    assert found == {question: name for each in languages for question, name in QUESTIONS[each]}


@pytest.mark.parametrize(
    "question", ["如何修改root密码", "root密码怎么改?", "how to change the root 密码", "ROOT 密碼 root"]
)
def test_a_question_may_mix_scripts(path: Path, question: str) -> None:
    assert class_and_first(read(path, "zh", "en"), question)[1] == "服务器"


def test_an_unknown_compound_is_found_by_its_parts_where_words_are_compounded(path: Path) -> None:
    german = written(path, document("a", "Der Urlaub und die Feiertage sind im Kalender."), document("b", "Die Pumpe."))
    english = written(
        path.with_stem("english"), document("a", "The urlaub is in the calendar."), document("b", "Pumps.")
    )

    assert [hit.passage.document_id for hit in german.search(SearchQuery("Urlaubskalender"))] == ["a"]
    assert english.search(SearchQuery("Urlaubskalender")) == ()
