import type { Plugin } from "vite";

export function licences(packages: Set<string>, options: { write: boolean }): Plugin;
