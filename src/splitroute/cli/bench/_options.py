"""Options of several `bench` commands, and the results they select."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from splitroute.cli._options import INPUT, option
from splitroute.errors import InputError
from splitroute.registry import check_choice

if TYPE_CHECKING:
    from splitroute.bench.results import Results

Records = Annotated[
    list[Path], option("--records", INPUT, "Records (JSON lines); may be repeated.", "FILE")
]
Reference = Annotated[
    str | None,
    option(
        "--reference",
        INPUT,
        "Best known values for gaps: paper, challenge, own, literature or runs.",
        "NAME",
    ),
]
Methods = Annotated[
    str | None, option("--methods", INPUT, "Only these methods, in this order: A,B,...", "LIST")
]
Data = Annotated[Path | None, option("--data", INPUT, "Folder with one folder per set.", "FOLDER")]


def load_results(
    records: list[Path],
    reference: str | None = None,
    methods: str | None = None,
    full: bool = False,
) -> "list[Results]":
    """Return the results of each metric in the records."""
    from splitroute.bench.records import read_records
    from splitroute.bench.results import results_by_metric

    check_reference(reference)
    selected = split_list(methods or "")
    results = results_by_metric(read_records(records, full=full), reference, selected)
    if not results:
        message = f"no records in {', '.join(map(str, records))}"
        raise InputError(message, code="no_records", field="records")
    return results


def check_reference(reference: str | None) -> None:
    """Raise InputError unless the reference is known."""
    from splitroute.bench.results import REFERENCES

    if reference is not None:
        check_choice(list(REFERENCES), "reference", reference)


def split_list(text: str) -> list[str]:
    """Return the items of a comma-separated list."""
    return [item.strip() for item in text.split(",") if item.strip()]
