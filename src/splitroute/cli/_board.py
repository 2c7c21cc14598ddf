"""The live lines while jobs run."""

from rich.console import Console, Group
from rich.live import Live
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from splitroute.bench.records import Record
from splitroute.bench.tasks import Job
from splitroute.report import cost_text

SHOWN = 8  # running jobs named, at most


class Board:
    """Jobs done, the time left, what is running, and what came last."""

    def __init__(self, total: int, console: Console, shown: bool) -> None:
        self._bar = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("jobs,"),
            TimeElapsedColumn(),
            TextColumn("so far,"),
            TimeRemainingColumn(),
            TextColumn("left"),
        )
        self._task = self._bar.add_task("", total=total)
        self._running: dict[str, str] = {}
        self._last = "starting"
        self._best: dict[tuple[str, str], float] = {}
        self._live = Live(self._shown(), console=console, transient=True)
        self._visible = shown and console.is_terminal

    def begun(self, job: Job) -> None:
        """A job has started."""
        self._running[job.key] = f"{job.case.name} {job.method.text}"
        self._live.update(self._shown())

    def ended(self, job: Job, record: Record) -> None:
        """A job has ended, one way or another."""
        self._running.pop(job.key, None)
        self._last = f"last: {record['instance']} {record['method']}: {record['status']}"
        if record["cost"] is not None:
            where = (record["instance"], record["metric"])
            best = self._best[where] = min(self._best.get(where, record["cost"]), record["cost"])
            self._last = (
                f"last: {record['instance']} {record['method']}: {cost_text(record['cost'])}, "
                f"best so far {cost_text(best)}"
            )
        self._bar.update(self._task, advance=1)
        self._live.update(self._shown())

    def _shown(self) -> Group:
        running = list(self._running.values())
        more = f" and {len(running) - SHOWN} more" if len(running) > SHOWN else ""
        lines = [Text(f"running: {', '.join(running[:SHOWN])}{more}")] if running else []
        return Group(self._bar, *lines, Text(self._last))

    def __enter__(self) -> "Board":
        if self._visible:
            self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._live.stop()
