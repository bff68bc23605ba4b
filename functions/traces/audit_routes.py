"""Route of audit records."""

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Query

from flexchat.api.audit import AuditList
from flexchat.audit import AuditKind
from flexchat.http_api.openapi import responses
from functions.traces.audit import AuditFilters
from functions.traces.routes import DEFAULT_PAGE, MAX_PAGE, Name, Time
from functions.traces.services import TraceRouter

router = TraceRouter()


@router.endpoint(
    "GET",
    "/api/audit",
    role="operator",
    summary="List audit records, the newest first",
    description="Tool calls, also refused ones, changes of the configuration and of tokens, approvals, sign-ins and "
    "exports. `since` and `until` are times in ISO 8601, or ages such as `2h` and `7d`. A page may have fewer than "
    "`limit` records, or none; its `cursor` continues the list.",
    tags=["audit"],
    responses=responses(AuditList, errors=(400, 401, 403, 429, 500, 503)),
)
def list_records(
    since: Time = None,
    until: Time = None,
    principal: Name = None,
    tool: Name = None,
    kind: Annotated[AuditKind | None, Query()] = None,
    limit: Annotated[int, Query(ge=1, le=MAX_PAGE)] = DEFAULT_PAGE,
    cursor: Annotated[str | None, Query(max_length=2_000)] = None,
) -> AuditList:
    filters = AuditFilters(since=since, until=until, principal=principal, tool=tool, kind=kind)
    return router.services.audit.list(filters, limit=limit, cursor=cursor, deadline=router.deadline())
