import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { licences } from "./licences.js";

const bundled = new Set<string>(); // packages in the page and in its worker

export default defineConfig({
  plugins: [svelte(), licences(bundled, { write: true })],
  worker: { plugins: () => [licences(bundled, { write: false })] },
  build: {
    // Into the Python package: wheels contain the page, so their users need no Node.
    outDir: "../src/splitroute/web/page",
    emptyOutDir: true,
    chunkSizeWarningLimit: 1200, // MapLibre, which is loaded only where there are map tiles
  },
  server: { proxy: { "/api": "http://127.0.0.1:8765", "/health": "http://127.0.0.1:8765" } },
});
