"""The live line while jobs run."""

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


class Board:
    """The live line: jobs done and left, and what came last."""

    def __init__(self, total: int, console: Console, shown: bool) -> None:
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            disable=not shown or not console.is_terminal,
        )
        self._task = self._bar.add_task("running", total=total)
        self._best: dict[tuple[str, str], float] = {}

    def __call__(self, job: object, record: dict[str, object]) -> None:
        name, metric = str(record["instance"]), str(record["metric"])
        words = f"{name}: {record['status']}"
        cost = record["cost"]
        if isinstance(cost, int | float):
            best = min(self._best.get((name, metric), cost), cost)
            self._best[name, metric] = best
            words = f"{name}: {record['method']} {cost:,.2f}, best so far {best:,.2f}"
        self._bar.update(self._task, advance=1, description=words)

    def __enter__(self) -> "Board":
        self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.stop()
