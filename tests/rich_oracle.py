"""The optimum of a tiny instance with rules, by enumeration that shares nothing with the package.

A dynamic program over what each customer has received combines all vehicles of `rich_trips`.
Costs and times are computed here, from the fields of the instance.
"""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any, NamedTuple

import numpy as np

import splitroute as sr
from rich_trips import TICKS, TOLERANCE, Effect, Label, Trips, Visits, has_timetable

Integers = np.ndarray[Any, np.dtype[np.int64]]
Floats = np.ndarray[Any, np.dtype[np.float64]]
Layer = tuple[int, list[Label], Integers, Integers]  # type, vehicles, state before, choice


class Optimum(NamedTuple):
    """The smallest mandatory quantity undelivered, the lowest cost with it, and a solution."""

    undelivered: int
    cost: float
    solution: sr.Solution


def optimum(instance: sr.Instance) -> Optimum:
    """Return an optimal solution, delivering as much as possible of the mandatory demand."""
    return _Combination(instance).best()


class _Combination:
    """Dynamic program over what each customer has received, one vehicle after another."""

    def __init__(self, instance: sr.Instance) -> None:
        self.instance = instance
        self.rules = Visits(instance)
        self.states = [self.rules.states(c) for c in range(len(instance.customers))]
        shape = [len(states) for states in self.states]
        self.index = np.indices(shape).reshape(len(shape), -1)
        self.strides = [math.prod(shape[c + 1 :]) for c in range(len(shape))]
        self.count = math.prod(shape)

    def best(self) -> Optimum:
        costs = np.full(self.count, np.inf)
        costs[0] = 0.0
        layers: list[Layer] = []
        total = sum(customer.demand for customer in self.instance.customers)
        for number, vehicle in enumerate(self.instance.vehicle_types):
            vehicles = Trips(self.instance, vehicle, self.rules).vehicles()
            if not vehicles:
                continue
            sources, prices = self._transitions(vehicles)
            labels = list(vehicles.values())
            for _ in range(total if vehicle.count is None else min(total, vehicle.count)):
                reached = np.append(costs, np.inf)[sources] + prices
                choice = reached.argmin(axis=0)
                lowest = reached[choice, np.arange(self.count)]
                is_better = lowest < costs - TOLERANCE
                if not is_better.any():
                    break
                layers.append((number, labels, sources, np.where(is_better, choice, -1)))
                costs = np.where(is_better, lowest, costs)
        undelivered, penalties = self._missing()
        costs = costs + penalties
        possible = np.where(np.isfinite(costs), undelivered, np.iinfo(np.int64).max)
        final = int(np.where(possible == possible.min(), costs, np.inf).argmin())
        solution = self._solution(layers, final)
        return Optimum(int(undelivered[final]), float(costs[final]), solution)

    def _transitions(self, vehicles: dict[Effect, Label]) -> tuple[Integers, Floats]:
        """By effect and state: the state before (the last for none), and the cost of the step."""
        effects = list(vehicles)
        sources = np.zeros((len(effects), self.count), dtype=np.int64)
        prices = np.repeat([[vehicles[e].cost] for e in effects], self.count, axis=1)
        is_possible = np.ones(sources.shape, dtype=bool)
        for c, states in enumerate(self.states):
            shares = sorted({effect[c] for effect in effects})
            steps = [self.rules.steps(c, states, share) for share in shares]
            before = np.array([step[0] for step in steps])
            extra = np.array([step[1] for step in steps])
            rows = np.array([shares.index(effect[c]) for effect in effects])
            mine = before[rows][:, self.index[c]]
            is_possible &= mine >= 0
            sources += mine * self.strides[c]
            prices += extra[rows][:, self.index[c]]
        return np.where(is_possible, sources, self.count), prices

    def _missing(self) -> tuple[Integers, Floats]:
        """By state: the mandatory quantity undelivered, and the penalties."""
        undelivered = np.zeros(self.count, dtype=np.int64)
        penalties = np.zeros(self.count)
        for c, customer in enumerate(self.instance.customers):
            missing = np.array([customer.demand - state[0] for state in self.states[c]])
            if customer.penalty is None:
                undelivered += missing[self.index[c]]
            else:
                price = customer.penalty * float(self.instance.unit)
                penalties += (missing * price)[self.index[c]]
        return undelivered, penalties

    def _solution(self, layers: list[Layer], state: int) -> sr.Solution:
        used: dict[int, int] = defaultdict(int)
        routes = []
        for number, labels, sources, choices in reversed(layers):
            choice = choices[state]
            if choice < 0:
                continue
            state = sources[choice, state]
            used[number] += 1
            routes += [
                sr.Route(tuple(sr.Visit(c + 1, q) for c, q in trip.visits), number, used[number],
                         k, trip.start / TICKS if has_timetable(self.instance) else None)
                for k, trip in enumerate(labels[choice].trips, 1)
            ]  # fmt: skip
        return sr.Solution(tuple(routes))
