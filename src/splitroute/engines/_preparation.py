"""What precedes a search: in large instances it takes a while, and a stop must not wait for it."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

from splitroute import _core
from splitroute.engines._incumbent import SLICE_SECONDS
from splitroute.progress import Listener, Progress
from splitroute.stop import TimeBudget

T = TypeVar("T")


def prepared(
    prepare: Callable[[], T],
    budget: TimeBudget,
    listener: Listener,
    cancellation: _core.Cancellation,
) -> T:
    """Return what `prepare` returns, which ends early once the cancellation is requested.

    The listener is called meanwhile. At its request, or when time is up, this is cancelled.
    """
    with ThreadPoolExecutor(1) as executor:
        future = executor.submit(prepare)
        try:
            while wait([future], timeout=SLICE_SECONDS).not_done:
                is_stopped = listener(Progress(budget.elapsed, 0, math.inf))
                if is_stopped or budget.remaining <= 0:
                    cancellation.request()
        except BaseException:  # such as KeyboardInterrupt
            cancellation.request()
            raise
        return future.result()
