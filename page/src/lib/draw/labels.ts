// Labels routes and numbers their visits where there is room.

import type { Route, Solution } from "../api";
import { routeColour, textColour } from "../colour";
import { number } from "../format";
import { depotsOf } from "../scene";
import type { Box } from "../view";
import { haloed, setFont, tag, type Sheet } from "./style";

interface Anchor {
  x: number;
  y: number;
  clearance: number; // pixels from the point
  angle: number; // preferred direction
}

const TURNS = [0, 1, -1, 2, -2, 3, -3, 4].map((eighth) => (eighth * Math.PI) / 4);
const STEPS = [0, 14, 30, 50]; // extra pixels if there is no room
const MAX_ANCHORS = 8; // of a route
const MIN_VISIT_ROOM = 70; // pixels between neighbours
const MIN_PLATE_ROOM = 30; // with less, plates would cover the map
const LABEL_AREA = 200; // square pixels
const MAX_LABEL_SHARE = 0.25; // of the map

const isInside = (box: Box, x: number, y: number, width = 0, height = 0) =>
  x > width / 2 && y > height / 2 && x < box.width - width / 2 && y < box.height - height / 2;

/** Places labels so that they do not overlap and, where there is room, leave customers visible. */
export class Labels {
  readonly #taken: { x: number; y: number; width: number; height: number }[] = [];

  readonly box: Box;

  constructor({ box, px, radius, room }: Sheet, customers: Iterable<number>) {
    this.box = box;
    if (room < MIN_PLATE_ROOM) return;
    for (const k of customers) {
      const [x, y, side] = [px[2 * k], px[2 * k + 1], 1.8 * radius(k)];
      if (isInside(box, x, y)) this.#take(x, y, side, side);
    }
  }

  /** Return the position of a label; a required one may overlap others. */
  place(width: number, height: number, anchors: Anchor[], isRequired: boolean): { x: number; y: number } | null {
    let first = null;
    for (const step of isRequired ? STEPS : STEPS.slice(0, 1)) {
      for (const anchor of anchors) {
        for (const turn of TURNS) {
          const away = anchor.clearance + height / 2 + step;
          const x = anchor.x + (away + (width - height) / 2) * Math.cos(anchor.angle + turn);
          const y = anchor.y + away * Math.sin(anchor.angle + turn);
          if (!isInside(this.box, x, y, width, height)) continue;
          first ??= { x, y };
          if (this.#isFree(x, y, width, height)) return this.#take(x, y, width, height);
        }
      }
    }
    return isRequired && first ? this.#take(first.x, first.y, width, height) : null;
  }

  #take(x: number, y: number, width: number, height: number): { x: number; y: number } {
    this.#taken.push({ x, y, width, height });
    return { x, y };
  }

  #isFree(x: number, y: number, width: number, height: number): boolean {
    return this.#taken.every(
      (other) =>
        Math.abs(other.x - x) >= (other.width + width) / 2 ||
        Math.abs(other.y - y) >= (other.height + height) / 2,
    );
  }
}

/**
 * Label every route at its furthest visit that has room. A small map shows some labels, well apart;
 * zooming in shows the others.
 */
export function labelRoutes(sheet: Sheet, labels: Labels, { routes }: Solution, selected?: number[]): void {
  const { context, box, dark } = sheet;
  const hasPlates = selected !== undefined || sheet.room >= MIN_PLATE_ROOM;
  const visible = [...(selected ?? routes.keys())]
    .map((k) => ({ k, anchors: anchorsOf(sheet, routes[k]) }))
    .filter(({ anchors }) => anchors.length);
  const isCrowded = !hasPlates && visible.length * LABEL_AREA > MAX_LABEL_SHARE * box.width * box.height;
  const padding = isCrowded ? 24 : 2;
  setFont(context, hasPlates ? "600 11px" : "500 9px");
  for (const { k, anchors } of visible) {
    const text = number(k + 1);
    const width = context.measureText(text).width;
    const colour = routeColour(k, dark);
    const at = hasPlates
      ? labels.place(width + 10, 18, anchors, true)
      : labels.place(width + padding, 8 + padding, anchors, !isCrowded);
    if (!at) continue;
    if (hasPlates) tag(context, text, at.x, at.y, colour, textColour(colour));
    else haloed(context, text, at.x, at.y, colour, dark);
  }
}

/** Return possible label positions of a route: its visible visits, furthest first. */
function anchorsOf({ px, box, radius, scene }: Sheet, route: Route): Anchor[] {
  const [depot] = depotsOf(scene, route);
  const [x, y] = [px[2 * depot], px[2 * depot + 1]];
  const distance = (k: number) => Math.hypot(px[2 * k] - x, px[2 * k + 1] - y);
  return route.visits
    .map((visit) => visit.customer)
    .filter((k) => isInside(box, px[2 * k], px[2 * k + 1]))
    .sort((a, b) => distance(b) - distance(a))
    .slice(0, MAX_ANCHORS)
    .map((k) => ({
      x: px[2 * k],
      y: px[2 * k + 1],
      clearance: radius(k) + 2,
      angle: Math.atan2(px[2 * k + 1] - y, px[2 * k] - x),
    }));
}

/** Number the visits of a route in order; on a route in focus, all of them. */
export function numberVisits(
  sheet: Sheet,
  labels: Labels,
  route: Route,
  colour: string,
  isFocused: boolean,
): void {
  if (!isFocused && sheet.room < MIN_VISIT_ROOM) return;
  const { context, px, dark } = sheet;
  setFont(context, isFocused ? "700 12px" : "600 10px");
  const [start, end] = depotsOf(sheet.scene, route);
  const places = [start, ...route.visits.map((visit) => visit.customer), end];
  for (let k = 1; k < places.length - 1; k++) {
    const [before, here, after] = [places[k - 1], places[k], places[k + 1]];
    if (!isInside(sheet.box, px[2 * here], px[2 * here + 1])) continue;
    const anchor = {
      x: px[2 * here],
      y: px[2 * here + 1],
      clearance: sheet.radius(here) + 1,
      angle: awayFromLegs(px, before, here, after),
    };
    const text = number(k);
    const at = labels.place(context.measureText(text).width + 4, 13, [anchor], isFocused);
    if (at) haloed(context, text, at.x, at.y, colour, dark);
  }
}

/** Return the direction away from both legs at a visit. */
function awayFromLegs(px: Float64Array, before: number, here: number, after: number): number {
  const towards = (k: number) =>
    Math.atan2(px[2 * k + 1] - px[2 * here + 1], px[2 * k] - px[2 * here]);
  const [a, b] = [towards(before), towards(after)];
  const [x, y] = [Math.cos(a) + Math.cos(b), Math.sin(a) + Math.sin(b)];
  return Math.hypot(x, y) < 0.1 ? a + Math.PI / 2 : Math.atan2(-y, -x);
}
