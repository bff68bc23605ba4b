"""Plans of chaos runs are decided by their seed alone."""

from typing import get_args

from dev.chaos.questions import CALLS_PER_TURN
from dev.chaos.scenario_plan import GROUPS, LLMS, FaultGroup, Scenario, plans
from dev.demo_model.server_quirks import KINDS

RUN = plans(seed="s", chats=500, deadlines=(2.0, 20.0))


def test_the_same_seed_gives_the_same_plans_and_longer_runs_start_with_the_shorter_ones() -> None:
    assert plans(seed="s", chats=500, deadlines=(2.0, 20.0)) == RUN
    assert plans(seed="s", chats=50, deadlines=(2.0, 20.0)) == RUN[:50]
    assert plans(seed="t", chats=500, deadlines=(2.0, 20.0)) != RUN


def test_plans_have_every_request_kind_every_fault_set_and_every_model() -> None:
    assert {plan.scenario for plan in RUN} == set(get_args(Scenario))
    assert {plan.fault_group for plan in RUN} == set(get_args(FaultGroup))
    assert {plan.llm for plan in RUN if plan.fault_group != "servers"} == set(LLMS)
    assert {plan.llm for plan in RUN if plan.fault_group == "servers"} == {*LLMS, *KINDS}
    assert max(plan.group for plan in RUN) == GROUPS - 1
    assert any(plan.calls > CALLS_PER_TURN for plan in RUN)


def test_request_kinds_and_fault_sets_can_be_selected() -> None:
    chosen = plans(seed="s", chats=50, deadlines=(2.0, 20.0), scenarios=("cancel", "death"), fault_groups=("calm",))

    assert {(plan.scenario, plan.fault_group) for plan in chosen} == {("cancel", "calm"), ("death", "calm")}


def test_messages_are_different_and_have_expectations() -> None:
    assert len({plan.message for plan in RUN}) == len(RUN)
    assert all(plan.expected for plan in RUN)


def test_model_faults_are_injected_if_models_or_bodies_fail() -> None:
    dialled = {plan.fault_group for plan in RUN if "chaos=s " in plan.message}

    assert dialled == {"models", "bodies", "servers", "everything"}
    for group in ("bodies", "servers"):
        assert all((f"of={group}" in plan.message) == (plan.fault_group == group) for plan in RUN)


def test_chats_without_faults_have_enough_time_and_leases_of_killed_processes_end_soon() -> None:
    assert all(2_000 <= plan.deadline_ms <= 20_000 for plan in RUN)
    keys = [plan for plan in RUN if plan.scenario == "death" and plan.victim == "key"]
    assert {plan.deadline_ms for plan in keys} == {3_000}
    assert min(plan.deadline_ms for plan in RUN if plan.fault_group == "calm" and plan not in keys) >= 11_000


def test_sessions_belong_to_one_chat() -> None:
    sessions = [plan.session for plan in RUN if plan.session is not None]

    assert len(set(sessions)) == len(sessions)
    assert all((plan.session is not None) == (plan.request().get("session_id") is not None) for plan in RUN)
