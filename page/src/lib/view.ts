// Which part of the world is seen: pixels are world coordinates times scale, plus an offset.

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

/** All of the places, with a margin. */
export function fitted(x: Float64Array, y: Float64Array, box: Box): View {
  const [west, east] = range(x);
  const [north, south] = range(y);
  const margin = Math.min(MARGIN, box.width / 8, box.height / 8);
  const scale = Math.min(
    (box.width - 2 * margin) / Math.max(east - west, 1e-12),
    (box.height - 2 * margin) / Math.max(south - north, 1e-12),
  );
  const known = Number.isFinite(scale) && scale < 1e12 ? scale : 1;
  return {
    scale: known,
    left: box.width / 2 - (known * (west + east)) / 2,
    top: box.height / 2 - (known * (north + south)) / 2,
  };
}

const NEIGHBOURS = 8;
const CLOSEST = 60; // times closer than all of the places

/** A place in the middle, so close that its nearest neighbours are still seen. */
export function closeUp(x: Float64Array, y: Float64Array, place: number, box: Box): View {
  const away = Array.from(x, (_, k) => Math.hypot(x[k] - x[place], y[k] - y[place]));
  const near = away.sort((a, b) => a - b)[Math.min(NEIGHBOURS, away.length - 1)];
  const all = fitted(x, y, box).scale;
  const wanted = (0.4 * Math.min(box.width, box.height)) / Math.max(near, 1e-12);
  const scale = Math.max(all, Math.min(all * CLOSEST, wanted));
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

const ASIDE = 14; // pixels

/** The corner of a small box beside a point, to its right if there is room, and all of it seen. */
export function besidePoint(x: number, y: number, small: Box, box: Box): { x: number; y: number } {
  const right = x + ASIDE + small.width <= box.width;
  const within = (value: number, most: number) => Math.max(0, Math.min(value, most));
  return {
    x: within(right ? x + ASIDE : x - ASIDE - small.width, box.width - small.width),
    y: within(y - small.height / 2, box.height - small.height),
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
