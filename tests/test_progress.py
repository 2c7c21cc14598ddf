import splitroute as sr
from splitroute.generate import random_instance, set1
from splitroute.progress import Listener, ProgressRecorder
from splitroute.solution import cost
from splitroute.stop import TimeBudget


def record(
    instance: sr.Instance, listener: Listener | None = None, bound: float = 0.0
) -> ProgressRecorder:
    budget = TimeBudget(sr.Stop(seconds=1))
    return ProgressRecorder(instance, lambda solution: solution, listener, None, bound, budget)


def test_the_cheapest_merged_solution_is_kept() -> None:
    instance = set1(2)
    worse, better = (
        sr.solve(instance, rule=rule, stop=sr.Stop(iterations=300)).solution
        for rule in ("none", "free")
    )
    recorder = record(instance)
    listen = recorder.listener_for(sr.split(instance, "free"))
    for seconds, solution in enumerate((worse, better)):
        listen(sr.Progress(seconds, 1, cost(instance, solution), solution))
    assert recorder.best_of(worse) == better
    assert [point.cost for point in recorder.trace(cost(instance, worse))] == [
        cost(instance, worse)
    ]


def test_the_trace_ends_at_the_cost_of_the_result() -> None:
    instance = random_instance(6, low=0.3, high=0.7, seed=1)
    solution = sr.solve(instance, rule="none", stop=sr.Stop(iterations=100)).solution
    worse = sr.Solution.unsplit(instance, [[k] for k in range(1, 7)])
    recorder = record(instance)
    recorder.listener_for(sr.split(instance, "free"))(sr.Progress(0.0, 1, 0.0, solution))
    recorder.add(worse)
    assert [point.cost for point in recorder.trace(cost(instance, worse))] == [
        cost(instance, worse)
    ]


def test_the_listener_gets_each_improvement_once_with_the_bound(square: sr.Instance) -> None:
    seen: list[sr.Progress] = []
    recorder = record(square, seen.append, bound=5.0)
    solution = sr.Solution.unsplit(square, [[1], [2], [3], [4]])
    listen = recorder.listener_for(sr.split(square, "free"))
    for _ in range(2):
        assert not listen(sr.Progress(0.0, 7, cost(square, solution), solution))
    assert [progress.solution for progress in seen] == [solution, None]
    assert {(p.iterations, p.cost, p.bound) for p in seen} == {(7, cost(square, solution), 5.0)}


def test_a_stop_requested_by_the_listener_is_passed_on(square: sr.Instance) -> None:
    recorder = record(square, lambda progress: True)
    assert not recorder.should_stop
    assert recorder.listener_for(sr.split(square, "free"))(sr.Progress(0.0, 1, 9.0))
    assert recorder.is_stop_requested
    assert recorder.report_bound()


def test_the_baseline_is_reported_but_not_recorded(square: sr.Instance) -> None:
    seen: list[sr.Progress] = []
    recorder = record(square, seen.append)
    solution = sr.Solution.unsplit(square, [[1], [2], [3], [4]])
    recorder.report_baseline(sr.Progress(0.0, 1, cost(square, solution), solution))
    assert (seen[0].phase, seen[0].solution) == ("baseline", None)
    assert recorder.trace(cost(square, solution)) == ()


def test_the_trace_counts_the_iterations_of_all_searches(square: sr.Instance) -> None:
    recorder = record(square)
    plan = sr.split(square, "free")
    worse = sr.Solution.unsplit(square, [[1], [2], [3], [4]])
    better = sr.Solution.unsplit(square, [[1, 4], [2, 3]])
    recorder.listener_for(plan)(sr.Progress(0.0, 7, cost(square, worse), worse))
    recorder.listener_for(plan)(sr.Progress(0.0, 3, cost(square, better), better))
    trace = recorder.trace(cost(square, better))
    assert [(point.cost, point.iterations) for point in trace] == [
        (cost(square, worse), 7),
        (cost(square, better), 10),
    ]
