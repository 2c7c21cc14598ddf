"""Engines, one file each: `run(instance, stop, seed, start, listener)` returns a Solution.

Where something else must be installed, `check()` raises unless it is; it takes what `run` takes to
find it. Solvers made by others run through `supervision`, so that none of them can bring the
caller down.
"""

from typing import Protocol

from splitroute.instance import Instance
from splitroute.progress import Listener
from splitroute.solution import Solution
from splitroute.stop import Stop


class Engine(Protocol):
    """What every module of this folder has under the name `run`."""

    def __call__(
        self,
        instance: Instance,
        stop: Stop,
        seed: int,
        start: Solution | None,
        listener: Listener,
        /,
        **options: object,
    ) -> Solution: ...
