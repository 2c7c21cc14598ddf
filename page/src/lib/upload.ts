// Files as people have them.
import type { Source } from "./draft.svelte";

export type Format = "coordlist" | "csv" | "json" | "vrplib";

const ENDINGS: Record<string, Format> = {
  csv: "csv",
  tsv: "csv",
  json: "json",
  vrp: "vrplib",
  sd: "coordlist",
  cri: "coordlist",
};

/** What kind of file it is: by its name, or else by how it begins. */
function formatOf(name: string, text: string): Format {
  const ending = name.toLowerCase().split(".").pop() ?? "";
  if (ending in ENDINGS) return ENDINGS[ending];
  if (/^\s*\{/.test(text)) return "json";
  if (/^\s*(NAME|TYPE|DIMENSION|CAPACITY|COMMENT)\s*:/im.test(text) && /NODE_COORD|EDGE_WEIGHT/.test(text)) {
    return "vrplib";
  }
  const first = text.split("\n").find((line) => line.trim() && !line.trim().startsWith("#")) ?? "";
  return /[a-z]/i.test(first) ? "csv" : "coordlist";
}

const stem = (name: string) => name.replace(/\.[^.]*$/, "").slice(0, 100);

/** The text of a file: UTF-8 as a rule, UTF-16 if it says so, else as Windows writes it. */
function decoded(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes.slice(0, 2));
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Why a file cannot be taken, in words for people. */
export class Unreadable extends Error {}

export async function fileSource(file: File): Promise<Source> {
  let text: string;
  try {
    text = decoded(await file.arrayBuffer());
  } catch {
    throw new Unreadable(`${file.name} cannot be read.`);
  }
  if (text.includes("\0")) {
    throw new Unreadable(`${file.name} is not a text file. In a spreadsheet, save it as CSV first.`);
  }
  if (!text.trim()) throw new Unreadable(`${file.name} is empty.`);
  return { format: formatOf(file.name, text), text, name: stem(file.name) };
}

export const pastedSource = (text: string): Source => ({
  format: formatOf("", text),
  text,
  name: "pasted",
});
