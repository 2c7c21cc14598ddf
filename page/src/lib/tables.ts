// Tables of vehicle types and depots, for files that lack them.

import type { ApiError, Columns } from "./api";
import { inForm } from "./messages";
import type { Source } from "./request";
import { MAIN_VEHICLE_FIELDS, VEHICLE_FIELDS, type Row, type Rules, type Value } from "./rules";
import { parseWindows } from "./times";

export interface Tables {
  fleet?: string; // CSV
  depots?: string;
}

const COLUMNS = [...MAIN_VEHICLE_FIELDS, ...VEHICLE_FIELDS].map(({ name }) => name).filter((name) => name !== "shift");

/** Return the titles of the columns of a CSV file. */
export function titlesOf(text: string): string[] {
  const lines = text.slice(0, 10_000).split(/\r?\n/);
  const header = lines.find((line) => line.trim() && !/^\s*"?(#|sep=)/i.test(line)) ?? "";
  return header.split(/[,;\t]/).map((title) => title.trim().replace(/^\uFEFF?"?|"$/g, "").toLowerCase());
}

const hasAny = (titles: string[], names: string[]) => names.some((name) => titles.includes(name));

/** Return which table a CSV file is, by its columns; null if it holds customers. */
export function tableOf(name: string, text: string, isAlone: boolean): keyof Tables | null {
  const titles = titlesOf(text);
  if (hasAny(titles, ["demand", "quantity", "qty"])) return null;
  if (titles.includes("type")) return "fleet";
  const isPlaces = hasAny(titles, ["x", "lat", "latitude"]);
  // Among several files, the customers are those with a demand.
  return isPlaces && (!isAlone || /depot/i.test(name)) ? "depots" : null;
}

/** Whether the places of a table are on the globe. */
export function isGlobeFile(source: Source | null, columns: Columns | null): boolean {
  if (columns) return "lat" in columns.columns && !("x" in columns.columns);
  const titles = source && "text" in source ? titlesOf(source.text) : [];
  return hasAny(titles, ["lat", "latitude"]) && !titles.includes("x");
}

/** Return what is written in the fields as tables. */
export function tablesOf({ fleet, depots }: Rules, isGlobe: boolean): Tables {
  return {
    ...(fleet.some(({ capacity }) => capacity != null) ? { fleet: fleetTable(fleet) } : {}),
    ...(depots.some(({ x, y }) => x != null || y != null) ? { depots: depotsTable(depots, isGlobe) } : {}),
  };
}

function fleetTable(rows: Row[]): string {
  const body = rows.map((row) => [...COLUMNS.map((name) => row[name]), ...windowCells(row.shift, 1)]);
  return csv([[...COLUMNS, "shift_start", "shift_end"], ...body]);
}

function depotsTable(rows: Row[], isGlobe: boolean): string {
  const pairs = Math.max(...rows.map((row) => windowCells(row.windows).length / 2));
  const titles = Array.from({ length: pairs }, (_, k) => [`open${k ? k + 1 : ""}`, `close${k ? k + 1 : ""}`]);
  const body = rows.map(({ id, x, y, windows }) => [id, x, y, ...windowCells(windows, pairs)]);
  return csv([["id", ...(isGlobe ? ["lat", "lon"] : ["x", "y"]), ...titles.flat()], ...body]);
}

/** Cells of opening and closing times. A text that is no window is passed on: the service says so. */
function windowCells(text: Value | undefined, pairs = 0): Value[] {
  const cells: Value[] = text ? (parseWindows(String(text))?.flat() ?? [text, text]) : [];
  return [...cells, ...Array<Value>(Math.max(0, 2 * pairs - cells.length)).fill(null)];
}

function csv(rows: (Value | undefined)[][]): string {
  const cell = (value: Value | undefined) => {
    // Three decimals could be taken for thousands.
    const text = typeof value === "number" ? String(value).replace(/\.\d{3}$/, "$&0") : String(value ?? "");
    return /[",;\n\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => row.map(cell).join(",") + "\n").join("");
}

const LISTS: Record<string, string> = { fleet: "vehicles", depots: "depots" };
const FIELDS: Record<string, string> = { shift_start: "shift", shift_end: "shift", lat: "x", lon: "y" };

/** Return the messages for one of these tables by the keys of their fields. */
export function cellErrors(error: ApiError, table: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const item of table in LISTS ? error.errors : []) {
    const match = /^(?:[a-z]+\[(\d+)\]\.)?([a-z_]+)/.exec(item.path ?? "");
    const line = item.line ?? error.line;
    if (!match || (match[1] === undefined && line === null)) continue;
    const name = /^(open|close)/.test(match[2]) ? "windows" : (FIELDS[match[2]] ?? match[2]);
    const detail = item.detail.replace(/^line \d+: /, "");
    found[`${LISTS[table]}.${match[1] ?? line! - 2}.${name}`] ??= inForm({ ...item, detail, line: null });
  }
  return found;
}
