// Files of users: format, encoding and name.
import type { Source } from "./request";
import { tableOf, type Tables } from "./tables";

export type Format = "coordlist" | "cordeau" | "csv" | "geojson" | "json" | "solomon" | "vrplib" | "workbook";

const FORMATS: Record<string, Format> = {
  csv: "csv",
  tsv: "csv",
  geojson: "geojson",
  vrp: "vrplib",
  sd: "coordlist",
  cri: "coordlist",
};
const WORKBOOKS = ["xlsx", "xlsm", "ods"];

/** Return the format of a file by its suffix, or else by its content. */
function formatOf(name: string, text: string): Format {
  const suffix = name.toLowerCase().split(".").pop() ?? "";
  if (suffix in FORMATS) return FORMATS[suffix];
  if (/^\s*\{/.test(text)) return /^\s*\{[^]{0,2000}?"type"\s*:\s*"FeatureCollection"/.test(text) ? "geojson" : "json";
  if (/^\s*(NAME|TYPE|DIMENSION|CAPACITY|COMMENT)\s*:/im.test(text) && /NODE_COORD|EDGE_WEIGHT/.test(text)) {
    return "vrplib";
  }
  if (/^\s*VEHICLE\s*$[^]*?^\s*CUSTOMER\s*$/im.test(text.slice(0, 2000))) return "solomon";
  // Type, vehicles, customers and depots; then the longest duration and the capacity of each depot.
  if (/^\s*[0-7]\s+\d+\s+\d+\s+\d+\s*\n\s*\d+\s+\d+\s*\n/.test(text)) return "cordeau";
  const first = text.split("\n").find((line) => line.trim() && !line.trim().startsWith("#")) ?? "";
  return /[a-z]/i.test(first) ? "csv" : "coordlist";
}

const stem = (name: string) => name.replace(/\.[^.]*$/, "").slice(0, 100);

/** Decode UTF-16 by its byte order mark, else UTF-8, else Windows-1252. */
function decode(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes.slice(0, 2));
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

export class UnreadableFileError extends Error {}

/** Return the text of a file, or say why it has none. */
export async function fileText(file: File): Promise<string> {
  let text: string;
  try {
    text = decode(await file.arrayBuffer());
  } catch {
    throw new UnreadableFileError(`${file.name} cannot be read.`);
  }
  if (text.includes("\0")) {
    throw new UnreadableFileError(`${file.name} is not a text file. In a spreadsheet, save it as .xlsx, .ods or CSV.`);
  }
  if (!text.trim()) throw new UnreadableFileError(`${file.name} is empty.`);
  return text;
}

/** Return the content of a file in Base64. */
async function base64(file: File): Promise<string> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new UnreadableFileError(`${file.name} cannot be read.`));
    reader.readAsDataURL(file);
  });
  if (!file.size) throw new UnreadableFileError(`${file.name} is empty.`);
  return url.slice(url.indexOf(",") + 1);
}

export interface Upload {
  customers: Source | null;
  tables: Tables;
}

/** Read files at once: customers, and tables of vehicle types and depots. */
export async function readFiles(files: File[]): Promise<Upload> {
  let customers: { source: Source; name: string } | null = null;
  const tables: Tables = {};
  for (const file of files) {
    const isWorkbook = WORKBOOKS.includes(file.name.toLowerCase().split(".").pop() ?? "");
    const text = isWorkbook ? await base64(file) : await fileText(file);
    const format = isWorkbook ? "workbook" : formatOf(file.name, text);
    const table = format === "csv" ? tableOf(file.name, text, files.length === 1) : null;
    if (table && tables[table]) throw new UnreadableFileError(`${file.name} is the second table of its kind.`);
    if (table) tables[table] = text;
    else if (customers) throw new UnreadableFileError(`${customers.name} and ${file.name} both hold customers; choose one.`);
    else customers = { source: { format, text, name: stem(file.name) }, name: file.name };
  }
  return { customers: customers?.source ?? null, tables };
}

export const pastedSource = (text: string): Source => ({
  format: formatOf("", text),
  text,
  name: "pasted",
});
