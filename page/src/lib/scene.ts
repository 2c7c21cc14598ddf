// An instance in world coordinates: the depot is 0, customers are 1..n.

import type { Instance } from "./api";

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
}

export function sceneOf(instance: Instance): Scene {
  const places = [instance.depot ?? {}, ...instance.customers];
  const isGlobe = typeof places[0].lat === "number";
  const hasCoordinates = isGlobe || typeof places[0].x === "number";
  const x = new Float64Array(places.length);
  const y = new Float64Array(places.length);
  places.forEach((place, k) => {
    x[k] = isGlobe ? mercatorX(place.lon ?? 0) : (place.x ?? 0);
    y[k] = isGlobe ? mercatorY(place.lat ?? 0) : -(place.y ?? 0);
  });
  return {
    instance,
    isGlobe,
    hasCoordinates,
    x,
    y,
    ids: instance.customers.map((customer, k) => customer.id ?? String(k + 1)),
    notes: instance.customers.map((customer) => customer.note ?? ""),
    demands: instance.customers.map((customer) => customer.demand),
    unit: instance.metric === "haversine" ? " km" : "",
  };
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
