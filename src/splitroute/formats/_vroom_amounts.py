"""Amounts of a request of VROOM as whole units of an instance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from splitroute.errors import InputError
from splitroute.formats._vroom_models import JobModel, RequestModel, VehicleModel


@dataclass(frozen=True)
class Amounts:
    """How amounts become demands.

    An instance visits nobody without a demand. Jobs without an amount demand one unit, which is so
    small that the units of all of them together are less than an amount of 1.
    """

    scale: int  # units per amount of 1
    without: int  # jobs without an amount
    is_pickup: bool
    has_capacity: bool  # whether the request states any amounts

    @classmethod
    def of(cls, request: RequestModel) -> Amounts:
        """Return the amounts of a request, which must have one dimension at most."""
        kinds = set()
        for path, amounts, kind in _stated(request):
            if len(amounts) > 1:
                message = f"{path} has {len(amounts)} dimensions; only one is supported"
                raise InputError(message, code="unsupported", field=path, value=len(amounts))
            if kind and any(amounts):
                kinds.add(kind)
            if len(kinds) > 1:
                message = f"{path}: deliveries and pickups in one request are not supported"
                raise InputError(message, code="unsupported", field=path)
        is_pickup = kinds == {"pickup"}
        has_capacity = any(True for _ in _stated(request))
        plain = cls(1, 0, is_pickup, has_capacity)
        without = sum(plain.amount(job) == 0 for job in request.jobs)
        is_mixed = 0 < without < len(request.jobs)
        return cls(10 ** len(str(without)) if is_mixed else 1, without, is_pickup, has_capacity)

    def amount(self, job: JobModel) -> int:
        """What is delivered, or picked up."""
        return sum((job.pickup if self.is_pickup else job.delivered) or ())

    def room(self, vehicle: VehicleModel) -> int:
        """The capacity of a vehicle."""
        return sum(vehicle.capacity or ())

    def demand(self, job: JobModel) -> int:
        """The demand of a job in units."""
        return self.amount(job) * self.scale or 1

    def capacity(self, vehicle: VehicleModel) -> int:
        """The capacity of a vehicle in units; jobs without an amount fit into any."""
        return max(1, self.room(vehicle) * self.scale + self.without)

    def delivered(self, job: JobModel, quantity: int) -> int:
        """The amount of a visit with a quantity in units."""
        return quantity // self.scale if self.amount(job) else 0


def _stated(request: RequestModel) -> Iterator[tuple[str, list[int], str]]:
    """Path, value and kind of all amounts."""
    for k, vehicle in enumerate(request.vehicles):
        if vehicle.capacity is not None:
            yield f"vehicles[{k}].capacity", vehicle.capacity, ""
    for k, job in enumerate(request.jobs):
        if job.delivered is not None:
            yield f"jobs[{k}].delivery", job.delivered, "delivery"
        if job.pickup is not None:
            yield f"jobs[{k}].pickup", job.pickup, "pickup"
