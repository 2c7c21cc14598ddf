// Numbers of routes, and of the visits along a route, where there is room for them.

import type { Route, Solution } from "../api";
import { inkOn, routeColour } from "../colour";
import { figure } from "../format";
import type { Box } from "../view";
import { haloed, setFont, tag, type Sheet } from "./ink";

interface Anchor {
  x: number;
  y: number;
  clear: number; // pixels to keep away from the point
  angle: number; // in which direction from it if possible
}

const TURNS = [0, 1, -1, 2, -2, 3, -3, 4].map((eighth) => (eighth * Math.PI) / 4);
const STEPS = [0, 14, 30, 50]; // pixels further away if there is no room
const MAX_ANCHORS = 8; // of a route
const VISIT_ROOM = 70; // pixels between neighbours
const PLATE_ROOM = 30; // with less, plates would cover the map
const SMALL_LABEL = 200; // square pixels
const MAX_COVER = 0.25; // of the map by labels

const isInside = (box: Box, x: number, y: number, width = 0, height = 0) =>
  x > width / 2 && y > height / 2 && x < box.width - width / 2 && y < box.height - height / 2;

/** Keeps labels from covering each other and, where there is room enough, customers. */
export class Labels {
  readonly #taken: { x: number; y: number; width: number; height: number }[] = [];

  readonly box: Box;

  constructor({ box, px, radius, room }: Sheet, customers: Iterable<number>) {
    this.box = box;
    if (room < PLATE_ROOM) return;
    for (const k of customers) {
      const [x, y, side] = [px[2 * k], px[2 * k + 1], 1.8 * radius(k)];
      if (isInside(box, x, y)) this.#take(x, y, side, side);
    }
  }

  /** Where a label goes; one that must be shown covers others rather than be left out. */
  place(width: number, height: number, anchors: Anchor[], must: boolean): { x: number; y: number } | null {
    let first = null;
    for (const step of must ? STEPS : STEPS.slice(0, 1)) {
      for (const anchor of anchors) {
        for (const turn of TURNS) {
          const away = anchor.clear + height / 2 + step;
          const x = anchor.x + (away + (width - height) / 2) * Math.cos(anchor.angle + turn);
          const y = anchor.y + away * Math.sin(anchor.angle + turn);
          if (!isInside(this.box, x, y, width, height)) continue;
          first ??= { x, y };
          if (this.#isFree(x, y, width, height)) return this.#take(x, y, width, height);
        }
      }
    }
    return must && first ? this.#take(first.x, first.y, width, height) : null;
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
 * The number of every route, at the furthest visit that has room for it. A map too small for all of
 * them has some, well apart; zooming in shows the others.
 */
export function labelRoutes(sheet: Sheet, labels: Labels, { routes }: Solution, wanted?: number[]): void {
  const { context, box, dark } = sheet;
  const plates = wanted !== undefined || sheet.room >= PLATE_ROOM;
  const seen = [...(wanted ?? routes.keys())]
    .map((number) => ({ number, anchors: anchorsOf(sheet, routes[number]) }))
    .filter(({ anchors }) => anchors.length);
  const crowded = !plates && seen.length * SMALL_LABEL > MAX_COVER * box.width * box.height;
  const spare = crowded ? 24 : 2;
  setFont(context, plates ? "600 11px" : "500 9px");
  for (const { number, anchors } of seen) {
    const text = figure(number + 1);
    const width = context.measureText(text).width;
    const colour = routeColour(number, dark);
    const at = plates
      ? labels.place(width + 10, 18, anchors, true)
      : labels.place(width + spare, 8 + spare, anchors, !crowded);
    if (!at) continue;
    if (plates) tag(context, text, at.x, at.y, colour, inkOn(colour));
    else haloed(context, text, at.x, at.y, colour, dark);
  }
}

/** Where a route can have its label: at its visits that are seen, the furthest first. */
function anchorsOf({ px, box, radius }: Sheet, route: Route): Anchor[] {
  const away = (k: number) => Math.hypot(px[2 * k] - px[0], px[2 * k + 1] - px[1]);
  return route.visits
    .map((visit) => visit.customer)
    .filter((k) => isInside(box, px[2 * k], px[2 * k + 1]))
    .sort((a, b) => away(b) - away(a))
    .slice(0, MAX_ANCHORS)
    .map((k) => ({
      x: px[2 * k],
      y: px[2 * k + 1],
      clear: radius(k) + 2,
      angle: Math.atan2(px[2 * k + 1] - px[1], px[2 * k] - px[0]),
    }));
}

/** In which order the customers of a route are visited; of routes in focus, all of them. */
export function numberVisits(
  sheet: Sheet,
  labels: Labels,
  route: Route,
  colour: string,
  must: boolean,
): void {
  if (!must && sheet.room < VISIT_ROOM) return;
  const { context, px, dark } = sheet;
  setFont(context, must ? "700 12px" : "600 10px");
  const places = [0, ...route.visits.map((visit) => visit.customer), 0];
  for (let k = 1; k < places.length - 1; k++) {
    const [before, here, after] = [places[k - 1], places[k], places[k + 1]];
    if (!isInside(sheet.box, px[2 * here], px[2 * here + 1])) continue;
    const anchor = {
      x: px[2 * here],
      y: px[2 * here + 1],
      clear: sheet.radius(here) + 1,
      angle: outside(px, before, here, after),
    };
    const text = figure(k);
    const at = labels.place(context.measureText(text).width + 4, 13, [anchor], must);
    if (at) haloed(context, text, at.x, at.y, colour, dark);
  }
}

/** The direction away from both legs at a visit, where no line of the route is. */
function outside(px: Float64Array, before: number, here: number, after: number): number {
  const towards = (k: number) =>
    Math.atan2(px[2 * k + 1] - px[2 * here + 1], px[2 * k] - px[2 * here]);
  const [a, b] = [towards(before), towards(after)];
  const [x, y] = [Math.cos(a) + Math.cos(b), Math.sin(a) + Math.sin(b)];
  return Math.hypot(x, y) < 0.1 ? a + Math.PI / 2 : Math.atan2(-y, -x);
}
