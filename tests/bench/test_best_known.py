from collections import Counter

from splitroute.bench.best_known import (
    OPTIMALITY_TOLERANCE,
    literature,
    read_best_known,
    reference_value,
)
from splitroute.bench.filo2 import filo2
from splitroute.bench.paper import paper


def test_the_paper_has_81_rows() -> None:
    assert len(paper()) == 81
    assert paper()["SET-3", "p04_3070"].pasa_gap == 1.67


def test_best_known_values_cover_both_metrics_of_85_instances() -> None:
    rows = read_best_known()
    assert len(rows) == 170
    assert {metric for _, metric in rows} == {"dimacs", "exact"}


def test_no_best_known_value_is_above_the_challenge() -> None:
    for row in read_best_known().values():
        if row.dimacs:
            assert float(row.value) <= float(row.dimacs)


def test_no_lower_bound_is_above_the_value() -> None:
    for row in read_best_known().values():
        if row.bound:
            assert float(row.bound) <= float(row.value) * (1 + 1e-6)
            is_optimal = row.optimality_gap(float(row.bound)) <= OPTIMALITY_TOLERANCE
            assert (row.proven == "yes") == is_optimal


def test_published_values_cover_mixed_fleets_and_depots() -> None:
    counts = Counter(set_name for set_name, _ in literature())
    assert counts == {"solomon": 17, "hfvrp": 40, "mdvrp": 32}
    assert reference_value("literature", "mdvrp", "p01", "exact") == 576.87
    assert reference_value("literature", "mdvrp", "p01", "dimacs") is None


def test_published_values_of_the_belgian_set_are_in_metric_dimacs() -> None:
    assert len(filo2()) == 10
    for (set_name, name), published in filo2().items():
        best = reference_value("literature", set_name, name, "dimacs")
        assert best == published.best_known
        assert best <= published.best_cost <= published.mean_cost
        assert reference_value("literature", set_name, name, "exact") is None
