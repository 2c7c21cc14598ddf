// A plugin that writes assets/licenses-*.txt: the licences of all packages in the built page. Packages that ship others
// inside of a single file are searched by its source map.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const PACKAGE = /.*\bnode_modules\/((?:@[^/]+\/)?[^/]+)/; // the innermost
const OTHERS = /^# Licenses of bundled dependencies.*/ms; // of Vite, which are not in the page

/** Collects packages; only the last of the builds, that of the page itself, writes. */
export function licences(packages, { write }) {
  return {
    name: "licences",
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk") continue;
        for (const [id, module] of Object.entries(chunk.modules))
          if (module.renderedLength > 0) collect(id, packages);
      }
      if (write) this.emitFile({ type: "asset", name: "licenses.txt", source: text(packages) });
    },
  };
}

function collect(id, packages) {
  if (id.startsWith("\0vite/")) packages.add("vite"); // helpers that load parts of the page
  const file = id.replace(/^\0|\?.*$/g, "");
  const name = PACKAGE.exec(file)?.[1];
  if (!name) return;
  packages.add(name);
  if (!existsSync(`${file}.map`)) return;
  for (const source of JSON.parse(readFileSync(`${file}.map`, "utf8")).sources) {
    const inside = PACKAGE.exec(source)?.[1];
    if (inside) packages.add(inside);
  }
}

function text(packages) {
  const notices = [...packages].sort().map(notice);
  return ["This page contains the following packages.\n", ...notices].join(`\n${"-".repeat(80)}\n\n`);
}

function notice(name) {
  const folder = join(import.meta.dirname, "node_modules", name);
  const { version, license, homepage, repository } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const files = readdirSync(folder);
  const texts = files.filter((file) => /^(licen[cs]e|notice|copying)/i.test(file)).map(read(folder));
  if (!texts.length) {
    const readme = files.filter((file) => /^readme/i.test(file)).map(read(folder)).join();
    texts.push(/^#+ licen[cs]e.*/ims.exec(readme)?.[0] ?? missing(name));
  }
  const own = texts.join("\n\n").replace(OTHERS, "").trim();
  return `${name} ${version}, ${license}\n${homepage ?? repository?.url ?? ""}\n\n${own}\n`;
}

const read = (folder) => (file) => readFileSync(join(folder, file), "utf8").trim();

function missing(name) {
  throw new Error(`${name} has no licence that could be shipped with the page`);
}
