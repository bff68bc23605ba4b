"""Routes of traces, feedback and usage."""

from datetime import date
from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body, Path, Query

from flexchat.api.traces import (
    Feedback,
    FeedbackView,
    LogLines,
    TraceList,
    TraceProfileList,
    TraceView,
    UsageGroup,
    UsageReport,
)
from flexchat.http_api.openapi import responses
from flexchat.validation.cases import Suite
from functions.traces.filters import Rating, TraceFilters
from functions.traces.recorder import ID_PATTERN
from functions.traces.services import TraceRouter

DEFAULT_PAGE = 50
MAX_PAGE = 200
MAX_PROFILES = 100

_LISTS = (400, 401, 403, 429, 500, 503)
_READS = (400, 401, 403, 404, 429, 500, 503)
_CASES = (400, 401, 403, 404, 409, 429, 500, 503)
_WRITES = (400, 401, 403, 404, 413, 415, 429, 500, 503)

TraceId = Annotated[str, Path(pattern=ID_PATTERN)]
Name = Annotated[str | None, Query(min_length=1, max_length=512)]
Time = Annotated[str | None, Query(min_length=1, max_length=64)]
Flag = Annotated[bool | None, Query()]

router = TraceRouter()


@router.endpoint(
    "GET",
    "/api/traces",
    role="user",
    summary="List traces of chats, the newest first",
    description="Lists the caller's own traces; those of all callers with the role `operator`. `since` and `until` are "
    "times in ISO 8601, or ages such as `2h` and `7d`.",
    tags=["traces"],
    responses=responses(TraceList, errors=_LISTS),
)
def list_traces(
    since: Time = None,
    until: Time = None,
    caller: Name = None,
    session: Name = None,
    model: Name = None,
    rule: Name = None,
    tool: Name = None,
    outcome: Name = None,
    failed: Flag = None,
    rating: Annotated[Rating | None, Query()] = None,
    min_ms: Annotated[int | None, Query(ge=0, le=1_000_000_000)] = None,
    limit: Annotated[int, Query(ge=1, le=MAX_PAGE)] = DEFAULT_PAGE,
    cursor: Annotated[str | None, Query(max_length=2_000)] = None,
) -> TraceList:
    filters = TraceFilters(
        since=since,
        until=until,
        caller=caller,
        session=session,
        model=model,
        rule=rule,
        tool=tool,
        outcome=outcome,
        failed=failed,
        rating=rating,
        min_ms=min_ms,
    )
    deadline = router.deadline()
    return router.services.queries.list(router.caller, filters, limit=limit, cursor=cursor, deadline=deadline)


# Before `/api/traces/<id>`, which matches this path as well.
@router.endpoint(
    "GET",
    "/api/traces/profiles",
    role="operator",
    summary="List the profiles of recorded chats, the newest first",
    description="The fields that the response rules were matched on, of chats whose traces have content. `since` is a "
    "time in ISO 8601, or an age such as `7d`.",
    tags=["traces"],
    responses=responses(TraceProfileList, errors=_LISTS),
)
def profiles(since: Time = None, limit: Annotated[int, Query(ge=1, le=MAX_PROFILES)] = 50) -> TraceProfileList:
    return router.services.queries.profiles(since, limit=limit, deadline=router.deadline())


@router.endpoint(
    "GET",
    "/api/traces/<id>",
    role="user",
    summary="Get a trace",
    description="The id is the `request_id` of the chat. System messages and texts of providers need the role "
    "`operator`.",
    tags=["traces"],
    responses=responses(TraceView, errors=_READS),
)
def show(id: TraceId) -> TraceView:
    return router.services.queries.show(router.caller, id, deadline=router.deadline())


@router.endpoint(
    "GET",
    "/api/traces/<id>/logs",
    role="operator",
    summary="Get the log lines of a trace",
    tags=["traces"],
    responses=responses(LogLines, errors=_READS),
)
def logs(id: TraceId) -> LogLines:
    deadline = router.deadline()
    trace = router.services.queries.find(router.caller, id, deadline=deadline)
    return router.services.logs.of(trace.summary, deadline=deadline)


@router.endpoint(
    "GET",
    "/api/traces/<id>/case",
    role="operator",
    summary="Make a validation case of a trace",
    description="The response is a suite with one case: the user's message, the offered tools with the recorded "
    "results, and the calls as expected. 409 for a trace without content, message or tools, or with pictures or files.",
    tags=["traces"],
    responses=responses(Suite, errors=_CASES),
)
def case(id: TraceId) -> Suite:
    return router.services.queries.case(router.caller, id, deadline=router.deadline())


@router.endpoint(
    "POST",
    "/api/runs/<id>/feedback",
    role="user",
    summary="Rate an answer",
    description="The id is the `request_id` of one of the caller's chats. A later rating replaces the earlier one.",
    tags=["traces"],
    responses=responses(FeedbackView, errors=_WRITES),
)
def rate(id: TraceId, feedback: Annotated[Feedback, Body()]) -> FeedbackView:
    return router.services.queries.rate(router.caller, id, feedback, deadline=router.deadline())


@router.endpoint(
    "GET",
    "/api/usage",
    role="user",
    summary="Get the usage by day",
    description="Of all callers with the role `operator`, else of the caller, by `day` or `caller`. Days are in UTC; "
    "by default the last 30.",
    tags=["traces"],
    responses=responses(UsageReport, errors=_LISTS),
)
def usage(
    group: Annotated[UsageGroup, Query()] = "day",
    since: Annotated[date | None, Query()] = None,
    until: Annotated[date | None, Query()] = None,
) -> UsageReport:
    deadline = router.deadline()
    return router.services.usage.report(router.caller, group, since=since, until=until, deadline=deadline)
