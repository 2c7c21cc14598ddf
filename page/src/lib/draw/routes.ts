// Draws routes as lines with arrows.

import type { Route, Solution } from "../api";
import { routeColour } from "../colour";
import { depotsOf, mercatorX, mercatorY, typeOf } from "../scene";
import { dashOf, type Sheet } from "./style";

const MAX_ROUTES_WITH_DEPOT_LEGS = 40; // the depot legs of more routes would hide the rest
const MIN_ARROW_ROOM = 40; // pixels between neighbours
const ARROW_STEP = 110; // pixels along a road from one arrow to the next

/** Draw all routes; thinner and without depot legs if there are many. */
export function drawRoutes(sheet: Sheet, { routes }: Solution): void {
  const width = Math.max(0.8, Math.min(1.7, sheet.room / 22));
  const depotLegs = routes.length <= MAX_ROUTES_WITH_DEPOT_LEGS;
  routes.forEach((route, k) => {
    const colour = routeColour(k, sheet.dark);
    drawRoute(sheet, route, colour, width, depotLegs);
    if (sheet.room >= MIN_ARROW_ROOM) drawArrows(sheet, route, colour, 4, depotLegs);
  });
}

/** Draw a highlighted route. */
export function drawFocusedRoute(sheet: Sheet, route: Route, colour: string): void {
  drawRoute(sheet, route, colour, 3.2, true);
  drawArrows(sheet, route, colour, 6, true);
}

function drawRoute(sheet: Sheet, route: Route, colour: string, width: number, depotLegs: boolean): void {
  const { context, px, scene } = sheet;
  const visits = route.visits;
  if (!visits.length) return;
  context.strokeStyle = colour;
  context.setLineDash(dashOf(scene, typeOf(scene, route)?.type));
  context.lineJoin = "round";
  if (hasRoads(sheet, route)) {
    context.lineWidth = width;
    context.beginPath();
    for (const [x, y] of roadOf(sheet, route)) context.lineTo(x, y);
    context.stroke();
    context.setLineDash([]);
    return;
  }
  if (depotLegs) {
    const first = 2 * visits[0].customer;
    const last = 2 * visits[visits.length - 1].customer;
    const [start, end] = depotsOf(scene, route).map((place) => 2 * place);
    context.globalAlpha = 0.5;
    context.lineWidth = width / 2;
    context.beginPath();
    context.moveTo(px[first], px[first + 1]);
    context.lineTo(px[start], px[start + 1]);
    if (end !== start) context.moveTo(px[end], px[end + 1]);
    context.lineTo(px[last], px[last + 1]);
    context.stroke();
    context.globalAlpha = 1;
  }
  context.lineWidth = width;
  context.beginPath();
  for (const { customer } of visits) context.lineTo(px[2 * customer], px[2 * customer + 1]);
  context.stroke();
  context.setLineDash([]);
}

const hasRoads = ({ scene }: Sheet, route: Route) => scene.isGlobe && !!route.geometry?.length;

/** Yield the points of the line along the roads in pixels. */
function* roadOf({ view }: Sheet, route: Route): Generator<[number, number]> {
  for (const [lon, lat] of route.geometry ?? []) {
    yield [mercatorX(lon) * view.scale + view.left, mercatorY(lat) * view.scale + view.top];
  }
}

/** Draw an arrowhead after every ARROW_STEP of the line along the roads. */
function drawRoadArrows(sheet: Sheet, route: Route, size: number): void {
  let before: [number, number] | null = null;
  let travelled = ARROW_STEP / 2;
  for (const point of roadOf(sheet, route)) {
    if (before) {
      const [dx, dy] = [point[0] - before[0], point[1] - before[1]];
      const length = Math.hypot(dx, dy);
      travelled += length;
      if (travelled >= ARROW_STEP && length > 0) {
        travelled = 0;
        drawArrow(sheet, point[0], point[1], dx / length, dy / length, size);
      }
    }
    before = point;
  }
}

function drawArrow({ context }: Sheet, x: number, y: number, ux: number, uy: number, size: number): void {
  context.moveTo(x + size * ux, y + size * uy);
  context.lineTo(x - size * (ux + 0.8 * uy), y - size * (uy - 0.8 * ux));
  context.lineTo(x - size * (ux - 0.8 * uy), y - size * (uy + 0.8 * ux));
  context.closePath();
}

/** Draw an arrowhead on every leg that is long enough. */
function drawArrows(sheet: Sheet, route: Route, colour: string, size: number, depotLegs: boolean): void {
  const { context, px, scene } = sheet;
  if (hasRoads(sheet, route)) {
    context.fillStyle = colour;
    context.beginPath();
    drawRoadArrows(sheet, route, size);
    context.fill();
    return;
  }
  const visits = route.visits.map((visit) => visit.customer);
  const [start, end] = depotsOf(scene, route);
  const places = depotLegs ? [start, ...visits, end] : visits;
  context.fillStyle = colour;
  context.beginPath();
  for (let k = 1; k < places.length; k++) {
    const [from, to] = [2 * places[k - 1], 2 * places[k]];
    const [dx, dy] = [px[to] - px[from], px[to + 1] - px[from + 1]];
    const length = Math.hypot(dx, dy);
    if (length < 5 * size) continue;
    const [ux, uy] = [dx / length, dy / length];
    // Past the middle, so that arrows there and back along one line do not overlap.
    const [x, y] = [px[from] + 0.6 * dx, px[from + 1] + 0.6 * dy];
    drawArrow(sheet, x, y, ux, uy, size);
  }
  context.fill();
}
