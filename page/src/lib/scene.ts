// An instance in world coordinates: the depot is 0, customers are 1..n, other depots follow.

import type { Depot, Instance, Route, Solution, VehicleType } from "./api";

export interface Scene {
  instance: Instance;
  isGlobe: boolean;
  hasCoordinates: boolean;
  x: Float64Array; // web Mercator in [0, 1] on the globe; y points down
  y: Float64Array;
  ids: string[];
  notes: string[];
  demands: number[];
  unit: string; // of costs
  isPriced: boolean; // costs are more than distances
  isClock: boolean; // times are minutes after midnight
  depots: { id: string; place: number }[];
  types: VehicleType[]; // empty if vehicles differ in nothing
}

export function sceneOf(instance: Instance): Scene {
  const depots: Depot[] = instance.depots?.length ? instance.depots : [instance.depot ?? {}];
  const [first, ...others] = depots;
  const places = [first, ...instance.customers, ...others];
  const isGlobe = typeof places[0].lat === "number";
  const hasCoordinates = isGlobe || typeof places[0].x === "number";
  const x = new Float64Array(places.length);
  const y = new Float64Array(places.length);
  places.forEach((place, k) => {
    x[k] = isGlobe ? mercatorX(place.lon ?? 0) : (place.x ?? 0);
    y[k] = isGlobe ? mercatorY(place.lat ?? 0) : -(place.y ?? 0);
  });
  const types = Array.isArray(instance.vehicles) ? instance.vehicles : [];
  const isPriced = types.some(isPricedType) || instance.customers.some((c) => c.extra_visit_cost || c.penalty);
  return {
    instance,
    isGlobe,
    hasCoordinates,
    x,
    y,
    ids: instance.customers.map((customer, k) => customer.id ?? String(k + 1)),
    notes: instance.customers.map((customer) => customer.note ?? ""),
    demands: instance.customers.map((customer) => customer.demand),
    unit: instance.metric === "haversine" && !isPriced ? " km" : "",
    isPriced,
    isClock: isClock(instance),
    depots: depots.map((_, k) => ({ id: depotId(depots, k), place: k ? instance.customers.length + k : 0 })),
    types,
  };
}

/** Return the id of a depot; those without one are numbered. */
export const depotId = (depots: Depot[], k: number): string =>
  depots[k].id ?? (depots.length === 1 ? "depot" : `depot${k + 1}`);

/** Whether times are minutes after midnight: on the globe, or if one is written as 08:30. */
export function isClock({ clock, metric, customers, depot, depots, vehicles }: Instance): boolean {
  const owners = [...customers, ...(depots ?? []), depot ?? {}];
  const times = [
    ...owners.flatMap(({ windows }) => windows ?? []),
    ...(Array.isArray(vehicles) ? vehicles.map(({ shift }) => shift ?? []) : []),
  ];
  return clock ?? (metric === "haversine" || times.flat().some((time) => typeof time === "string"));
}

const isPricedType = (type: VehicleType) =>
  !!type.fixed_cost || !!type.cost_per_time || (type.cost_per_distance ?? 1) !== 1;

/** Return the vehicle type of a route, if the instance has types. */
export const typeOf = (scene: Scene, route: Route): VehicleType | undefined =>
  scene.types.find(({ type }) => type === route.vehicle_type) ?? scene.types[0];

/** Return the places of the depots where a route starts and ends. */
export function depotsOf(scene: Scene, route: Route): [number, number] {
  const type = typeOf(scene, route);
  const placeOf = (id: string | null | undefined) =>
    scene.depots.find((depot) => depot.id === id)?.place ?? 0;
  const start = placeOf(type?.depot);
  return [start, type?.end_depot ? placeOf(type.end_depot) : start];
}

const areEqual = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  a.length === b.length && Array.prototype.every.call(a, (value, k) => value === b[k]);

/** Whether coordinates, demands and capacity are the same. */
export const isSameInstance = (a: Scene, b: Scene) =>
  areEqual(a.x, b.x) &&
  areEqual(a.y, b.y) &&
  areEqual(a.demands, b.demands) &&
  a.instance.capacity === b.instance.capacity;

export const mercatorX = (lon: number) => (lon + 180) / 360;
export function mercatorY(lat: number): number {
  const sine = Math.sin((Math.max(-85, Math.min(85, lat)) * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}
export const lonOf = (x: number) => 360 * x - 180;
export const latOf = (y: number) => (360 / Math.PI) * Math.atan(Math.exp((0.5 - y) * 2 * Math.PI)) - 90;

const EARTH_KM = 2 * Math.PI * 6371; // as in the haversine metric

/** Convert a distance from the depot to world coordinates. */
export function worldLength(scene: Scene, distance: number): number {
  if (!scene.isGlobe) return distance;
  const lat = (latOf(scene.y[0]) * Math.PI) / 180;
  return distance / (EARTH_KM * Math.cos(lat));
}

/** Return x and y of all that a map shows: the places, and the lines along the roads. */
export function pointsOf({ x, y, isGlobe }: Scene, solution: Solution | null): [Float64Array, Float64Array] {
  const lines = isGlobe ? (solution?.routes ?? []).flatMap((route) => route.geometry ?? []) : [];
  if (!lines.length) return [x, y];
  return [
    Float64Array.from([...x, ...lines.map(([lon]) => mercatorX(lon))]),
    Float64Array.from([...y, ...lines.map(([, lat]) => mercatorY(lat))]),
  ];
}
