// Visible part of the world: pixels are world coordinates times scale, plus an offset.

export interface View {
  scale: number;
  left: number;
  top: number;
}

export interface Box {
  width: number;
  height: number;
}

const MARGIN = 36;

/** Fit all points with a margin. */
export function fitted(x: Float64Array, y: Float64Array, box: Box): View {
  const [west, east] = range(x);
  const [north, south] = range(y);
  const margin = Math.min(MARGIN, box.width / 8, box.height / 8);
  const scale = Math.min(
    (box.width - 2 * margin) / Math.max(east - west, 1e-12),
    (box.height - 2 * margin) / Math.max(south - north, 1e-12),
  );
  const finite = Number.isFinite(scale) && scale < 1e12 ? scale : 1;
  return {
    scale: finite,
    left: box.width / 2 - (finite * (west + east)) / 2,
    top: box.height / 2 - (finite * (north + south)) / 2,
  };
}

const NEIGHBOURS = 8;
const MAX_CLOSE_UP = 60; // relative to the view of all points

/** Centre a point, with its nearest neighbours in view. */
export function closeUp(x: Float64Array, y: Float64Array, place: number, box: Box): View {
  const distances = Array.from(x, (_, k) => Math.hypot(x[k] - x[place], y[k] - y[place]));
  const radius = distances.sort((a, b) => a - b)[Math.min(NEIGHBOURS, distances.length - 1)];
  const all = fitted(x, y, box).scale;
  const closeScale = (0.4 * Math.min(box.width, box.height)) / Math.max(radius, 1e-12);
  const scale = Math.max(all, Math.min(all * MAX_CLOSE_UP, closeScale));
  return { scale, left: box.width / 2 - scale * x[place], top: box.height / 2 - scale * y[place] };
}

export function zoomed(view: View, factor: number, px: number, py: number): View {
  return {
    scale: view.scale * factor,
    left: px - factor * (px - view.left),
    top: py - factor * (py - view.top),
  };
}

export const moved = (view: View, dx: number, dy: number): View => ({
  ...view,
  left: view.left + dx,
  top: view.top + dy,
});

const TOOLTIP_OFFSET = 14; // pixels

/** Place a small box next to a point, to its right if there is room, and inside the box. */
export function placeNextTo(x: number, y: number, small: Box, box: Box): { x: number; y: number } {
  const right = x + TOOLTIP_OFFSET + small.width <= box.width;
  const clamp = (value: number, max: number) => Math.max(0, Math.min(value, max));
  return {
    x: clamp(right ? x + TOOLTIP_OFFSET : x - TOOLTIP_OFFSET - small.width, box.width - small.width),
    y: clamp(y - small.height / 2, box.height - small.height),
  };
}

function range(values: Float64Array): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}
