"""Audit records of what commands change in a stage."""

from uuid import uuid4

from cli.stage_bucket import operator_attribution
from flexchat.audit import Auditor
from flexchat.aws.audit_log import DEFAULT_DAYS, AuditLog, audit_table
from flexchat.aws.clients import dynamodb
from flexchat.aws.dynamodb import translate_errors
from flexchat.aws.parameters import operator_store
from flexchat.config.parameters import audit_days_name
from flexchat.deadline import Deadline
from flexchat.errors import ConfigError

WRITE_SECONDS = 10.0


def operator_audit(stage: str) -> Auditor:
    """Return the writer of the records of one command, whose principal is the AWS identity of the environment.

    A change of a stage without the table fails before its first write: deploy the stage first. Raises ConfigError
    without a region.
    """
    table = audit_table(stage)
    with translate_errors("use", table):
        log = AuditLog(dynamodb(), table, days=_days(stage))
    return Auditor(
        write=lambda record: log.write(record, deadline=Deadline.after(WRITE_SECONDS)),
        principal=operator_attribution(stage).by or "unknown",
        request_id=f"command-{uuid4()}",
        front_end="command",
    )


def _days(stage: str) -> int:
    """Return the retention of a stage; the usual one with policies of an earlier release, which do not show it."""
    name = audit_days_name(stage)
    try:
        return int(operator_store().read((name,)).get(name, DEFAULT_DAYS))
    except ConfigError:
        return DEFAULT_DAYS
