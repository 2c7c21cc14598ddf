// What the vehicles do when: driving, waiting, unloading and loading.

import type { Solution, Visit } from "./api";
import { vehiclesOf, type Vehicle } from "./routes";
import { typeOf, type Scene } from "./scene";
import { timeOf } from "./times";

export type Activity = "driving" | "waiting" | "unloading" | "loading";
export const ACTIVITIES: Activity[] = ["driving", "waiting", "unloading", "loading"];

export interface Segment {
  activity: Activity;
  from: number;
  to: number;
  route: number; // index
  visit: number | null; // index in the route; null for the way back and for loading
}

/** The bar of a vehicle. */
export interface Bar extends Vehicle {
  segments: Segment[];
}

export interface Timeline {
  bars: Bar[];
  from: number;
  to: number;
  totals: Record<Activity, number>;
  total: number;
}

/** Return the timeline of a solution, or null if it has no times. */
export function timelineOf(scene: Scene, solution: Solution): Timeline | null {
  const { routes } = solution;
  if (!routes.length || routes.some(({ start, end }) => start == null || end == null)) return null;
  const bars = vehiclesOf(scene, solution).map((vehicle) => ({
    ...vehicle,
    segments: vehicle.routes.flatMap((k, at) => tripSegments(scene, solution, k, at > 0)),
  }));
  const all = bars.flatMap((bar) => bar.segments);
  const totals = { driving: 0, waiting: 0, unloading: 0, loading: 0 };
  for (const { activity, from, to } of all) totals[activity] += to - from;
  return {
    bars,
    from: all.reduce((low, segment) => Math.min(low, segment.from), Infinity),
    to: all.reduce((high, segment) => Math.max(high, segment.to), -Infinity),
    totals,
    total: ACTIVITIES.reduce((sum, activity) => sum + totals[activity], 0),
  };
}

function tripSegments(scene: Scene, solution: Solution, k: number, isLater: boolean): Segment[] {
  const route = solution.routes[k];
  const segments: Segment[] = [];
  const add = (activity: Activity, from: number, to: number, visit: number | null) => {
    // A visit without duration is still a visit.
    if (to > from + MIN_WAIT || activity === "unloading") segments.push({ activity, from, to, route: k, visit });
  };
  let time = route.start!;
  if (isLater) {
    // Loading passes before every trip but the first.
    const type = typeOf(scene, route);
    const load = route.visits.reduce((sum, visit) => sum + visit.quantity, 0);
    const loading = timeOf(type?.loading ?? 0) + timeOf(type?.loading_per_unit ?? 0) * load;
    add("loading", time - loading, time, null);
  }
  route.visits.forEach((visit, at) => {
    const arrival = visit.arrival ?? time;
    const start = visit.start ?? arrival;
    const end = visit.end ?? start;
    add("driving", time, arrival, at);
    add("waiting", arrival, start, at);
    add("unloading", start, end, at);
    time = end;
  });
  add("driving", time, route.end!, null);
  return segments;
}

const MIN_WAIT = 1e-6; // less is rounding

/** Return how long a vehicle waits for the start of a visit. */
export function waitOf({ arrival, start }: Visit): number {
  const wait = (start ?? 0) - (arrival ?? start ?? 0);
  return wait > MIN_WAIT ? wait : 0;
}

/** Return the segment of a bar at a time; visits come first within the tolerance. */
export function segmentAt({ segments }: Bar, time: number, tolerance: number): Segment | null {
  const distance = ({ from, to }: Segment) => Math.max(from - time, time - to, 0);
  const near = segments.filter((segment) => distance(segment) <= tolerance);
  const visits = near.filter(({ activity }) => activity === "unloading");
  const closest = (among: Segment[]) =>
    among.reduce<Segment | null>((a, b) => (a && distance(a) <= distance(b) ? a : b), null);
  const inside = near.find((segment) => distance(segment) === 0 && segment.to - segment.from > 2 * tolerance);
  return inside ?? closest(visits) ?? closest(near);
}

/** Return the next visit of a bar after a segment, or the previous one before it. */
export function nextVisit({ segments }: Bar, current: Segment | null, step: 1 | -1): Segment | null {
  const visits = segments.filter(({ activity }) => activity === "unloading");
  const at = visits.findIndex(({ route, visit }) => route === current?.route && visit === current?.visit);
  if (at < 0) return (step > 0 ? visits[0] : visits.at(-1)) ?? null;
  return visits[at + step] ?? visits[at];
}

/** Return an SVG path of rectangles across a box of 1000 by 1, each at least as wide as `min`. */
export function pathOf(segments: Segment[], { from, to }: Timeline, min = 0): string {
  const scale = 1000 / (to - from || 1);
  return segments
    .map((segment) => {
      const width = (segment.to - segment.from) * scale;
      const x = (segment.from - from) * scale - Math.max(0, min - width) / 2;
      return `M${x.toFixed(2)} 0h${Math.max(min, width).toFixed(2)}v1h-${Math.max(min, width).toFixed(2)}z`;
    })
    .join("");
}

/** Return the time at a share of the width. */
export const timeAt = ({ from, to }: Timeline, share: number): number => from + share * (to - from);

/** Return a time as a share of the width in percent. */
export const shareOf = ({ from, to }: Timeline, time: number): number => (100 * (time - from)) / (to - from || 1);
