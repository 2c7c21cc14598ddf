// Vehicle types, depots and rules of customers as fields of a form.
//
// A row holds what is written in the fields; `withRules` turns it into the instance of a file. The
// service checks the values and names those that are invalid by their path in the file.

import type { Customer, Depot, ErrorItem, Instance } from "./api";
import { inForm } from "./messages";
import { depotId, isClock } from "./scene";
import { parseWindows, windowText, windowsText } from "./times";

export type Value = string | number | boolean | string[] | null;
export type Row = Record<string, Value>;
type Kind = "text" | "number" | "windows" | "window" | "check" | "types" | "depot";

export interface Field {
  name: string; // as in the file
  label: string;
  kind: Kind;
  placeholder?: string;
  step?: number; // 1 for whole numbers
  unit?: "time" | "distance";
}

const count = (name: string, label: string, placeholder: string): Field => ({
  name, label, kind: "number", placeholder, step: 1,
});
const amount = (name: string, label: string, placeholder: string, unit?: Field["unit"]): Field => ({
  name, label, kind: "number", placeholder, unit,
});

export const MAIN_VEHICLE_FIELDS: Field[] = [
  { name: "type", label: "Type", kind: "text", placeholder: "van" },
  count("count", "Count", "no limit"),
  amount("capacity", "Capacity", ""),
];
export const VEHICLE_FIELDS: Field[] = [
  { name: "depot", label: "Depot", kind: "depot" },
  { name: "end_depot", label: "Ends at", kind: "depot" },
  { name: "shift", label: "Shift", kind: "window" },
  count("max_trips", "Trips, at most", "1"),
  amount("fixed_cost", "Cost per vehicle used", "0"),
  amount("cost_per_distance", "Cost per distance", "1"),
  amount("cost_per_time", "Cost per time", "0"),
  amount("max_distance", "Distance per trip, at most", "no limit", "distance"),
  amount("max_duration", "Duration per trip, at most", "no limit", "time"),
  count("max_stops", "Stops per trip, at most", "no limit"),
  amount("min_load", "Load per trip, at least", "0"),
  amount("loading", "Loading between trips", "0", "time"),
  amount("loading_per_unit", "Loading per unit", "0", "time"),
];
export const CUSTOMER_FIELDS: Field[] = [
  { name: "windows", label: "Open", kind: "windows" },
  amount("service", "Unloading per visit", "0", "time"),
  amount("service_per_unit", "Unloading per unit", "0", "time"),
  amount("min_drop", "Smallest delivery", "0"),
  amount("lot", "Deliveries in multiples of", ""),
  count("max_visits", "Visits, at most", "no limit"),
  amount("extra_visit_cost", "Cost per extra visit", "0"),
  amount("penalty", "Penalty per undelivered unit", "mandatory"),
  { name: "vehicle_types", label: "Vehicle types", kind: "types" },
  { name: "unsplittable", label: "in one visit only", kind: "check" },
];
export const DEPOT_FIELDS: Field[] = [{ name: "windows", label: "Open", kind: "windows" }];

/** Label of a field, with the unit where times are minutes and distances km. */
export const labelOf = ({ label, unit }: Field, isGlobe: boolean): string =>
  unit && isGlobe ? `${label} (${unit === "time" ? "min" : "km"})` : label;

/** Text in an empty field. */
export function placeholderOf({ kind, placeholder }: Field, clock: boolean): string {
  if (kind === "windows") return clock ? "08:00-12:00, 14:00-18:00" : "0-40, 60-100";
  return kind === "window" ? (clock ? "06:00-14:00" : "0-100") : (placeholder ?? "");
}

export interface Rules {
  fleet: Row[]; // empty if vehicles differ in nothing
  depots: Row[]; // at least one
  all: Row; // rules of every customer
  own: Record<number, Row>; // of single customers, by their index
  speed: number | null;
  partial: boolean;
}

export const noRules = (): Rules => ({ fleet: [], depots: [], all: {}, own: {}, speed: null, partial: false });

/** Write what an instance states into the fields. */
export function rulesOf(instance: Instance): Rules {
  const clock = isClock(instance);
  const [x, y] = instance.metric === "haversine" ? (["lat", "lon"] as const) : (["x", "y"] as const);
  const depots: Depot[] = instance.depots?.length ? instance.depots : [instance.depot ?? {}];
  const rows = instance.customers.map((customer) => customerRow(customer, clock));
  const names = CUSTOMER_FIELDS.map(({ name }) => name);
  // What all customers have in common is written once.
  const all = Object.fromEntries(
    names.filter((name) => rows.every((row) => same(row[name], rows[0][name]))).map((name) => [name, rows[0]?.[name] ?? null]),
  );
  const own = rows.map((row) => pick(row, names.filter((name) => !isEmpty(row[name]) && !(name in all))));
  return {
    fleet: (Array.isArray(instance.vehicles) ? instance.vehicles : []).map((vehicle) => ({
      ...pick(vehicle as unknown as Row, [...MAIN_VEHICLE_FIELDS, ...VEHICLE_FIELDS].map(({ name }) => name)),
      shift: vehicle.shift ? windowText(vehicle.shift, clock) : null,
    })),
    depots: depots.map((depot, k) => ({
      id: depotId(depots, k),
      x: depot[x] ?? null,
      y: depot[y] ?? null,
      windows: windowsText(depot.windows ?? [], clock) || null,
    })),
    all,
    own: Object.fromEntries([...own.entries()].filter(([, row]) => Object.keys(row).length)),
    speed: instance.speed ?? null,
    partial: instance.partial ?? false,
  };
}

function customerRow(customer: Customer, clock: boolean): Row {
  return {
    ...pick(customer as unknown as Row, CUSTOMER_FIELDS.map(({ name }) => name)),
    windows: windowsText(customer.windows ?? [], clock) || null,
    unsplittable: customer.splittable === false,
  };
}

/** Return the instance with the rules in the fields instead of its own. */
export function withRules(instance: Instance, rules: Rules): object {
  const { depot: _depot, depots: _depots, capacity, vehicles, speed: _speed, ...others } = instance;
  const [x, y] = instance.metric === "haversine" ? ["lat", "lon"] : ["x", "y"];
  const hasRules = CUSTOMER_FIELDS.map(({ name }) => name);
  return {
    ...others,
    ...(rules.fleet.length
      ? { vehicles: rules.fleet.map(vehicleOf) }
      : { capacity, ...(Array.isArray(vehicles) ? {} : { vehicles }) }),
    depots: rules.depots.map((row) => ({
      id: row.id, [x]: row.x, [y]: row.y, ...(isEmpty(row.windows) ? {} : { windows: windowsOf(row.windows) }),
    })),
    customers: instance.customers.map((customer, k) => {
      const place = Object.fromEntries(
        Object.entries(customer).filter(([name]) => name !== "splittable" && !hasRules.includes(name)),
      );
      return { ...place, ...rulesOfCustomer({ ...rules.all, ...rules.own[k] }) };
    }),
    ...(rules.speed === null ? {} : { speed: rules.speed }),
    partial: rules.partial,
  };
}

function vehicleOf({ shift, ...row }: Row): object {
  return { ...filled(row), ...(isEmpty(shift) ? {} : { shift: windowsOf(shift)[0] ?? shift }) };
}

function rulesOfCustomer({ windows, unsplittable, ...row }: Row): object {
  return {
    ...filled(row),
    ...(isEmpty(windows) ? {} : { windows: windowsOf(windows) }),
    ...(unsplittable ? { splittable: false } : {}),
  };
}

// A text that is no window is passed on: the service says what is wrong with it.
const windowsOf = (text: Value) => parseWindows(String(text)) ?? [[text, text]];

const isEmpty = (value: Value | undefined) =>
  value === undefined || value === null || value === "" || value === false || (Array.isArray(value) && !value.length);
const filled = (row: Row) => Object.fromEntries(Object.entries(row).filter(([, value]) => !isEmpty(value)));
const pick = (row: Row, names: string[]): Row =>
  Object.fromEntries(names.filter((name) => !isEmpty(row[name])).map((name) => [name, row[name]]));
const same = (a: Value | undefined, b: Value | undefined) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** Whether an instance has any rules beyond capacity and a number of vehicles. */
export const hasRules = ({ fleet, depots, all, own, speed, partial }: Rules): boolean =>
  fleet.length > 0 ||
  depots.length > 1 ||
  depots.some((row) => !isEmpty(row.windows)) ||
  Object.values(all).some((value) => !isEmpty(value)) ||
  Object.keys(own).length > 0 ||
  speed !== null ||
  partial;

/** Describe the rules of one customer in a few words. */
export const describeRules = (row: Row): string =>
  CUSTOMER_FIELDS.filter(({ name }) => !isEmpty(row[name]))
    .map(({ name, label, kind }) => {
      const value = row[name];
      return kind === "check" ? label : `${label.toLowerCase()} ${Array.isArray(value) ? value.join(", ") : value}`;
    })
    .join("; ");

/** Return the messages by the keys of their fields; the first one for each. */
export function errorsOf(errors: ErrorItem[], rules: Rules): Record<string, string> {
  const found: Record<string, string> = {};
  for (const item of errors) {
    const key = item.path && fieldOf(item.path, rules);
    const detail = item.detail.replace(/^[a-z_]+(\[\d+\])[^:]*: /, "");
    if (key) found[key] ??= inForm({ ...item, detail, line: null });
  }
  return found;
}

/** Return the key of the field for a path in the file, such as `vehicles[0].capacity`. */
function fieldOf(path: string, rules: Rules): string | null {
  const match = /^(vehicles|depots|customers)\[(\d+)\]\.?([a-z_]*)/.exec(path);
  if (!match) return path === "speed" || path === "partial" ? path : null;
  const [, list, index, found] = match;
  const name = found === "splittable" ? "unsplittable" : ["lat", "lon"].includes(found) ? { lat: "x", lon: "y" }[found]! : found;
  if (list !== "customers") return `${list}.${index}.${name}`;
  const isOwn = rules.own[Number(index)] && name in rules.own[Number(index)];
  return isOwn ? `customers.${index}.${name}` : `customers.all.${name}`;
}
