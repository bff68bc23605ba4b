"""Hooks of Lambda SnapStart: what an environment prepares before its snapshot, and renews after each restore.

Lambda initialises a published version once, when it is deployed, and starts every environment from that snapshot
(https://docs.aws.amazon.com/lambda/latest/dg/snapstart-runtime-hooks-python.html). The hooks run nowhere else: without
SnapStart a function imports and builds what it needs when it first needs it.

A snapshot may be weeks old when it is restored, and many environments begin from the same one. It must hold no open
connection, no identifier and no state of a random generator that is used afterwards; what is compared with an expiry
time goes by the wall's clock.
"""

import random
from collections.abc import Callable

try:
    import snapshot_restore_py as hooks
except ImportError:  # Lambda's runtime has it; outside of Lambda there is no snapshot
    hooks = None

if hooks is not None:
    # Every environment would draw the same numbers: retries of all of them would come at the same moment.
    hooks.register_after_restore(random.seed)


def before_snapshot(prepare: Callable[[], object]) -> None:
    """Run `prepare` at the end of the initialisation that Lambda takes a snapshot of.

    An error is logged, as it would fail the deploy: what could not be prepared is made by the first request.
    """
    if hooks is not None:
        hooks.register_before_snapshot(_prepared, prepare)


def after_restore(renew: Callable[[], object]) -> None:
    """Run `renew` in each environment that was started from the snapshot, before its first request.

    It has ten seconds, and an error fails the request: it must not wait for another service.
    """
    if hooks is not None:
        hooks.register_after_restore(renew)


def _prepared(prepare: Callable[[], object]) -> None:
    from flexchat.observability import logger, stack_of  # the page has no other use of it

    try:
        prepare()
    except Exception as exc:  # noqa: BLE001 # no error of a warm-up may fail a deploy
        logger.error("snapshot not prepared", error=type(exc).__name__, stack=stack_of(exc))
    else:
        logger.info("snapshot prepared")
