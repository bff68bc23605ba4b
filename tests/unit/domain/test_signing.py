"""Signed texts: what was not signed like this, with this key and for this owner, is nothing."""

import pytest

from functions.chat.resumption.signing import sign, verified

KEY = b"k" * 32
BOUND = ("resume", "alice")
SIGNED = sign(b'{"id":"1"}', key=KEY, bound_to=BOUND)


@pytest.mark.parametrize("payload", [b"", b"x", b'{"id":"1"}', bytes(range(256)), b"." * 7])
def test_what_was_signed_comes_back(payload: bytes) -> None:
    signed = sign(payload, key=KEY, bound_to=BOUND)

    assert verified(signed, key=KEY, bound_to=BOUND) == payload
    assert set(signed) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")


def test_the_form_does_not_change_between_versions() -> None:
    assert SIGNED == "eyJpZCI6IjEifQ.poZlsujtctJ0hIO2boJFxWGCVl0XmbNUpP4XFLtBDos"


@pytest.mark.parametrize("position", range(len(SIGNED)))
def test_no_character_can_be_changed(position: int) -> None:
    other = "A" if SIGNED[position] != "A" else "B"

    assert verified(SIGNED[:position] + other + SIGNED[position + 1 :], key=KEY, bound_to=BOUND) is None


@pytest.mark.parametrize(
    "signed",
    ["", ".", "..", "nonsense", "ä.ö", "\ud800.\udfff", SIGNED + "=", SIGNED + "A", f" {SIGNED}", SIGNED[:-1], "\0"],
)
def test_nonsense_is_nothing(signed: str) -> None:
    assert verified(signed, key=KEY, bound_to=BOUND) is None


def test_an_unsigned_text_is_nothing() -> None:
    assert verified(SIGNED.partition(".")[0], key=KEY, bound_to=BOUND) is None


def test_another_key_signs_differently() -> None:
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


def test_parts_cannot_be_moved_from_one_into_the_next() -> None:
    text, _, signature = sign(b"abc", key=KEY, bound_to=("a", "b")).rpartition(".")

    assert verified(f'{text}","a.{signature}', key=KEY, bound_to=("b",)) is None


def test_owners_with_any_characters_have_distinct_signatures() -> None:
    signed = sign(b"x", key=KEY, bound_to=("\ud800",))

    assert verified(signed, key=KEY, bound_to=("\ud800",)) == b"x"
    assert verified(signed, key=KEY, bound_to=("\udfff",)) is None
