"""The progress bar of a search, and its interruption by Ctrl-C."""

import math
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import typer
from rich.console import Console
from rich.progress import BarColumn, TextColumn
from rich.progress import Progress as RichProgress

from splitroute.cli._exit import INTERRUPTED
from splitroute.progress import Progress
from splitroute.report import cost_text, percent_text


class ProgressBar:
    """A listener that shows the progress and stops the search when the user interrupts it."""

    def __init__(self, seconds: float | None, visible: bool) -> None:
        console = Console(stderr=True)
        self._seconds = seconds
        self._bar = RichProgress(
            TextColumn("{task.description}"),
            BarColumn(),
            console=console,
            transient=True,
            disable=not visible or not console.is_terminal,
        )
        self._task = self._bar.add_task("starting", total=seconds)
        self._routes = 0
        self.interrupted = False

    def __call__(self, progress: Progress) -> bool:
        if progress.solution is not None:
            self._routes = len(progress.solution.routes)
        text = "no solution yet"
        if progress.cost < math.inf:
            text = f"best {cost_text(progress.cost)}"
            text += f", {self._routes} routes" if self._routes else ""
            if progress.bound:
                gap = max(0.0, 1 - progress.bound / progress.cost)
                text += f", lower bound {cost_text(progress.bound)} (gap {percent_text(gap)})"
        if self._seconds is not None:
            text += f", {max(0.0, self._seconds - progress.seconds):.0f} s left"
        self._bar.update(self._task, completed=progress.seconds, description=text)
        return self.interrupted

    @contextmanager
    def running(self) -> Iterator[None]:
        """Show the bar; Ctrl-C or SIGTERM stops the search, a second one ends the program."""

        def interrupt(signum: int, frame: FrameType | None) -> None:
            if self.interrupted:
                raise KeyboardInterrupt
            self.interrupted = True

        signals = (signal.SIGINT, signal.SIGTERM)
        handlers = {number: signal.signal(number, interrupt) for number in signals}
        try:
            with self._bar:
                yield
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)

    def exit_if_interrupted(self) -> None:
        """Exit with the code of an interruption, once the output is written."""
        if self.interrupted:
            raise typer.Exit(INTERRUPTED)


class RoadProgress:
    """A listener that shows how many blocks of a road server's table are done."""

    def __init__(self) -> None:
        self._console = Console(stderr=True)

    def __call__(self, done: int, total: int) -> None:
        if self._console.is_terminal:
            text = f"road server: {done} of {total} blocks" if done < total else ""
            self._console.print(f"\r{text:40}\r", end="", highlight=False)
