// A map of tiles below the routes. Loaded only where the operator has set an address of tiles.

import { Map as BaseMap, setWorkerUrl } from "maplibre-gl";
import "maplibre-gl/dist/maplibre-gl.css";
import worker from "maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url";

import { latOf, lonOf } from "./scene";
import type { Box, View } from "./view";

const TILE = 512; // pixels of the world at zoom 0

setWorkerUrl(worker);

export class Basemap {
  readonly #map: BaseMap;

  constructor(container: HTMLElement, tiles: string, attribution: string) {
    this.#map = new BaseMap({
      container,
      interactive: false, // the routes above lead, and the map follows
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
      zoom: Math.log2(view.scale / TILE),
    });
    this.#map.redraw();
  }

  remove(): void {
    this.#map.remove();
  }
}
