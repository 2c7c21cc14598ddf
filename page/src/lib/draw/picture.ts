// Draws the map: an instance, its routes and PASA's rings.

import type { Solution, SplitPlan } from "../api";
import { routeColour } from "../colour";
import type { Scene } from "../scene";
import type { Box, View } from "../view";
import { disc, drawCustomers, drawDepots, radii } from "./customers";
import { drawGrid, drawRings } from "./background";
import { INK, PAPER, shade, type Context, type Sheet } from "./style";
import { Labels, labelRoutes, numberVisits } from "./labels";
import { drawFocusedRoute, drawRoutes } from "./routes";

export interface Picture {
  scene: Scene;
  solution: Solution | null;
  splitPlan: SplitPlan | null;
  dark: boolean;
  hasTiles: boolean; // no grid then
}

/** Draw everything except the focus. */
export function draw(context: Context, box: Box, view: View, fit: number, picture: Picture): void {
  const { scene, solution, splitPlan, dark } = picture;
  const sheet = sheetOf(context, box, view, fit, picture);
  context.clearRect(0, 0, box.width, box.height);
  if (!picture.hasTiles) drawGrid(context, box, view, scene, dark);
  if (splitPlan) drawRings(context, box, view, scene, splitPlan, dark);
  if (solution) drawRoutes(sheet, solution);
  drawCustomers(sheet, solution);
  drawDepots(sheet);
  if (!solution) return;
  const labels = new Labels(sheet, scene.demands.map((_, k) => k + 1));
  labelRoutes(sheet, labels, solution);
  solution.routes.forEach((route, k) => numberVisits(sheet, labels, route, routeColour(k, dark), false));
}

/** Draw the routes and the customer in focus above a faded map. */
export function drawFocus(
  context: Context,
  box: Box,
  view: View,
  fit: number,
  picture: Picture,
  routes: number[],
  customer: number | null,
): void {
  const { solution, dark } = picture;
  context.clearRect(0, 0, box.width, box.height);
  const shown = routes.filter((k) => solution && k < solution.routes.length);
  if (!shown.length && customer === null) return;
  context.globalAlpha = 0.72;
  context.fillStyle = shade(PAPER, dark);
  context.fillRect(0, 0, box.width, box.height);
  context.globalAlpha = 1;
  const sheet = sheetOf(context, box, view, fit, picture);
  for (const k of shown) {
    const colour = routeColour(k, dark);
    drawFocusedRoute(sheet, solution!.routes[k], colour);
    for (const visit of solution!.routes[k].visits) {
      disc(sheet, visit.customer, sheet.radius(visit.customer) + 1, colour);
    }
  }
  if (customer !== null) drawFocusedCustomer(sheet, customer);
  drawDepots(sheet);
  const visited = shown.flatMap((k) => solution!.routes[k].visits.map((visit) => visit.customer));
  const labels = new Labels(sheet, new Set(visited));
  if (solution) labelRoutes(sheet, labels, solution, shown);
  for (const k of shown) numberVisits(sheet, labels, solution!.routes[k], routeColour(k, dark), true);
}

/** Draw a customer with a ring around it. */
function drawFocusedCustomer(sheet: Sheet, customer: number): void {
  const { context, px, dark } = sheet;
  const radius = sheet.radius(customer);
  context.beginPath();
  context.arc(px[2 * customer], px[2 * customer + 1], radius + 5, 0, 2 * Math.PI);
  context.lineWidth = 2.5;
  context.strokeStyle = shade(INK, dark);
  context.stroke();
  disc(sheet, customer, radius, shade(INK, dark));
}

function sheetOf(context: Context, box: Box, view: View, fit: number, { scene, dark }: Picture): Sheet {
  const { x, y } = scene;
  const px = new Float64Array(2 * x.length);
  for (let k = 0; k < x.length; k++) {
    px[2 * k] = x[k] * view.scale + view.left;
    px[2 * k + 1] = y[k] * view.scale + view.top;
  }
  const room = Math.sqrt((box.width * box.height) / x.length) * (view.scale / fit);
  return { context, box, view, scene, px, radius: radii(scene, view, fit), room, dark };
}
