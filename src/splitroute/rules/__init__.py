"""Split rules, one file each: `run(instance, *, options...)` returns a SplitPlan."""

from typing import Protocol

from splitroute.instance import Instance
from splitroute.split_plan import SplitPlan


class Rule(Protocol):
    """The function `run` of every module of this folder."""

    def __call__(self, instance: Instance, /, **options: object) -> SplitPlan: ...
