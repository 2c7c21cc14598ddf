"""The live line while a search runs, and what Ctrl-C does meanwhile."""

import math
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import typer
from rich.console import Console
from rich.progress import BarColumn, TextColumn
from rich.progress import Progress as Bar

from splitroute.cli._exit import INTERRUPTED
from splitroute.progress import Progress
from splitroute.report import cost_text, share_text


class Watcher:
    """A listener that shows the progress and passes on the user's wish to stop."""

    def __init__(self, seconds: float | None, shown: bool) -> None:
        console = Console(stderr=True)
        self._seconds = seconds
        self._bar = Bar(
            TextColumn("{task.description}"),
            BarColumn(),
            console=console,
            transient=True,
            disable=not shown or not console.is_terminal,
        )
        self._task = self._bar.add_task("starting", total=seconds)
        self._routes = 0
        self.interrupted = False

    def __call__(self, progress: Progress) -> bool:
        if progress.solution is not None:
            self._routes = len(progress.solution.routes)
        words = "looking for a first solution"
        if progress.cost < math.inf:
            words = f"best {cost_text(progress.cost)}"
            words += f", {self._routes} routes" if self._routes else ""
            if progress.bound:
                gap = max(0.0, 1 - progress.bound / progress.cost)
                words += f", bound {cost_text(progress.bound)} ({share_text(gap)} less)"
        if self._seconds is not None:
            words += f", {max(0.0, self._seconds - progress.seconds):.0f} s left"
        self._bar.update(self._task, completed=progress.seconds, description=words)
        return self.interrupted

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Ctrl-C or SIGTERM asks the search to stop; a second one ends the program."""

        def interrupt(signum: int, frame: FrameType | None) -> None:
            if self.interrupted:
                raise KeyboardInterrupt
            self.interrupted = True

        before = {each: signal.signal(each, interrupt) for each in (signal.SIGINT, signal.SIGTERM)}
        try:
            with self._bar:
                yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)

    def exit_if_interrupted(self) -> None:
        """Ends the command, when its output is written, with the exit code of an interruption."""
        if self.interrupted:
            raise typer.Exit(INTERRUPTED)
