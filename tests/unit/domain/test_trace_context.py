"""Trace contexts: `traceparent` and `tracestate` of requests, and the ids of a chat that begins a trace."""

import re

import pytest

from flexchat.trace_context import TraceContext, new_span_id

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = "00f067aa0ba902b7"


def test_a_traceparent_is_continued_with_a_new_span() -> None:
    context = TraceContext.parse(f"00-{TRACE}-{PARENT}-01")

    assert context is not None
    assert (context.trace_id, context.parent_id, context.sampled) == (TRACE, PARENT, True)
    assert re.fullmatch(r"[0-9a-f]{16}", context.span_id)
    assert context.span_id != PARENT


def test_the_flags_are_read_bit_by_bit_and_only_the_sampled_one_is_sent() -> None:
    sampled, unsampled = TraceContext.parse(f"00-{TRACE}-{PARENT}-ff"), TraceContext.parse(f"00-{TRACE}-{PARENT}-02")

    assert sampled is not None
    assert unsampled is not None
    assert sampled.traceparent("00000000000000aa") == f"00-{TRACE}-00000000000000aa-01"
    assert unsampled.traceparent("00000000000000aa") == f"00-{TRACE}-00000000000000aa-00"


@pytest.mark.parametrize("header", [f"cc-{TRACE}-{PARENT}-01", f"cc-{TRACE}-{PARENT}-01-what-the-future-brings"])
def test_a_traceparent_of_a_later_version_is_continued(header: str) -> None:
    context = TraceContext.parse(header)

    assert context is not None
    assert context.traceparent().startswith(f"00-{TRACE}-")


@pytest.mark.parametrize(
    "header",
    [
        "",
        "nonsense",
        f"00-{TRACE}-{PARENT}",
        f"00-{TRACE}-{PARENT}-1",
        f"00-{TRACE}-{PARENT}-01-more",
        f"cc-{TRACE}-{PARENT}-01.more",
        f"ff-{TRACE}-{PARENT}-01",
        f"00-{TRACE.upper()}-{PARENT}-01",
        f"00-{TRACE[1:]}-{PARENT}-01",
        f"00-{'0' * 32}-{PARENT}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"00-{TRACE}-{PARENT}-01\n",
        f"00-{TRACE}-{PARENT}-01,00-{TRACE}-{PARENT}-01",
        "00-٤bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    ],
)
def test_a_malformed_traceparent_is_ignored(header: str) -> None:
    assert TraceContext.parse(header) is None


@pytest.mark.parametrize(
    ("values", "kept"),
    [
        ([], ""),
        (["rojo=00f067aa0ba902b7 , congo=t61rcWkgMzE"], "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"),
        (["a=1", "b=2,,"], "a=1,b=2"),
        (["tenant@vendor=x y"], "tenant@vendor=x y"),
        (["a=1,b"], ""),
        (["a=1\r\nx-injected: 1"], ""),
        (["a=é"], ""),
        ([",".join(f"k{n}=v" for n in range(40))], ",".join(f"k{n}=v" for n in range(32))),
        ([f"a=1,b={'x' * 250},c={'y' * 250},d=1"], f"a=1,b={'x' * 250},c={'y' * 250}"),
        ([f"a=1,b={'x' * 250},c={'y' * 254},d=1"], f"a=1,b={'x' * 250}"),
    ],
)
def test_a_tracestate_is_kept_within_its_limits(values: list[str], kept: str) -> None:
    context = TraceContext.parse(f"00-{TRACE}-{PARENT}-01", values)

    assert context is not None
    assert context.state == kept
    assert context.headers("00000000000000aa").get("tracestate", "") == kept


def test_a_request_without_traceparent_continues_its_x_ray_trace() -> None:
    header = "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1"
    context = TraceContext.of_request("request", header)

    assert (context.trace_id, context.parent_id) == ("5759e988bd862e3fe1be46a994272793", None)


@pytest.mark.parametrize("header", ["", "Root=1-5759e988-bd", "NotRoot=1-5759e988-bd862e3fe1be46a994272793"])
def test_a_request_without_any_trace_begins_one_that_its_id_names(header: str) -> None:
    first, second = TraceContext.of_request("request", header), TraceContext.of_request("request", header)

    assert first.trace_id == second.trace_id != TraceContext.of_request("another").trace_id
    assert re.fullmatch(r"[0-9a-f]{32}", first.trace_id)
    assert first.span_id != second.span_id


def test_span_ids_differ() -> None:
    assert len({new_span_id() for _ in range(1000)}) == 1000
