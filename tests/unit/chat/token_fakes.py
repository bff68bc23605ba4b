"""Resume tokens with a stopped clock and states in memory."""

import threading
from collections.abc import Callable
from copy import replace
from dataclasses import dataclass, field

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError, RequestError
from flexchat.http_api.caller import Caller
from flexchat.messages import assistant, user
from functions.chat.aws.leases import LeaseStore
from functions.chat.deadlines import ChatDeadlines, Heartbeat
from functions.chat.generation.checkpoint import Checkpoint
from functions.chat.resumption.tokens import LEASE_MARGIN_SECONDS, ChatState, RedeemedToken, ResumeTokens
from tests.clock import Clock
from tests.unit.runs.table import CHATS

ALICE = Caller("alice", frozenset({"user"}))
BOB = Caller("bob", frozenset({"user", "operator"}))
KEY = b"k" * 32
STATE = ChatState("Hi", (user("a"), assistant("b")), {"topic": "t"}, Checkpoint(iterations=1))


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
