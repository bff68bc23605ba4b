"""Budgets of days and months, of money and of roles: reserved, extended by long chats, settled and refused."""

import json
import threading
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.errors import ModelError
from flexchat.messages import Completion, Message, Usage
from functions.chat.providers.base import ChatOptions
from tests.functional.chat.harness import CALCULATE, CHATS_TABLE, Chat, configuration, deploy
from tests.functional.chat.limited_chat import HELLO, MORNING, PRINCIPAL, WallClock, service
from tests.functional.chat.scripted_provider import call_completion, text_completion
from tests.unit.runs.table import CrashingDynamoDb, ProcessCrashError

CHAT_USD = 0.000_075
"""Cost of 10 tokens of input and 5 of output of gpt-4o, at $2.50 and $10 a million."""

CHAT_MICROS = 75


def at(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


@pytest.fixture
def now() -> WallClock:
    return WallClock()


def item(dynamodb: DynamoDBClient, pk: str, sk: str) -> dict[str, int]:
    """Return the numbers of a counter item, without its expiry."""
    found = dynamodb.get_item(TableName=CHATS_TABLE, Key={"pk": {"S": pk}, "sk": {"S": sk}}).get("Item", {})
    return {name: int(value["N"]) for name, value in found.items() if "N" in value and name != "expires_at"}


def holds(dynamodb: DynamoDBClient) -> int:
    return sum(item["pk"].get("S", "").endswith("#HOLDS") for item in dynamodb.scan(TableName=CHATS_TABLE)["Items"])


def completion(tokens: int, *, call: str | None = None, turn: int = 1) -> Completion:
    """Return a completion that uses `tokens`, one of them of output, with a call of the calculator or a text."""
    made = text_completion("done") if call is None else call_completion(("calculate", {"expression": call}), turn=turn)
    return Completion(made.message, made.finish_reason, Usage(tokens - 1, 1), "scripted")


def test_money_is_reserved_and_settled_by_the_prices_of_the_models(dynamodb: DynamoDBClient, now: WallClock) -> None:
    def seen(_messages: Sequence[Message], _options: ChatOptions) -> Completion:
        assert item(dynamodb, f"L#{PRINCIPAL}", "DAY#2026-11-22") == {"micros": 20_000, "reserved_micros": 20_000}
        return text_completion("a")

    chat = service(dynamodb, now, [seen], caller={"usd_per_day": 5}, reserved_usd=0.02)

    answer = chat.post(HELLO)

    assert (answer.status, answer.body["usage"]["cost_usd"]) == (200, CHAT_USD)
    assert item(dynamodb, f"L#{PRINCIPAL}", "DAY#2026-11-22") == {"micros": CHAT_MICROS, "reserved_micros": 0}
    assert holds(dynamodb) == 0


def test_request_beyond_a_limit_of_money_has_the_limit_its_use_and_its_reset(
    dynamodb: DynamoDBClient, now: WallClock
) -> None:
    chat = service(dynamodb, now, [text_completion("a")], caller={"usd_per_month": CHAT_USD})
    assert chat.post(HELLO).status == 200

    refused = chat.post(HELLO)

    assert (refused.status, refused.headers["retry-after"]) == (429, str(int(at("2026-12-01") - MORNING)))
    assert refused.body == {
        "error": "rate_limited",
        "message": "the limit of this token is $7.5e-05 a month; it resets on 2026-12-01 at 00:00 UTC",
        "request_id": refused.body["request_id"],
        "limit": {
            "name": "usd_per_month",
            "scope": "caller",
            "allowed": CHAT_USD,
            "used": CHAT_USD,
            "resets_at": "2026-12-01T00:00:00Z",
        },
    }


@pytest.mark.parametrize(
    ("first", "later", "resets_at"),
    [
        ("2026-02-28T23:59:59", "2026-03-01T00:00:00", "2026-03-01T00:00:00Z"),
        ("2028-02-29T23:59:59", "2028-03-01T00:00:00", "2028-03-01T00:00:00Z"),
        ("2026-04-30T12:00:00", "2026-05-01T00:00:00", "2026-05-01T00:00:00Z"),
        ("2026-12-31T23:59:59", "2027-01-01T00:00:00", "2027-01-01T00:00:00Z"),
    ],
)
def test_a_month_ends_with_its_last_day_in_utc(
    dynamodb: DynamoDBClient, now: WallClock, first: str, later: str, resets_at: str
) -> None:
    now.at = at(first)
    chat = service(dynamodb, now, [text_completion("a"), text_completion("b")], caller={"requests_per_month": 1})
    assert chat.post(HELLO).status == 200
    refused = chat.post(HELLO)
    assert (refused.status, refused.body["limit"]["resets_at"]) == (429, resets_at)

    now.at = at(later)
    assert chat.post(HELLO).status == 200


def test_minute_day_and_month_are_counted_in_one_item(dynamodb: DynamoDBClient, now: WallClock) -> None:
    limits = {"requests_per_minute": 9, "requests_per_day": 9, "tokens_per_day": 999, "tokens_per_month": 9_999}
    chat = service(dynamodb, now, [text_completion("a"), text_completion("b")], caller=limits)
    chat.post(HELLO)
    now.at = MORNING + 86_400
    chat.post(HELLO)

    # The update that settles the second chat removes the minutes and days that have ended.
    assert item(dynamodb, f"L#{PRINCIPAL}", "MONTH#2026-11") == {
        "requests_23T1029": 1,
        "requests_23": 1,
        "tokens_23": 15,
        "reserved_23": 0,
        "tokens": 30,
        "reserved": 0,
    }


def test_the_limit_that_resets_last_is_named(dynamodb: DynamoDBClient, now: WallClock) -> None:
    limits = {"requests_per_minute": 1, "requests_per_day": 1, "tokens_per_month": 10}
    chat = service(dynamodb, now, [text_completion("a")], caller=limits)
    chat.post(HELLO)

    assert chat.post(HELLO).body["limit"]["name"] == "tokens_per_month"


def test_tokens_of_a_minute_are_free_in_the_next(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = service(dynamodb, now, [text_completion("a"), text_completion("b")], caller={"tokens_per_minute": 10})
    assert chat.post(HELLO).status == 200
    refused = chat.post(HELLO)
    assert (refused.status, refused.headers["retry-after"]) == (429, "20")

    now.at = MORNING + 20
    assert chat.post(HELLO).status == 200


def test_all_callers_with_a_role_share_its_total(dynamodb: DynamoDBClient, now: WallClock) -> None:
    totals = {"analyst": {"requests_per_day": 2}}
    config = {**configuration(), "roles": {"analyst": {"rules": ["*"], "models": ["*"], "views": ["chat"]}}}
    chat = deploy(
        [text_completion("a") for _ in range(3)],
        {**config, "limits": {"role_totals": totals}},
        dynamodb=dynamodb,
        now=now,
    )
    assert [chat.post(HELLO, principal=name, roles="analyst").status for name in ("ann", "bob")] == [200, 200]

    refused = chat.post(HELLO, principal="cyd", roles="analyst")

    assert refused.status == 429
    assert refused.body["message"].startswith("the limit of all callers with the role 'analyst' is 2 requests a day;")
    assert refused.body["limit"] == {
        "name": "requests_per_day",
        "scope": "role",
        "role": "analyst",
        "allowed": 2,
        "used": 2,
        "resets_at": "2026-11-23T00:00:00Z",
    }
    assert chat.post(HELLO, principal="dan").status == 200
    [limit] = chat.request("GET", "/api/me", principal="ann", roles="analyst").body["limits"]
    assert (limit["name"], limit["role"], limit["used"]) == ("requests_per_day", "analyst", 2)


def test_the_use_of_money_is_shown_in_dollars(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = service(dynamodb, now, [text_completion("a")], caller={"usd_per_month": 12.5})
    chat.post(HELLO)

    assert chat.request("GET", "/api/me", principal=PRINCIPAL).body["limits"] == [
        {
            "name": "usd_per_month",
            "allowed": 12.5,
            "used": CHAT_USD,
            "reserved": 0,
            "resets_at": "2026-12-01T00:00:00Z",
        }
    ]


LONG = [completion(3_000, call=f"{turn} + 1", turn=turn) for turn in range(1, 5)]


def test_a_chat_beyond_its_reservation_reserves_more_while_the_budget_has_room(
    dynamodb: DynamoDBClient, now: WallClock
) -> None:
    chat = service(dynamodb, now, [*LONG, completion(3_000)], caller={"tokens_per_day": 100_000})

    answer = chat.post(HELLO)

    assert (answer.status, answer.body["outcome"], answer.body["usage"]["total_tokens"]) == (200, "answered", 15_000)
    assert item(dynamodb, f"L#{PRINCIPAL}", "DAY#2026-11-22") == {"tokens": 15_000, "reserved": 0}
    assert holds(dynamodb) == 0


def test_a_chat_ends_with_its_results_when_the_budget_is_used_up(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = service(dynamodb, now, LONG, caller={"tokens_per_day": 5_000})

    answer = chat.post(HELLO)

    assert (answer.status, answer.body["status"], answer.body["outcome"]) == (200, "partial", "budget_reached")
    assert answer.body["content"].startswith(
        "The answer is not finished: the limit of this token is 5000 tokens a day; try again in "
    )
    assert [called["result"]["success"] for called in answer.body["tool_calls"]] == [True, True]
    assert item(dynamodb, f"L#{PRINCIPAL}", "DAY#2026-11-22") == {"tokens": 6_000, "reserved": 0}
    assert holds(dynamodb) == 0


def test_money_ends_a_long_chat_too(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = service(dynamodb, now, LONG, caller={"usd_per_day": 0.02})  # each call costs 7,508 millionths

    answer = chat.post(HELLO)

    assert (answer.body["outcome"], len(answer.body["tool_calls"])) == ("budget_reached", 3)
    assert item(dynamodb, f"L#{PRINCIPAL}", "DAY#2026-11-22") == {"micros": 22_522, "reserved_micros": 0}


def test_budget_that_the_first_phases_use_up_refuses_the_chat(dynamodb: DynamoDBClient, now: WallClock) -> None:
    config = {**configuration(), "topic": {"enabled": True}, "limits": {"caller": {"tokens_per_day": 100}}}
    chat = deploy([completion(5_000), text_completion("unused")], config, dynamodb=dynamodb, now=now)
    history = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]

    refused = chat.post({**HELLO, "history": history})

    assert (refused.status, refused.body["limit"]["name"]) == (429, "tokens_per_day")
    assert item(dynamodb, f"L#{PRINCIPAL}", "DAY#2026-11-22") == {"tokens": 5_000, "reserved": 0}


class Interleaved:
    """Chats of one caller that run at the same time: each model call waits until it is the chat's turn.

    One thread runs at a time, so that the order is the same in every run: all chats send their requests, then each one
    gets the answer to its first model call, which calls a tool, and so on. Every model call costs `tokens`.
    """

    def __init__(self, dynamodb: DynamoDBClient, now: WallClock, *, chats: int, tokens: int, **caller: Any) -> None:
        self.statuses: list[tuple[int, str | None]] = []
        self.calls = 0
        config = {**configuration(tools=[CALCULATE]), "limits": {"caller": caller}}
        self._stopped = threading.Semaphore(0)
        self._running = {threading.Semaphore(0): tokens for _ in range(chats)}
        self._threads = [
            threading.Thread(target=self._chat, args=(turn, config, dynamodb, now), daemon=True)
            for turn in self._running
        ]

    def run(self) -> None:
        for thread in self._threads:
            thread.start()
            self._wait()
        while self._running:
            for turn in [*self._running]:
                turn.release()
                self._wait()
        for thread in self._threads:
            thread.join(60)

    def _wait(self) -> None:
        assert self._stopped.acquire(timeout=60), "a chat neither called its model nor ended"

    def _chat(self, turn: threading.Semaphore, config: Any, dynamodb: DynamoDBClient, now: WallClock) -> None:
        def answer(_messages: Sequence[Message], _options: ChatOptions) -> Completion:
            self._stopped.release()
            assert turn.acquire(timeout=60)
            self.calls += 1
            is_first = len(chat.model.script) == 3
            return completion(self._running[turn], call=None if not is_first else "1 + 1")

        chat = deploy([answer] * 4, config, dynamodb=dynamodb, now=now, clock=lambda: 1_000.0)
        response = chat.post(HELLO)
        self.statuses.append((response.status, response.body.get("outcome")))
        del self._running[turn]
        self._stopped.release()


@pytest.mark.parametrize(
    ("tokens", "ended"),
    [
        pytest.param(100, {(200, "answered"): 25, (429, None): 175}, id="within their reservations"),
        pytest.param(3_000, {(200, "budget_reached"): 25, (429, None): 175}, id="beyond their reservations"),
    ],
)
def test_200_chats_at_the_same_time_exceed_a_budget_by_one_call_of_each_running_chat(
    dynamodb: DynamoDBClient, now: WallClock, tokens: int, ended: dict[tuple[int, str | None], int]
) -> None:
    allowed = 50_000  # 25 reservations of 2,000 tokens and those of the message
    chats = Interleaved(dynamodb, now, chats=200, tokens=tokens, tokens_per_day=allowed)

    chats.run()

    assert Counter(chats.statuses) == ended
    used = item(dynamodb, f"L#{PRINCIPAL}", "DAY#2026-11-22")
    assert used == {"tokens": chats.calls * tokens, "reserved": 0}
    assert used["tokens"] <= allowed + 25 * tokens
    assert holds(dynamodb) == 0


@pytest.mark.parametrize(
    "failure",
    [
        ModelError("no such key", type="authentication", provider="openai"),
        ModelError("too late", type="timeout", provider="openai"),
    ],
    ids=["failure", "timeout"],
)
def test_reservations_are_released_after_a_failure(
    dynamodb: DynamoDBClient, now: WallClock, failure: ModelError
) -> None:
    limits = {"usd_per_month": 1, "tokens_per_day": 10_000}
    chat = service(dynamodb, now, [LONG[0], failure], caller=limits, session=limits)

    chat.post({**HELLO, "session_id": "s1"})

    counted = item(dynamodb, f"L#{PRINCIPAL}", "MONTH#2026-11")
    assert counted == item(dynamodb, f"L#{PRINCIPAL}#s1", "MONTH#2026-11")
    assert {name: amount for name, amount in counted.items() if "reserved" in name} == {
        "reserved_22": 0,
        "reserved_micros": 0,
    }
    assert counted["tokens_22"] >= 3_000
    assert holds(dynamodb) == 0


@pytest.mark.parametrize("days", [0, 3])
def test_reservation_of_a_crashed_chat_is_released_later_in_its_month(
    dynamodb: DynamoDBClient, now: WallClock, days: int
) -> None:
    limits = {"usd_per_month": 0.01, "usd_per_day": 0.01}
    crashing = service(CrashingDynamoDb(dynamodb, at=2), now, [text_completion("lost")], caller=limits)
    with pytest.raises(ProcessCrashError):
        crashing.post(HELLO)
    chat = service(dynamodb, now, [text_completion("b")], caller=limits)
    refused = chat.post(HELLO)
    assert (refused.status, refused.headers["retry-after"]) == (429, "5")

    now.at = MORNING + 60 + days * 86_400
    assert chat.post(HELLO).status == 200

    day = f"{22 + days}"
    counted = item(dynamodb, f"L#{PRINCIPAL}", "MONTH#2026-11")
    assert (counted["micros"], counted["reserved_micros"]) == (CHAT_MICROS, 0)
    assert (counted[f"micros_{day}"], counted[f"reserved_micros_{day}"]) == (CHAT_MICROS, 0)
    assert holds(dynamodb) == 0


def test_a_chat_across_the_end_of_a_month_is_counted_in_the_month_of_its_reservation(
    dynamodb: DynamoDBClient, now: WallClock
) -> None:
    now.at = at("2026-11-30T23:59:59")

    def slow(_messages: Sequence[Message], _options: ChatOptions) -> Completion:
        now.at = at("2026-12-01T00:00:05")
        return text_completion("done")

    limits = {"tokens_per_minute": 900, "tokens_per_day": 900, "tokens_per_month": 900}
    assert service(dynamodb, now, [slow], caller=limits).post(HELLO).status == 200

    counted = item(dynamodb, f"L#{PRINCIPAL}", "MONTH#2026-11")
    assert (counted["tokens"], counted["reserved"]) == (15, 0)
    assert item(dynamodb, f"L#{PRINCIPAL}", "MONTH#2026-12") == {}


def calls_of(tools: int, turn: int) -> Completion:
    return call_completion(*[("calculate", {"expression": f"{turn} + {place}"}) for place in range(tools)], turn=turn)


@pytest.mark.parametrize("window", ["day", "month"])
def test_tool_calls_beyond_a_budget_are_refused_and_the_chat_continues(
    dynamodb: DynamoDBClient, now: WallClock, window: str
) -> None:
    script = [calls_of(3, 1), calls_of(3, 2), text_completion("so far")]
    chat = service(dynamodb, now, script, caller={f"tool_calls_per_{window}": 4})

    answer = chat.post(HELLO)

    results = [called["result"] for called in answer.body["tool_calls"]]
    assert [result.get("error_type") for result in results] == [None, None, None, None, "rate_limited", "rate_limited"]
    reset = "it resets on 2026-12-01 at 00:00 UTC" if window == "month" else "try again in 48620 seconds"
    assert results[-1]["error"] == (
        f"Not run: the limit of 4 tool calls a {window} is reached, {reset}. "
        "Answer from the results so far, and say what is missing."
    )
    assert answer.body["content"] == "so far"
    sk = "MONTH#2026-11" if window == "month" else "DAY#2026-11-22"
    assert item(dynamodb, f"L#{PRINCIPAL}", sk) == {"tool_calls": 4}


def test_a_budget_is_reported_once_at_80_and_at_100_percent(
    dynamodb: DynamoDBClient, now: WallClock, capsys: pytest.CaptureFixture[str]
) -> None:
    limits = {"tokens_per_day": 70, "requests_per_month": 5, "requests_per_minute": 5}
    chat = service(dynamodb, now, [text_completion("a") for _ in range(5)], caller=limits)
    reports: list[list[str]] = []
    metrics: list[dict[str, Any]] = []
    for _ in range(5):
        assert chat.post(HELLO).status == 200
        written = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        lines = [line for line in written if line.get("message") == "budget used"]
        metrics += [line for line in written if "BudgetsNearLimit" in line or "BudgetsUsedUp" in line]
        reports.append([f"{line['limit']} {line['percent']}" for line in lines])

    assert reports == [
        [],
        [],
        [],
        ["requests_per_month 80", "tokens_per_day 80"],
        ["requests_per_month 100", "tokens_per_day 100"],
    ]
    assert [(line["limit"], line["scope"], line["stage"]) for line in metrics] == [
        ("requests_per_month", "caller", "test"),
        ("tokens_per_day", "caller", "test"),
    ] * 2


def test_chats_without_a_budget_make_no_calls(dynamodb: DynamoDBClient, now: WallClock) -> None:
    class Refusing:
        def __getattr__(self, name: str) -> Any:
            raise AssertionError(f"called {name}")

    chat: Chat = deploy([*LONG, completion(3_000)], configuration(tools=[CALCULATE]), dynamodb=Refusing(), now=now)

    assert chat.post(HELLO).body["outcome"] == "answered"
