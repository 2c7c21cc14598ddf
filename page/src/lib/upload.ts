// Files as people have them.

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
export function formatOf(name: string, text: string): Format {
  const ending = name.toLowerCase().split(".").pop() ?? "";
  if (ending in ENDINGS) return ENDINGS[ending];
  if (/^\s*\{/.test(text)) return "json";
  if (/^\s*(NAME|TYPE|DIMENSION|CAPACITY|COMMENT)\s*:/im.test(text) && /NODE_COORD|EDGE_WEIGHT/.test(text)) {
    return "vrplib";
  }
  const first = text.split("\n").find((line) => line.trim() && !line.trim().startsWith("#")) ?? "";
  return /[a-z]/i.test(first) ? "csv" : "coordlist";
}

export const stem = (name: string) => name.replace(/\.[^.]*$/, "").slice(0, 100);

/** The words of the service without what only its command line has. */
export function plain(detail: string): string {
  return detail
    .replace(/^the instance: /, "")
    .replace(/^[\w.]+: Input should be/, "It should be")
    .replace(/give --capacity, or /, "fill it in below, or give the file ")
    .replace(/, or --depot/, "")
    .replace(/--(\w+)/g, "$1");
}
