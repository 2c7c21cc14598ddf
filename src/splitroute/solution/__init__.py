"""A solution: routes of visits with quantities, their times, and what they cost."""

from splitroute.solution.cost import (
    CostParts,
    cost,
    cost_parts,
    rank,
    route_costs,
    route_distances,
)
from splitroute.solution.reasons import Undelivered, explain_undelivered
from splitroute.solution.routes import (
    Route,
    Solution,
    Visit,
    route_depots,
    route_places,
    trips_of_vehicles,
    undelivered,
)
from splitroute.solution.schedule import (
    RouteTimes,
    VisitTimes,
    loading_time,
    timetable,
    with_departures,
)

__all__ = [
    "CostParts",
    "Route",
    "RouteTimes",
    "Solution",
    "Undelivered",
    "Visit",
    "VisitTimes",
    "cost",
    "cost_parts",
    "explain_undelivered",
    "loading_time",
    "rank",
    "route_costs",
    "route_depots",
    "route_distances",
    "route_places",
    "timetable",
    "trips_of_vehicles",
    "undelivered",
    "with_departures",
]
