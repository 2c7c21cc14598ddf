// Routes as trips of vehicles: names, loads, capacities and totals.

import type { Solution } from "./api";
import { number } from "./format";
import { typeOf, type Scene } from "./scene";

/** One trip of a vehicle. */
export interface Trip {
  k: number; // index of the route
  vehicle: number; // index of the vehicle among all that are used
  type: string;
  name: string; // of the vehicle and, if it has several, the trip
  load: number;
  capacity: number;
  percentFull: number;
}

/** A vehicle that is used, and the indices of its routes in the order of its trips. */
export interface Vehicle {
  type: string;
  name: string;
  routes: number[];
}

/** Return the vehicles of a solution; a route without a number has a vehicle of its own. */
export function vehiclesOf(scene: Scene, { routes }: Solution): Vehicle[] {
  const found = new Map<string, Vehicle>();
  routes.forEach((route, k) => {
    const kind = typeOf(scene, route);
    const type = kind?.type ?? "";
    const key = route.vehicle ? `${type} ${route.vehicle}` : `route ${k}`;
    const vehicle = found.get(key);
    if (vehicle) vehicle.routes.push(k);
    else {
      // As in report.py, the only vehicle of its type has no number: the type may be a licence plate.
      const name = type && route.vehicle && kind?.count !== 1 ? `${type} ${number(route.vehicle)}` : type;
      found.set(key, { type, name: name || `vehicle ${number(k + 1)}`, routes: [k] });
    }
  });
  const order = new Map(scene.types.map(({ type }, k) => [type, k]));
  const vehicles = [...found.values()];
  for (const vehicle of vehicles) {
    vehicle.routes.sort((a, b) => (routes[a].trip ?? 1) - (routes[b].trip ?? 1));
  }
  const rank = (vehicle: Vehicle) => order.get(vehicle.type) ?? 0;
  const numberOf = (vehicle: Vehicle) => routes[vehicle.routes[0]].vehicle ?? 0;
  return vehicles.sort((a, b) => rank(a) - rank(b) || numberOf(a) - numberOf(b));
}

/** Return the trips in the order of the routes. */
export function tripsOf(scene: Scene, solution: Solution): Trip[] {
  const trips: Trip[] = [];
  vehiclesOf(scene, solution).forEach(({ type, name, routes }, vehicle) => {
    routes.forEach((k, at) => {
      const route = solution.routes[k];
      const load = route.load ?? route.visits.reduce((sum, visit) => sum + visit.quantity, 0);
      const capacity = typeOf(scene, route)?.capacity ?? scene.instance.capacity ?? 0;
      trips[k] = {
        k,
        vehicle,
        type,
        name: routes.length > 1 ? `${name}, trip ${number(at + 1)}` : name,
        load,
        capacity,
        percentFull: (100 * load) / (capacity || 1),
      };
    });
  });
  return trips;
}

/** Return the number of customers with more than one visit; pass-throughs do not count. */
export function splitCustomers({ routes }: Solution): number {
  const visits = new Map<number, number>();
  for (const route of routes) {
    for (const { customer, quantity } of route.visits) {
      if (quantity > 0) visits.set(customer, (visits.get(customer) ?? 0) + 1);
    }
  }
  return [...visits.values()].filter((count) => count > 1).length;
}

/** Return the share of the capacity of all trips that is loaded. */
export function fillOf(trips: Trip[]): number {
  const total = (field: "load" | "capacity") => trips.reduce((sum, trip) => sum + trip[field], 0);
  return total("load") / (total("capacity") || 1);
}

/** Return the vehicles used of each type, with their number. */
export const usedByType = (vehicles: Vehicle[]): Map<string, number> =>
  vehicles.reduce(
    (counts, { type }) => counts.set(type, (counts.get(type) ?? 0) + 1),
    new Map<string, number>(),
  );

const PARTS = [
  ["fixed", "fixed"],
  ["distance", "distance"],
  ["time", "time"],
  ["extra_visits", "extra visits"],
  ["penalties", "penalties"],
] as const;

/** Return name and value of the parts of the cost, without zeros. */
export const costParts = (scene: Scene, { cost_parts: parts }: Solution): [string, number][] =>
  parts && scene.isPriced
    ? PARTS.map(([key, name]): [string, number] => [name, parts[key] ?? 0]).filter(([, value]) => value)
    : [];

/** Return what stays undelivered, and why. */
export function undeliveredOf(scene: Scene, { undelivered }: Solution) {
  const rows = undelivered ?? [];
  return {
    rows,
    quantity: rows.reduce((sum, row) => sum + row.quantity, 0),
    demand: scene.demands.reduce((sum, demand) => sum + demand, 0),
  };
}
