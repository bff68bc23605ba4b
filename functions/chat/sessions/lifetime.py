"""How long a session is kept."""

_SECONDS_A_DAY = 86_400


def expiry_of(now: float, ttl_days: int) -> int:
    """When a session that changes now expires: whole seconds since the epoch, as DynamoDB's time to live wants it."""
    return int(now) + ttl_days * _SECONDS_A_DAY
