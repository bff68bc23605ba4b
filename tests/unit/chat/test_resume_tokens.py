"""Resume tokens: owner, session, lifetime and single use."""

import json
import threading
from base64 import urlsafe_b64decode
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.deadline import Deadline
from flexchat.errors import ConfigError, FlexchatError, Problem, RequestError, UnavailableError
from flexchat.http_api.caller import Caller
from flexchat.messages import assistant, user
from functions.chat.aws.leases import LeaseStore
from functions.chat.deadlines import ChatDeadlines
from functions.chat.generation.checkpoint import Checkpoint
from functions.chat.heartbeat import Heartbeat
from functions.chat.resumption.signing import sign
from functions.chat.resumption.state import ChatState
from functions.chat.resumption.tokens import LEASE_MARGIN_SECONDS, LIFETIME_SECONDS, RedeemedToken, ResumeTokens
from tests.clock import Clock
from tests.unit.config.sources import logged
from tests.unit.runs.table import CHATS, empty_tables

ALICE = Caller("alice", frozenset({"user"}))
BOB = Caller("bob", frozenset({"user", "operator"}))
KEY = b"k" * 32
STATE = ChatState("Hi", (user("a"), assistant("b")), {"topic": "t"}, Checkpoint(iterations=1))
IN_SESSION = ChatState("Hi", (), {}, Checkpoint(), session_id="s1", turn=3)

INVALID = (400, "resume_token_invalid")
EXPIRED = (410, "resume_token_expired")
USED = (409, "resume_token_used")
IN_USE = (409, "resume_token_in_use")


@dataclass
class MemoryStates:
    """Contents in memory, or the failure of the table they would be in."""

    contents: dict[str, tuple[bytes, int]] = field(default_factory=dict[str, tuple[bytes, int]])
    failure: FlexchatError | None = None

    def put(self, key: str, content: bytes, *, expires_at: int, deadline: Deadline) -> None:
        if self.failure:
            raise self.failure
        self.contents[key] = (content, expires_at)

    def get(self, key: str, *, now: float, deadline: Deadline) -> bytes | None:
        if self.failure:
            raise self.failure
        content, expires_at = self.contents.get(key, (None, 0))
        return content if expires_at > now else None


@dataclass
class Key:
    failure: FlexchatError | None = None

    def __call__(self, deadline: Deadline) -> bytes:
        if self.failure:
            raise self.failure
        return KEY


class Tokens:
    """ResumeTokens on a table of this process, a clock that is moved by hand and a key."""

    def __init__(self, dynamodb: DynamoDBClient) -> None:
        self.clock = Clock(1_000_000.0)
        self.states = MemoryStates()
        self.key = Key()
        self.dynamodb = dynamodb
        self.leases = LeaseStore(dynamodb, CHATS)
        self.beats: list[Callable[[], bool]] = []
        self.resume_tokens = ResumeTokens(
            states=lambda: self.states,
            leases=lambda: self.leases,
            key=self.key,
            clock=self.clock,
            heartbeat=self._heartbeat,
        )

    def _heartbeat(self, beat: Callable[[], bool]) -> Heartbeat:
        """A heartbeat that is stopped from the beginning; its beat is called by hand."""
        self.beats.append(beat)
        stopped = threading.Event()
        stopped.set()
        return Heartbeat(beat, stopped=stopped)

    def issue(self, state: ChatState = STATE, caller: Caller = ALICE) -> str:
        token = self.resume_tokens.issue(state, caller=caller, deadline=Deadline.after(30))
        assert token is not None
        return token

    def redeem(
        self,
        token: str,
        caller: Caller = ALICE,
        session_id: str | None = None,
        run: str = "one",
        seconds: float = 30,
    ) -> RedeemedToken:
        """Redeem a token for a request with a lease of that many seconds."""
        return self.resume_tokens.redeem(
            token,
            caller=caller,
            session_id=session_id,
            run=run,
            deadlines=replace(
                ChatDeadlines.split(Deadline.after(30)),
                total=Deadline.after(seconds - LEASE_MARGIN_SECONDS, clock=self.clock),
            ),
        )

    def refusal(
        self, token: str, caller: Caller = ALICE, session_id: str | None = None, run: str = "two"
    ) -> tuple[int, str]:
        with pytest.raises(RequestError) as caught:
            self.redeem(token, caller, session_id, run)
        return caught.value.status, caught.value.code

    def complete(self, redeemed: RedeemedToken) -> None:
        """Answer with a redeemed token."""
        with redeemed:
            pass

    def fail(self, redeemed: RedeemedToken) -> None:
        """Fail with a redeemed token."""
        with pytest.raises(LookupError), redeemed:
            raise LookupError


@pytest.fixture
def tokens(monkeypatch: pytest.MonkeyPatch) -> Iterator[Tokens]:
    with empty_tables(monkeypatch) as client:
        yield Tokens(client)


@pytest.mark.parametrize("state", [STATE, IN_SESSION], ids=["bare", "in a session"])
def test_token_returns_its_state(tokens: Tokens, state: ChatState) -> None:
    assert tokens.redeem(tokens.issue(state), session_id=state.session_id).state == state


def test_a_token_contains_no_chat_data_and_is_within_the_request_limit(tokens: Tokens) -> None:
    text = tokens.issue(IN_SESSION)
    payload, _, _ = text.partition(".")

    said = json.loads(urlsafe_b64decode(payload + "=="))
    assert (said.keys(), said["v"], said["exp"], said["s"]) == (
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
    said = json.loads(urlsafe_b64decode(payload + "=="))
    newer = json.dumps(said | {"v": 2}).encode()

    assert tokens.refusal(sign(newer, key=KEY, bound_to=("flexchat resume token", "alice"))) == EXPIRED


def test_token_is_valid_for_one_answer(tokens: Tokens) -> None:
    token = tokens.issue()
    tokens.complete(tokens.redeem(token))

    assert [tokens.refusal(token), tokens.refusal(token, run="one")] == [USED, USED]
    tokens.clock.now += LIFETIME_SECONDS - 1
    assert tokens.refusal(token) == USED


def test_a_token_in_use_is_rejected_with_the_end_of_its_lease(tokens: Tokens) -> None:
    token = tokens.issue()
    tokens.redeem(token)

    with pytest.raises(RequestError, match="after 1970-01-12T13:47:10") as caught:
        tokens.redeem(token, run="two")
    assert (caught.value.status, caught.value.code) == IN_USE


def test_a_token_of_a_crashed_request_is_usable_after_its_lease(tokens: Tokens) -> None:
    token = tokens.issue()
    died = tokens.redeem(token)
    tokens.clock.now += 30

    resumption = tokens.redeem(token, run="two")
    assert resumption.state == STATE

    tokens.complete(died)
    assert tokens.refusal(token, run="three") == IN_USE
    tokens.complete(resumption)
    assert tokens.refusal(token, run="three") == USED


def test_redelivered_request_redeems_its_token_again(tokens: Tokens) -> None:
    token = tokens.issue()

    first, again = tokens.redeem(token, run="one"), tokens.redeem(token, run="one")

    assert replace(first, deadline=again.deadline) == again


def test_a_token_of_a_failed_request_is_usable_again_at_once(tokens: Tokens) -> None:
    token = tokens.issue()
    tokens.fail(tokens.redeem(token))

    assert tokens.redeem(token, run="two").state == STATE


def test_tokens_of_two_callers_are_independent(tokens: Tokens) -> None:
    mine, other = tokens.issue(), tokens.issue(caller=BOB)
    tokens.complete(tokens.redeem(mine))

    assert tokens.redeem(other, BOB).state == STATE


@pytest.mark.parametrize(
    "failure", [UnavailableError("not now"), ConfigError((Problem("table", "denied"),))], ids=["unavailable", "denied"]
)
@pytest.mark.parametrize("part", ["key", "states"])
def test_a_failed_write_of_the_state_is_logged_and_no_token_is_issued(
    tokens: Tokens, capsys: pytest.CaptureFixture[str], part: str, failure: FlexchatError
) -> None:
    (tokens.key if part == "key" else tokens.states).failure = failure

    assert tokens.resume_tokens.issue(STATE, caller=ALICE, deadline=Deadline.after(30)) is None

    (line,) = logged(capsys.readouterr().out)
    assert (line["level"], line["message"]) == ("WARNING", "resume token not issued")
    assert line["reason"] == str(failure)


@pytest.mark.parametrize("part", ["key", "states"])
def test_a_token_that_cannot_be_checked_stays_valid(tokens: Tokens, part: str) -> None:
    token = tokens.issue()
    broken = tokens.key if part == "key" else tokens.states
    broken.failure = UnavailableError("not now")
    with pytest.raises(UnavailableError):
        tokens.redeem(token)

    broken.failure = None
    assert tokens.redeem(token, run="two").state == STATE


def test_failed_write_at_the_end_is_logged_and_not_raised(tokens: Tokens, capsys: pytest.CaptureFixture[str]) -> None:
    late = replace(tokens.redeem(tokens.issue()), deadline=Deadline.after(0))
    capsys.readouterr()

    tokens.complete(late)
    tokens.fail(late)

    lines = logged(capsys.readouterr().out)
    assert [(line["level"], line["message"]) for line in lines] == [
        ("WARNING", "resume token not marked as used"),
        ("WARNING", "resume token not released"),
    ]


def test_a_token_of_a_crashed_long_request_is_usable_again_after_half_a_minute(tokens: Tokens) -> None:
    token = tokens.issue()
    tokens.redeem(token, run="one", seconds=600)
    tokens.clock.now += 29
    assert tokens.refusal(token, run="two") == IN_USE
    tokens.clock.now += 2
    assert tokens.redeem(token, run="two").state == STATE
    assert not tokens.beats[0]()


def test_a_token_of_a_running_long_request_stays_in_use(tokens: Tokens) -> None:
    token = tokens.issue()
    resumption = tokens.redeem(token, run="one", seconds=600)
    for _ in range(6):
        tokens.clock.now += 10
        assert tokens.beats[0]()
    tokens.clock.now += 29
    assert tokens.refusal(token, run="two") == IN_USE
    tokens.complete(resumption)
    assert not tokens.beats[0]()
    assert tokens.refusal(token, run="two") == USED
