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

function range(values: Float64Array): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}
