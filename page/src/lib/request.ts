// What the form submits: a file, values that override it, and options of the search.

import type { Instance, JobRequest } from "./api";
import type { Rules } from "./rules";

export type Source = JobRequest["instance"];

export const EFFORTS = [
  { name: "quick", seconds: 5, label: "5 seconds" },
  { name: "good", seconds: 30, label: "30 seconds" },
  { name: "best", seconds: 300, label: "5 minutes" },
];

export interface Options {
  rule: string;
  engine: string;
  levels: number;
  base: number;
  seed: number;
  seconds: number | null;
  roads: string; // name of a road server; empty for straight lines
  baseline: boolean;
  bound: boolean;
}

/** Values that complete or override those of one file. */
export interface Overrides {
  capacity: number | null;
  vehicles: number | null;
  unit: number | null;
  metric: string;
}
export const NO_OVERRIDES: Overrides = { capacity: null, vehicles: null, unit: null, metric: "" };

export const DEFAULT_OPTIONS: Options = {
  rule: "",
  engine: "native",
  levels: 2,
  base: 2,
  seed: 1,
  seconds: null,
  roads: "",
  baseline: true,
  bound: true,
};

/** Return the request to read a file with the overrides and rules of the form. */
export function readRequest(file: Source, hasFleet: boolean, overrides: Overrides, rules: Rules): JobRequest {
  const { unit, metric } = overrides;
  // A fleet has its own capacities and counts.
  const capacity = hasFleet ? null : overrides.capacity;
  const vehicles = hasFleet ? null : overrides.vehicles;
  const fileOverrides = {
    ...(capacity === null ? {} : { capacity }),
    ...(unit === null ? {} : { unit }),
  };
  return {
    instance: "text" in file ? { ...file, ...fileOverrides } : file,
    metric: (metric || null) as JobRequest["metric"],
    vehicles,
    ...(rules.partial ? { partial: true } : {}),
    ...(rules.speed ? { speed: rules.speed } : {}),
  };
}

/** Return the part of a request that says how to solve. */
export function searchRequest({ rule, engine, seed, levels, base, bound, baseline }: Options, seconds: number): Partial<JobRequest> {
  return {
    seconds,
    seed,
    engine,
    rule: rule || null,
    bound: bound ? seconds : 0,
    baseline: baseline && rule !== "none",
    ...(rule === "pasa" ? { levels, base } : {}),
  };
}

/** Return the instance that rules can be added to, with the tables of its file that the service leaves out. */
export function baseOf(instance: Instance, source: Source): Instance | null {
  const isJson = "format" in source && source.format === "json";
  const { matrix, durations, roads } = isJson ? JSON.parse(source.text) : ({} as Partial<Instance>);
  if (instance.metric !== "matrix") return { ...instance, durations };
  return matrix ? { ...instance, matrix, durations, roads } : null;
}
