"""Resume tokens: owner, session, signature and lifetime."""

import json
from base64 import urlsafe_b64decode

import pytest

from flexchat.errors import RequestError
from functions.chat.generation.checkpoint import Checkpoint
from functions.chat.resumption.tokens import LIFETIME_SECONDS, ChatState, sign
from tests.unit.chat.token_fakes import ALICE, BOB, KEY, STATE, Tokens

IN_SESSION = ChatState("Hi", (), {}, Checkpoint(), session_id="s1", turn=3)

INVALID = (400, "resume_token_invalid")
EXPIRED = (410, "resume_token_expired")


@pytest.mark.parametrize("state", [STATE, IN_SESSION], ids=["bare", "in a session"])
def test_token_returns_its_state(tokens: Tokens, state: ChatState) -> None:
    assert tokens.redeem(tokens.issue(state), session_id=state.session_id).state == state


def test_a_token_contains_no_chat_data_and_is_within_the_request_limit(tokens: Tokens) -> None:
    text = tokens.issue(IN_SESSION)
    payload, _, _ = text.partition(".")

    content = json.loads(urlsafe_b64decode(payload + "=="))
    assert (content.keys(), content["v"], content["exp"], content["s"]) == (
        {"v", "id", "exp", "s"},
        1,
        1_000_000 + LIFETIME_SECONDS,
        "s1",
    )
    assert len(text) < 2_000
    assert "alice" not in f"{urlsafe_b64decode(payload + '==')}"


def test_tokens_are_unique(tokens: Tokens) -> None:
    assert len({tokens.issue() for _ in range(3)}) == 3


@pytest.mark.parametrize("token", ["", "nonsense", "a.b", "ä.ö", "." * 100])
def test_invalid_text_is_rejected(tokens: Tokens, token: str) -> None:
    assert tokens.refusal(token) == INVALID


def test_changed_token_is_rejected(tokens: Tokens) -> None:
    token = tokens.issue()

    assert tokens.refusal(token[:-1] + ("A" if token[-1] != "A" else "B")) == INVALID
    assert tokens.refusal("A" + token[1:]) == INVALID


def test_signature_for_another_purpose_is_rejected(tokens: Tokens) -> None:
    payload = json.dumps({"v": 1, "id": "x", "exp": 2_000_000}).encode()

    assert tokens.refusal(sign(payload, key=KEY, bound_to=("something else", "alice"))) == INVALID
    assert tokens.refusal(sign(payload, key=KEY, bound_to=("alice",))) == INVALID


def test_token_of_another_caller_is_rejected_with_any_roles(tokens: Tokens) -> None:
    assert tokens.refusal(tokens.issue(), BOB) == INVALID


def test_token_of_another_session_is_rejected(tokens: Tokens) -> None:
    assert tokens.refusal(tokens.issue(IN_SESSION), session_id="s2") == INVALID
    assert tokens.refusal(tokens.issue(STATE), session_id="s1") == INVALID


def test_a_request_can_omit_the_session_of_the_token(tokens: Tokens) -> None:
    assert tokens.redeem(tokens.issue(IN_SESSION)).state.session_id == "s1"


def test_every_invalid_token_has_the_same_error(tokens: Tokens) -> None:
    messages: set[str] = set()
    for token, caller, session_id in (
        ("nonsense", ALICE, None),
        (tokens.issue(), BOB, None),
        (tokens.issue(IN_SESSION), ALICE, "s2"),
    ):
        with pytest.raises(RequestError) as caught:
            tokens.redeem(token, caller, session_id)
        messages.add(caught.value.message)

    assert len(messages) == 1


def test_token_is_valid_for_an_hour(tokens: Tokens) -> None:
    token, other = tokens.issue(), tokens.issue()

    tokens.clock.now += LIFETIME_SECONDS - 0.1
    assert tokens.redeem(token).state == STATE
    tokens.clock.now += 0.1
    assert tokens.refusal(other) == EXPIRED


def test_an_expired_token_of_another_caller_is_invalid_and_not_expired(tokens: Tokens) -> None:
    token = tokens.issue()
    tokens.clock.now += LIFETIME_SECONDS

    assert tokens.refusal(token, BOB) == INVALID


def test_token_without_a_state_has_expired(tokens: Tokens) -> None:
    token = tokens.issue()
    tokens.states.contents.clear()

    assert tokens.refusal(token) == EXPIRED


def test_a_state_of_another_version_has_expired(tokens: Tokens) -> None:
    token = tokens.issue()
    (key,) = tokens.states.contents
    tokens.states.contents[key] = (b'{"v":2}', 2_000_000)

    assert tokens.refusal(token) == EXPIRED


def test_a_token_of_another_version_has_expired(tokens: Tokens) -> None:
    payload, _, _ = tokens.issue().partition(".")
    content = json.loads(urlsafe_b64decode(payload + "=="))
    newer = json.dumps(content | {"v": 2}).encode()

    assert tokens.refusal(sign(newer, key=KEY, bound_to=("flexchat resume token", "alice"))) == EXPIRED
