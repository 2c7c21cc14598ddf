"""The live display of `bench run`."""

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
from splitroute.bench.runs import Run
from splitroute.report import cost_text

MAX_LISTED = 8  # active runs


class RunDisplay:
    """Finished runs, remaining time, active runs and the last result."""

    def __init__(self, total: int, console: Console, shown: bool) -> None:
        self._bar = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("runs,"),
            TimeElapsedColumn(),
            TextColumn("elapsed,"),
            TimeRemainingColumn(),
            TextColumn("remaining"),
        )
        self._task = self._bar.add_task("", total=total)
        self._active: dict[str, str] = {}
        self._last = "starting"
        self._best: dict[tuple[str, str], float] = {}
        self._live = Live(self._lines(), console=console, transient=True)
        self._is_visible = shown and console.is_terminal

    def on_start(self, run: Run) -> None:
        """Add an active run."""
        self._active[run.key] = f"{run.benchmark.name} {run.method.name}"
        self._live.update(self._lines())

    def on_end(self, run: Run, record: Record) -> None:
        """Remove an active run and show its result."""
        self._active.pop(run.key, None)
        outcome = record["status"]
        if record["cost"] is not None:
            key = (record["instance"], record["metric"])
            best = self._best[key] = min(self._best.get(key, record["cost"]), record["cost"])
            outcome = f"{cost_text(record['cost'])}, best so far {cost_text(best)}"
        self._last = f"last: {record['instance']} {record['method']}: {outcome}"
        self._bar.update(self._task, advance=1)
        self._live.update(self._lines())

    def _lines(self) -> Group:
        active = list(self._active.values())
        more = f" and {len(active) - MAX_LISTED} more" if len(active) > MAX_LISTED else ""
        lines = [Text(f"running: {', '.join(active[:MAX_LISTED])}{more}")] if active else []
        return Group(self._bar, *lines, Text(self._last))

    def __enter__(self) -> "RunDisplay":
        if self._is_visible:
            self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._live.stop()
