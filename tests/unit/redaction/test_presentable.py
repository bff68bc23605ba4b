import pytest

from flexchat.redaction import presentable


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("Model not found", "Model not found"),
        ("  two\n lines\t", "two lines"),
        ("Incorrect API key provided: my-secret-key.", "Incorrect API key provided: [redacted]."),
        ("Incorrect API key: sk-ab****yz here", "Incorrect API key: [redacted] here"),
        ("Incorrect API key: sk-proj-abcdefghijklmnop", "Incorrect API key: [redacted]"),
        ("header 'Authorization: Bearer abcdefgh12345'", "header 'Authorization: [redacted]'"),
    ],
)
def test_a_message_is_shown_without_any_key(message: str, shown: str) -> None:
    assert presentable(message, secrets=("my-secret-key",)) == shown


def test_a_secret_of_few_letters_does_not_blank_ordinary_words() -> None:
    assert presentable("the demo model is not found", secrets=("demo", "", "not")) == "the demo model is not found"


def test_a_long_message_is_cut() -> None:
    shown = presentable("word " * 1000)

    assert len(shown) < 540
    assert shown.endswith("… [4999 characters]")
