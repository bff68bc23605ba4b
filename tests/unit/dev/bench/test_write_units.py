"""Write units of busy keys, with the items as the service stores them."""

from typing import Any

import pytest

from dev.bench.write_units import (
    PARTITION_UNITS,
    Load,
    counter_item,
    hold_item,
    item_bytes,
    keys,
    monthly_counter_item,
    session_item,
    session_units,
    write_units,
)
from flexchat.aws.limit_counters import LimitCounters
from flexchat.deadline import Deadline
from flexchat.errors import LimitName
from flexchat.limits.counting import Account, Hold, hold_id
from flexchat.limits.windows import KINDS, Limit, Moment
from tests.unit.runs.table import CHATS, empty_tables

MOMENT = Moment(1_795_343_380.0)


@pytest.mark.parametrize(
    ("item", "size"),
    [
        ({"a": {"S": "héllo"}}, 7),
        ({"ab": {"N": "12345"}}, 6),
        ({"m": {"M": {"x": {"S": "y"}}}}, 7),
        ({"b": {"BOOL": True}}, 2),
    ],
)
def test_size_of_an_item_follows_the_rules_of_dynamodb(item: dict[str, Any], size: int) -> None:
    assert item_bytes(item) == size
    assert write_units(1_024) == 1
    assert write_units(1_025) == 2


def test_one_busy_token_stays_below_the_limit_of_a_partition() -> None:
    before, after = (keys(Load(), sharded=sharded) for sharded in (False, True))
    assert max(key.rate(Load()) for key in before) > 3 * PARTITION_UNITS
    assert max(key.rate(Load()) for key in after) <= PARTITION_UNITS / 3
    assert session_units(Load(), sharded=True) < session_units(Load(), sharded=False)


def test_simulated_items_have_the_form_of_stored_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    with empty_tables(monkeypatch) as client:
        counters = LimitCounters(client, CHATS)
        for number in range(20):
            counters.reserve(
                Account("k3m9x2p7qd"),
                MOMENT,
                limits=(Limit("requests_per_minute", 100), Limit("tokens_per_day", 1_000_000)),
                hold=Hold(hold_id(MOMENT.at + 60, f"{number:032x}"), 2_345),
                deadline=Deadline.after(30),
            )
        items = client.scan(TableName=CHATS)["Items"]
    stored = {str(item["pk"].get("S")): item for item in items}
    assert set(stored["L#k3m9x2p7qd#HOLDS"]) == set(hold_item())
    assert item_bytes(stored["L#k3m9x2p7qd#HOLDS"]) == pytest.approx(item_bytes(hold_item()), abs=8)
    assert set(stored["L#k3m9x2p7qd"]) - {"requests_1029"} <= set(counter_item(active=20, holds_inside=False))
    assert item_bytes(counter_item(active=200, holds_inside=False)) < 1_024
    assert item_bytes(monthly_counter_item()) < 1_024
    assert "lock_run" not in session_item(lock_inside=False)


def test_simulated_counters_of_a_month_have_the_attributes_of_stored_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = [Limit(name, 1_000_000) for name in KINDS]
    names: list[LimitName] = [limit.name for limit in limits if limit.quantity == "tool_calls"]
    account, deadline = Account("k3m9x2p7qd", monthly=True), Deadline.after(30)
    with empty_tables(monkeypatch) as client:
        counters = LimitCounters(client, CHATS)
        hold = Hold(hold_id(MOMENT.at + 60, "chat"), 2_345, 10_000)
        counters.reserve(account, MOMENT, limits=limits, hold=hold, deadline=deadline)
        counters.take_calls(account, MOMENT, limits=names, calls=3, deadline=deadline)
        key = {"pk": {"S": account.pk}, "sk": {"S": f"MONTH#{MOMENT.month}"}}
        stored = set(client.get_item(TableName=CHATS, Key=key).get("Item", {}))

    assert {name.partition("_22T")[0] for name in stored} == {
        name.partition("_22T")[0] for name in monthly_counter_item()
    }
