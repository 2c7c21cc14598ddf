"""Options for what commands write: files, standard output and driver sheets."""

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NamedTuple

from rich.console import Console

from splitroute import formats
from splitroute.cli import _options as o
from splitroute.cli._console import plain_console
from splitroute.cli._streams import DASH, STDOUT, destination
from splitroute.errors import InputError
from splitroute.instance import Instance
from splitroute.registry import names
from splitroute.solution import Solution

SUFFIXES = " ".join(formats.suffixes("solution", "dump"))
Kind = formats.Kind
Out = Annotated[
    list[Path] | None,
    o.option(
        "--out",
        o.OUTPUT,
        f"Save the solution, or print it (-); may be repeated: {SUFFIXES}",
        "FILE",
    ),
]
To = Annotated[
    str | None,
    o.option(
        "--to",
        o.OUTPUT,
        "Format of standard output (--out -); default: json.",
        "NAME",
        names(formats),
    ),
]
AnyFormat = Annotated[
    str | None,
    o.option(
        "--to",
        o.OUTPUT,
        "Format to write; default: by extension, json for -.",
        "NAME",
        names(formats),
    ),
]
Sheets = Annotated[
    Path | None,
    o.option("--sheets", o.OUTPUT, "Save driver sheets, a page per route to print.", "FILE.html"),
]
Date = Annotated[
    str | None,
    o.option(
        "--date",
        o.OUTPUT,
        "Day of the deliveries, such as 2026-11-17 or today; default: left blank.",
        "DAY",
    ),
]
Json = Annotated[
    bool, o.option("--json", o.OUTPUT, "Print the solution as JSON, like --out - does.")
]


class OutputFile(NamedTuple):
    """A file to write, or standard output; the extension is the format unless that is given."""

    path: Path
    format: str | None = None

    def check(
        self, kind: Kind, *, has_splits: bool = False, instance: Instance | None = None
    ) -> None:
        """Raise if the format cannot be written, or cannot hold the instance."""
        path = Path(STDOUT) if self.path == DASH else self.path
        formats.check_output_format(
            kind, path, self.format, has_splits=has_splits, instance=instance
        )

    def holds_date(self, kind: Kind, instance: Instance) -> bool:
        """Whether the file can state the day of the deliveries."""
        return formats.holds_date(kind, self.path, self.format, instance)

    def write(
        self,
        value: Instance | Solution,
        instance: Instance,
        about: Mapping[str, object] | None = None,
    ) -> None:
        """Write an instance, or a solution of the instance."""
        formats.write(
            value, destination(self.path), instance=instance, about=about, format=self.format
        )


def output_file(path: Path, format: str | None) -> OutputFile:
    """The file; the format is JSON for standard output unless another one is given."""
    return OutputFile(path, format or ("json" if path == DASH else None))


def parse_date(
    text: str | None, files: Iterable[OutputFile], kind: Kind, instance: Instance
) -> dict[str, str]:
    """Return the day of the deliveries as files have it, or nothing; raise if no file holds it."""
    if text is None:
        return {}
    try:
        day = datetime.date.today() if text == "today" else datetime.date.fromisoformat(text)
    except ValueError:
        message = f"date is {text!r}; it must be a day such as 2026-11-17, or today"
        raise InputError(message, field="date", value=text) from None
    if not any(file.holds_date(kind, instance) for file in files):
        message = f"date is {text!r}, but no file holds it; save --sheets, or a solution as .json"
        raise InputError(message, field="date", value=text)
    return {"date": day.isoformat()}


def console_for(paths: Iterable[Path]) -> Console:
    """A console on standard output, or on standard error if a file is written to the former."""
    return plain_console(stderr=DASH in paths, soft_wrap=True, highlight=False)


@dataclass(frozen=True)
class SolutionOutput:
    """Where a solution is written to, and what is printed."""

    out: Out = None
    to: To = None
    sheets: Sheets = None
    date: Date = None
    json: Json = False
    quiet: o.Quiet = False

    @property
    def is_silent(self) -> bool:
        """Whether neither progress nor a summary is shown."""
        return self.quiet or self.json

    @property
    def files(self) -> list[OutputFile]:
        """All files to write; the last one is standard output with --json."""
        return [
            *(output_file(p, self.to if p == DASH else None) for p in self.out or ()),
            *([OutputFile(self.sheets, "sheets")] if self.sheets else []),
            *([OutputFile(DASH, "json")] if self.json else []),
        ]

    @property
    def paths(self) -> list[Path]:
        """Paths of all files to write."""
        return [file.path for file in self.files]

    def check(self, instance: Instance, *, allows_splits: bool = True) -> dict[str, str]:
        """Raise before the search if a file could not be written after it; return the date."""
        has_splits = (allows_splits and instance.splittable) or any(
            customer.demand > instance.capacity for customer in instance.customers
        )
        for file in self.files:
            file.check("solution", has_splits=has_splits, instance=instance)
        if self.to is not None and DASH not in (self.out or ()):
            message = f"to is {self.to!r}; it is the format of standard output, --out -"
            raise InputError(message, field="to", value=self.to)
        return parse_date(self.date, self.files, "solution", instance)

    def write(self, instance: Instance, solution: Solution, about: Mapping[str, object]) -> None:
        """Write all files."""
        for file in self.files:
            file.write(solution, instance, about)


def saved_lines(paths: Iterable[Path]) -> list[str]:
    """A line for each file that was written."""
    return [f"saved {path}" for path in paths if path != DASH]
