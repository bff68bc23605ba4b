"""Hooks of Lambda SnapStart: preparation before the snapshot and renewal after each restore.

Lambda initialises a published version once, when it is deployed, and starts every environment from that snapshot
(https://docs.aws.amazon.com/lambda/latest/dg/snapstart-runtime-hooks-python.html). Without SnapStart no hook runs:
a function imports and builds its parts on first use.

A snapshot may be weeks old when it is restored, and many environments start from the same one. It must contain no open
connection, no identifier and no state of a random generator that is used afterwards; expiry times are compared with the
wall clock.
"""

import gc
import random
from collections.abc import Callable

try:
    import snapshot_restore_py as hooks
except ImportError:  # part of Lambda's runtime; without it there is no snapshot
    hooks = None

if hooks is not None:
    # Else every environment would draw the same numbers, and their retries would coincide.
    hooks.register_after_restore(random.seed)


def before_snapshot(prepare: Callable[[], object]) -> None:
    """Run `prepare` and build all models, before Lambda takes the snapshot.

    This is the end of the initialization. An error is logged and does not fail the deploy: the first request prepares
    the rest.
    """
    if hooks is not None:
        hooks.register_before_snapshot(_prepared, prepare)


def after_restore(renew: Callable[[], object]) -> None:
    """Run `renew` in each environment that starts from the snapshot, before its first request.

    It has ten seconds, and an error fails the request: it must not call another service.
    """
    if hooks is not None:
        hooks.register_after_restore(renew)


def _prepared(prepare: Callable[[], object]) -> None:
    from flexchat.deferred_model import build_all_models  # the page function imports no models, and no logger
    from flexchat.observability import logger, stack_of

    try:
        prepare()
        build_all_models()
    except Exception as exc:  # noqa: BLE001 # an error here must not fail a deploy
        logger.error("snapshot not prepared", error=type(exc).__name__, stack=stack_of(exc))
    else:
        logger.info("snapshot prepared")
    # A later collection would read all objects of the snapshot, and so load its pages.
    gc.collect()
    gc.freeze()
