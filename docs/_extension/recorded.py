"""Tables of the committed records of runs, and of the best known values."""

from collections.abc import Iterator
from pathlib import Path

from markup import table

from splitroute.bench.best_known import BestKnown, read_best_known
from splitroute.bench.records import read_records
from splitroute.bench.render import markdown
from splitroute.bench.results import results_by_metric
from splitroute.bench.tables import overview, tables

RECORDS = Path(__file__).parents[1] / "results" / "records.jsonl"
CONVENTIONS = {
    "exact": "distances as they are",
    "dimacs": "distances rounded, pass-through allowed",
}


def results() -> Iterator[str]:
    """Describe the recorded runs and the best known values."""
    for recorded in results_by_metric(read_records([RECORDS])):
        yield f"\n## Mean gaps\n\n{markdown(overview(recorded))}"
        for set_name, shown in zip(recorded.sets, tables(recorded), strict=True):
            yield f"\n## {set_name}\n\n{markdown(shown)}"
    rows = list(read_best_known().values())
    for metric, meaning in CONVENTIONS.items():
        yield f"\n## Best known values, {metric}\n\nMetric `{metric}`: {meaning}.\n"
        heads = ("instance", "cost", "source", "date", "lower bound", "optimality gap")
        yield from table(heads, [_cells(row) for row in rows if row.metric == metric])


def _cells(row: BestKnown) -> tuple[str, ...]:
    gap = "optimal" if row.proven == "yes" else ""
    if row.bound and not gap:
        gap = f"{100 * row.optimality_gap(float(row.bound)):.2f} %"
    return (row.instance, row.value, row.source, row.date, row.bound, gap)
