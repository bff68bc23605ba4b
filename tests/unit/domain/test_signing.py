"""Signed texts: valid only unchanged, with the same key, purpose and owner."""

import pytest

from functions.chat.resumption.tokens import sign, verified

KEY = b"k" * 32
BOUND = ("resume", "alice")
SIGNED = sign(b'{"id":"1"}', key=KEY, bound_to=BOUND)


@pytest.mark.parametrize("payload", [b"", b"x", b'{"id":"1"}', bytes(range(256)), b"." * 7])
def test_a_signed_value_is_returned_by_verification(payload: bytes) -> None:
    signed = sign(payload, key=KEY, bound_to=BOUND)

    assert verified(signed, key=KEY, bound_to=BOUND) == payload
    assert set(signed) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")


def test_the_format_is_stable_between_versions() -> None:
    assert SIGNED == "eyJpZCI6IjEifQ.poZlsujtctJ0hIO2boJFxWGCVl0XmbNUpP4XFLtBDos"


@pytest.mark.parametrize("position", range(len(SIGNED)))
def test_a_change_of_any_character_is_invalid(position: int) -> None:
    other = "A" if SIGNED[position] != "A" else "B"

    assert verified(SIGNED[:position] + other + SIGNED[position + 1 :], key=KEY, bound_to=BOUND) is None


@pytest.mark.parametrize(
    "signed",
    ["", ".", "..", "nonsense", "ä.ö", "\ud800.\udfff", SIGNED + "=", SIGNED + "A", f" {SIGNED}", SIGNED[:-1], "\0"],
)
def test_malformed_text_is_invalid(signed: str) -> None:
    assert verified(signed, key=KEY, bound_to=BOUND) is None


def test_unsigned_text_is_invalid() -> None:
    assert verified(SIGNED.partition(".")[0], key=KEY, bound_to=BOUND) is None


def test_another_key_gives_another_signature() -> None:
    assert verified(SIGNED, key=b"l" * 32, bound_to=BOUND) is None


@pytest.mark.parametrize(
    "bound_to",
    [
        (),
        ("resume",),
        ("resume", "bob"),
        ("alice", "resume"),
        ("resumealice",),
        ("resume", "alice", ""),
        ("re", "sume"),
    ],
)
def test_a_signed_text_is_invalid_for_any_other_purpose_or_owner(bound_to: tuple[str, ...]) -> None:
    assert verified(SIGNED, key=KEY, bound_to=bound_to) is None


def test_text_cannot_be_moved_between_signed_parts() -> None:
    text, _, signature = sign(b"abc", key=KEY, bound_to=("a", "b")).rpartition(".")

    assert verified(f'{text}","a.{signature}', key=KEY, bound_to=("b",)) is None


def test_owners_with_any_characters_have_distinct_signatures() -> None:
    signed = sign(b"x", key=KEY, bound_to=("\ud800",))

    assert verified(signed, key=KEY, bound_to=("\ud800",)) == b"x"
    assert verified(signed, key=KEY, bound_to=("\udfff",)) is None
