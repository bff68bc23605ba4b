"""Words, identifiers and terms of text."""

import pytest

from functions.retrieval.index.analysis import Analyzer, content_words, identifiers, language_of, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Wings, and MORE wings!", ["wings", "and", "more", "wings"]),
        ("max_iterations=5", ["max", "iterations", "5"]),
        ("parseConfig HTTPServer getURL2", ["parse", "config", "http", "server", "get", "url2"]),
        ('" OR col:x -b NEAR(a) *', ["or", "col", "x", "b", "near", "a"]),
        ("Straße ﬁle ①", ["strasse", "file", "1"]),
        ("東京都 tower東京", ["東", "東京", "京", "京都", "tower", "東", "東京", "京"]),
        ("如何修改root密码", ["修", "修改", "改", "root", "密", "密码", "码"]),
        ("猫の名前", ["猫", "猫の", "の名", "名", "名前", "前"]),
        ("비밀번호", ["비밀", "밀번", "번호"]),
        ("猫", ["猫"]),
        ("🙂 \x00 \ud800 — ", []),
        ("a\x00b", ["a", "b"]),
        ("", []),
    ],
)
def test_words_are_casefolded_letters_and_digits(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("In 2.3.1, not 2.1.3.", ["2·3·1", "2·1·3"]),
        ("v2.3.1", ["v2·3·1", "2·3·1"]),
        ("ORA-00942 or INV-2024-00017", ["ora·00942", "inv·2024·00017"]),
        ("/etc/ssh/sshd_config", ["etc·ssh·sshd·config", "sshd·config"]),
        ("C:\\temp\\a.log", ["c·temp·a·log", "a·log"]),
        ("parse_config() parseConfig std::vector", ["parse·config", "parseconfig", "std·vector"]),
        ("app.readConfig", ["app·readconfig", "readconfig"]),
        ("1,000 items", ["1·000"]),
        ("anna@example.com", ["anna·example·com", "example·com"]),
        ("版本2.3.1的说明", ["2·3·1"]),
        ("e.g. well-known, and/or i.e. U.S. plain", []),
        ("a_" * 200, []),
    ],
)
def test_identifiers_are_whole_besides_their_words(text: str, expected: list[str]) -> None:
    assert list(identifiers(text)) == expected


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "the running of tests", ["run", "test"]),
        ("en", "Café CAFÉ cafe cafe\u0301", ["cafe", "cafe", "cafe", "cafe"]),
        ("en", "what is it", []),
        ("en", "tools tool", ["tool", "tool"]),
        ("en", "x" * 100, ["x" * 64, "x" * 36]),
        ("de", "die Häuser und das Haus, Kündigungen, Kuendigung", ["haus", "haus", "kundig", "kundig"]),
        ("fr", "les congés et le congé", ["cong", "cong"]),
        ("es", "los tambores y el tambor", ["tambor", "tambor"]),
        ("it", "le richieste e la richiesta", ["richiest", "richiest"]),
        ("pt", "os pedidos e o pedido", ["ped", "ped"]),
        ("nl", "de trommels en de trommel", ["trommel", "trommel"]),
        ("en", "tests v1s 4711s", ["test", "v1s", "4711s"]),
        ("en", "running_tests", ["run", "test", "running·tests"]),
    ],
)
def test_terms_are_stems_and_identifiers_without_stop_words(language: str, text: str, expected: list[str]) -> None:
    assert Analyzer().terms(text, language) == expected


def test_a_query_has_the_stems_of_all_languages_of_the_documents() -> None:
    terms = Analyzer().query_terms("Kündigungsfristen for the installation", ["de", "en"])

    assert dict(terms) == {
        ("kundigungsfrist", "kundigungsfristen"): 1,
        ("installation", "instal"): 1,
    }


def test_function_words_of_a_question_are_left_out_also_in_another_language_than_the_documents() -> None:
    analyzer = Analyzer()

    assert set(analyzer.query_terms("Wie lange ist die Frist für das Gerät?", ["en"])) == {
        ("lang",),
        ("frist",),
        ("gerat",),
    }
    assert set(analyzer.query_terms("die cast", ["en"])) == {("die",), ("cast",)}


def test_a_query_counts_equal_words() -> None:
    assert dict(Analyzer().query_terms("tool tools v1.2 v1.2", ["en"])) == {
        ("tool",): 2,
        ("v1",): 2,
        ("2",): 2,
        ("v1·2",): 2,
        ("1·2",): 2,
    }


def test_content_words_are_distinct_and_without_those_of_the_language() -> None:
    assert content_words("Die Pumpe und die Pumpe sind in der Halle") == ["pumpe", "halle"]


def test_chinese_text_counts_as_english() -> None:
    assert language_of("修改 root 密码") == "en"


def test_a_word_always_has_the_same_term() -> None:
    analyzer = Analyzer()

    first = analyzer.terms("wings of planes", "en")

    assert analyzer.terms("planes", "en") + analyzer.terms("wings", "en") == first[::-1]


def test_the_word_cache_is_limited() -> None:
    analyzer = Analyzer(max_words=3)

    terms = [analyzer.terms(text, "en") for text in ("wing tail", "gear flap", "wing rudder")]

    assert terms == [["wing", "tail"], ["gear", "flap"], ["wing", "rudder"]]
