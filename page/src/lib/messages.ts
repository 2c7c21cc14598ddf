// Errors of the service in the words of the form, by the fields that they belong to.

import type { ApiError, ErrorItem } from "./api";
import { capitalised } from "./format";

// Messages that differ from those of the service, by error code.
const MESSAGES: Record<string, string> = {
  no_capacity: "Enter the capacity or, below, vehicle types; or add a first line '# capacity: 100' to the file.",
  no_depot: "The file has no depot. Enter it here, load a table of depots, or give one row of the file the id “depot”.",
  ambiguous_coordinates: "The file has both x and y and lat and lon. Choose which distances to use.",
};
// What a file may leave to the form, and where the form asks for it.
const MISSING: Record<string, string> = { no_capacity: "capacity", no_depot: "depots", unknown_vehicle_type: "fleet" };

const FIELDS = [
  "capacity", "vehicles", "seconds", "engine", "rule", "levels", "base", "seed", "metric", "unit", "roads", "fleet", "depots",
];

/** What the service says to programs, in the words of the form. */
export function inForm({ detail, code, line, cell }: ErrorItem): string {
  const place = cell ?? (line ? `line ${line}` : null);
  const words = detail.replace(
    /; partial=True delivers.*/,
    ". Tick “deliver as much as possible”, among the rules, to solve it anyway.",
  );
  const hint = code === "unknown_vehicle_type" ? ". Add it here, or load a table of vehicles." : "";
  return (MESSAGES[code ?? ""] ?? capitalised(place ? `${place}: ${words}` : words)) + hint;
}

/** Return the message of an error; several have a line each. */
export function messageOf({ message, errors }: ApiError): string {
  if (errors.length === 1) return inForm(errors[0]);
  return [message.split("\n")[0], ...errors.map(inForm)].join("\n");
}

/** Return what the file leaves to the form, by field; null if it has any other error. */
export function missingOf({ errors }: ApiError): Record<string, string> | null {
  if (!errors.every(({ code }) => code && code in MISSING)) return null;
  return Object.fromEntries(errors.map((item) => [MISSING[item.code!], inForm(item)]));
}

/** Return the field of the form that an error is about; "all" if it is not about the request. */
export function fieldOf({ field }: ApiError): string {
  const name = field?.split(".").pop() ?? "";
  return FIELDS.includes(name) ? name : field ? "instance" : "all";
}
