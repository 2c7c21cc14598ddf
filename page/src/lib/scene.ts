// An instance as it is drawn: world coordinates of the depot (0) and the customers (1..n).

import type { Instance } from "./api";

export interface Scene {
  instance: Instance;
  globe: boolean;
  drawn: boolean; // there are places to draw
  x: Float64Array; // on the globe in [0, 1], as web maps have it; y goes down
  y: Float64Array;
  ids: string[];
  notes: string[]; // what the file says about them for people
  demands: number[];
  unit: string; // of costs
}

export function sceneOf(instance: Instance): Scene {
  const places = [instance.depot ?? {}, ...instance.customers];
  const globe = typeof places[0].lat === "number";
  const drawn = globe || typeof places[0].x === "number";
  const x = new Float64Array(places.length);
  const y = new Float64Array(places.length);
  places.forEach((place, k) => {
    x[k] = globe ? mercatorX(place.lon ?? 0) : (place.x ?? 0);
    y[k] = globe ? mercatorY(place.lat ?? 0) : -(place.y ?? 0);
  });
  return {
    instance,
    globe,
    drawn,
    x,
    y,
    ids: instance.customers.map((customer, k) => customer.id ?? String(k + 1)),
    notes: instance.customers.map((customer) => customer.note ?? ""),
    demands: instance.customers.map((customer) => customer.demand),
    unit: instance.metric === "haversine" ? " km" : "",
  };
}

const same = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  a.length === b.length && Array.prototype.every.call(a, (value, k) => value === b[k]);

/** Whether two are the same places with the same demands and vehicles. */
export const sameProblem = (a: Scene, b: Scene) =>
  same(a.x, b.x) &&
  same(a.y, b.y) &&
  same(a.demands, b.demands) &&
  a.instance.capacity === b.instance.capacity;

export const mercatorX = (lon: number) => (lon + 180) / 360;
export function mercatorY(lat: number): number {
  const sine = Math.sin((Math.max(-85, Math.min(85, lat)) * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}
export const lonOf = (x: number) => 360 * x - 180;
export const latOf = (y: number) => (360 / Math.PI) * Math.atan(Math.exp((0.5 - y) * 2 * Math.PI)) - 90;

const EARTH_KM = 2 * Math.PI * 6371; // as the metric has it

/** The length in world coordinates of a distance from the depot. */
export function worldLength(scene: Scene, distance: number): number {
  if (!scene.globe) return distance;
  const lat = (latOf(scene.y[0]) * Math.PI) / 180;
  return distance / (EARTH_KM * Math.cos(lat));
}
