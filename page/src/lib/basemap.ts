// Map tiles below the routes; loaded only if the operator has configured a tile server.

import { Map as BaseMap, setWorkerUrl } from "maplibre-gl";
import "maplibre-gl/dist/maplibre-gl.css";
import worker from "maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url";

import { latOf, lonOf } from "./scene";
import type { Box, View } from "./view";

const WORLD_SIZE = 512; // pixels at zoom 0

setWorkerUrl(worker);

export class Basemap {
  readonly #map: BaseMap;

  constructor(container: HTMLElement, tiles: string, attribution: string) {
    this.#map = new BaseMap({
      container,
      interactive: false, // it follows the canvas above
      attributionControl: { compact: false },
      style: {
        version: 8,
        sources: { tiles: { type: "raster", tiles: [tiles], tileSize: 256, attribution } },
        layers: [{ id: "tiles", type: "raster", source: "tiles" }],
      },
    });
  }

  follow(view: View, box: Box): void {
    this.#map.resize();
    this.#map.jumpTo({
      center: [
        lonOf((box.width / 2 - view.left) / view.scale),
        latOf((box.height / 2 - view.top) / view.scale),
      ],
      zoom: Math.log2(view.scale / WORLD_SIZE),
    });
    this.#map.redraw();
  }

  remove(): void {
    this.#map.remove();
  }
}
