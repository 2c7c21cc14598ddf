// Draws an instance, its routes and PASA's rings on a canvas.

import type { Plan, Route, Solution } from "./api";
import { inkOn, routeColour } from "./colour";
import { amount } from "./format";
import { latOf, lonOf, mercatorX, mercatorY, worldLength, type Scene } from "./scene";
import type { Box, View } from "./view";

export interface Picture {
  scene: Scene;
  solution: Solution | null;
  plan: Plan | null;
  dark: boolean;
  tiles: boolean; // a map is below: no paper of our own
}

type Context = CanvasRenderingContext2D;

const INK = { light: "#1c2430", dark: "#e8ecf2" };
const GRID = { light: "#dfe4ea", dark: "#29313c" };
const FAINT = { light: "#65707e", dark: "#97a3b2" };
const PAPER = { light: "#ffffff", dark: "#12171f" };

const shade = (colours: { light: string; dark: string }, dark: boolean) =>
  dark ? colours.dark : colours.light;

/** Everything but what the pointer is on. */
export function draw(context: Context, box: Box, view: View, fit: number, picture: Picture): void {
  const { scene, solution, plan, dark } = picture;
  context.clearRect(0, 0, box.width, box.height);
  if (!picture.tiles) drawGrid(context, box, view, scene, dark);
  if (plan) drawRings(context, box, view, scene, plan, dark);
  const px = pixels(scene, view);
  if (solution) {
    solution.routes.forEach((route, k) => drawRoute(context, px, route, routeColour(k, dark), 1.7));
  }
  drawCustomers(context, px, radii(scene, view, fit), picture);
  drawDepot(context, px, dark);
  if (solution && solution.routes.length <= 80) drawNumbers(context, px, solution, dark);
}

/** What the pointer is on, above all the rest. */
export function drawFocus(
  context: Context,
  box: Box,
  view: View,
  fit: number,
  picture: Picture,
  routes: number[],
  customer: number | null,
): void {
  const { scene, solution, dark } = picture;
  context.clearRect(0, 0, box.width, box.height);
  const shown = routes.filter((k) => solution && k < solution.routes.length);
  if (!shown.length && customer === null) return;
  context.globalAlpha = 0.72;
  context.fillStyle = shade(PAPER, dark);
  context.fillRect(0, 0, box.width, box.height);
  context.globalAlpha = 1;
  const px = pixels(scene, view);
  const radius = radii(scene, view, fit);
  for (const k of shown) {
    const route = solution!.routes[k];
    const colour = routeColour(k, dark);
    drawRoute(context, px, route, colour, 3.2);
    for (const visit of route.visits) {
      disc(context, px, visit.customer, radius(visit.customer) + 1, colour);
    }
  }
  if (customer !== null) {
    context.beginPath();
    context.arc(px[2 * customer], px[2 * customer + 1], radius(customer) + 5, 0, 2 * Math.PI);
    context.lineWidth = 2.5;
    context.strokeStyle = shade(INK, dark);
    context.stroke();
    disc(context, px, customer, radius(customer), shade(INK, dark));
  }
  drawDepot(context, px, dark);
}

/** The customer at a point of the picture, if there is one close by. */
export function customerAt(scene: Scene, view: View, x: number, y: number): number | null {
  let best = 14 ** 2;
  let found: number | null = null;
  for (let k = 1; k < scene.x.length; k++) {
    const dx = scene.x[k] * view.scale + view.left - x;
    const dy = scene.y[k] * view.scale + view.top - y;
    const away = dx * dx + dy * dy;
    if (away < best) [best, found] = [away, k];
  }
  return found;
}

function pixels(scene: Scene, view: View): Float64Array {
  const px = new Float64Array(2 * scene.x.length);
  for (let k = 0; k < scene.x.length; k++) {
    px[2 * k] = scene.x[k] * view.scale + view.left;
    px[2 * k + 1] = scene.y[k] * view.scale + view.top;
  }
  return px;
}

/** Discs have areas by demand, shrink where there are many, and grow a little with the zoom. */
function radii(scene: Scene, view: View, fit: number): (customer: number) => number {
  const { demands } = scene;
  const mean = demands.reduce((sum, demand) => sum + demand, 0) / Math.max(1, demands.length) || 1;
  const base = 6.5 * Math.min(1, Math.sqrt(150 / Math.max(1, demands.length)));
  const zoom = Math.min(3, Math.max(0.6, (view.scale / fit) ** 0.4));
  return (customer) => {
    const relative = Math.sqrt(demands[customer - 1] / mean);
    return Math.min(22, base * zoom * Math.min(2.2, Math.max(0.55, relative)));
  };
}

function drawRoute(
  context: Context,
  px: Float64Array,
  route: Route,
  colour: string,
  width: number,
): void {
  const stops = route.visits;
  if (!stops.length) return;
  const first = 2 * stops[0].customer;
  const last = 2 * stops[stops.length - 1].customer;
  context.strokeStyle = colour;
  context.lineJoin = "round";
  context.globalAlpha = 0.5;
  context.lineWidth = width / 2;
  context.beginPath();
  context.moveTo(px[first], px[first + 1]);
  context.lineTo(px[0], px[1]);
  context.lineTo(px[last], px[last + 1]);
  context.stroke();
  context.globalAlpha = 1;
  context.lineWidth = width;
  context.beginPath();
  for (const stop of stops) context.lineTo(px[2 * stop.customer], px[2 * stop.customer + 1]);
  context.stroke();
}

function drawCustomers(
  context: Context,
  px: Float64Array,
  radius: (customer: number) => number,
  { scene, solution, dark }: Picture,
): void {
  const shares: [number, number][][] = scene.ids.map(() => []);
  solution?.routes.forEach((route, k) => {
    for (const { customer, quantity } of route.visits) {
      if (quantity > 0) shares[customer - 1].push([k, quantity]); // else it only drives through
    }
  });
  // All of one colour in one go: thousands of them are drawn many times a second.
  const alike = new Map<string, number[]>();
  const split: number[] = [];
  shares.forEach((parts, k) => {
    if (parts.length > 1) {
      split.push(k + 1);
      return;
    }
    const colour = parts.length ? routeColour(parts[0][0], dark) : shade(FAINT, dark);
    const found = alike.get(colour);
    if (found) found.push(k + 1);
    else alike.set(colour, [k + 1]);
  });
  for (const [colour, customers] of alike) {
    context.beginPath();
    for (const customer of customers) {
      const [x, y, r] = [px[2 * customer], px[2 * customer + 1], radius(customer)];
      context.moveTo(x + r, y);
      context.arc(x, y, r, 0, 2 * Math.PI);
    }
    context.fillStyle = colour;
    context.fill();
  }
  for (const customer of split) {
    const [x, y, r] = [px[2 * customer], px[2 * customer + 1], 1.3 * radius(customer)];
    const parts = shares[customer - 1];
    const total = parts.reduce((sum, [, quantity]) => sum + quantity, 0) || 1;
    let angle = -Math.PI / 2;
    for (const [k, quantity] of parts) {
      const turn = (2 * Math.PI * quantity) / total;
      context.beginPath();
      context.moveTo(x, y);
      context.arc(x, y, r, angle, angle + turn);
      context.fillStyle = routeColour(k, dark);
      context.fill();
      angle += turn;
    }
    context.beginPath();
    context.arc(x, y, r, 0, 2 * Math.PI);
    context.lineWidth = 1.4;
    context.strokeStyle = shade(INK, dark);
    context.stroke();
  }
}

function disc(context: Context, px: Float64Array, k: number, r: number, colour: string): void {
  context.beginPath();
  context.arc(px[2 * k], px[2 * k + 1], r, 0, 2 * Math.PI);
  context.fillStyle = colour;
  context.fill();
}

function drawDepot(context: Context, px: Float64Array, dark: boolean): void {
  context.fillStyle = shade(INK, dark);
  context.strokeStyle = shade(PAPER, dark);
  context.lineWidth = 2;
  context.fillRect(px[0] - 7, px[1] - 7, 14, 14);
  context.strokeRect(px[0] - 7, px[1] - 7, 14, 14);
  context.fillStyle = shade(PAPER, dark);
  context.font = "700 10px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText("D", px[0], px[1] + 0.5);
}

/** The number of each route at its furthest stop that no other route has its number at. */
function drawNumbers(context: Context, px: Float64Array, solution: Solution, dark: boolean): void {
  const taken = new Set<number>();
  context.font = "600 11px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  const away = (k: number) => Math.hypot(px[2 * k] - px[0], px[2 * k + 1] - px[1]) || 1;
  solution.routes.forEach((route, number) => {
    const stops = route.visits.map((visit) => visit.customer);
    const free = stops.filter((k) => !taken.has(k));
    const k = (free.length ? free : stops).reduce((a, b) => (away(b) > away(a) ? b : a));
    taken.add(k);
    const x = px[2 * k] + (14 * (px[2 * k] - px[0])) / away(k);
    const y = px[2 * k + 1] + (14 * (px[2 * k + 1] - px[1])) / away(k);
    const colour = routeColour(number, dark);
    tag(context, String(number + 1), x, y, colour, inkOn(colour));
  });
}

function tag(context: Context, text: string, x: number, y: number, back: string, ink: string): void {
  const wide = context.measureText(text).width + 8;
  context.fillStyle = back;
  context.beginPath();
  context.roundRect(x - wide / 2, y - 8, wide, 16, 4);
  context.fill();
  context.fillStyle = ink;
  context.fillText(text, x, y + 0.5);
}

const TURNS = [270, 282, 258, 300, 240, 90, 78, 102, 0, 180, 315, 225, 45, 135];

function drawRings(
  context: Context,
  box: Box,
  view: View,
  scene: Scene,
  plan: Plan,
  dark: boolean,
): void {
  if (scene.instance.metric === "matrix") return; // distances that have nothing to do with rings
  const x = scene.x[0] * view.scale + view.left;
  const y = scene.y[0] * view.scale + view.top;
  context.font = "600 11px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  plan.levels.forEach((level, k) => {
    if (level.reach === null || level.reach === undefined) return;
    const r = worldLength(scene, level.reach) * view.scale;
    context.beginPath();
    context.arc(x, y, r, 0, 2 * Math.PI);
    context.setLineDash([6, 5]);
    context.lineWidth = 1.4;
    context.strokeStyle = shade(INK, dark);
    context.stroke();
    context.setLineDash([]);
    const sizes = [...level.denominations].reverse().map(amount).join(" / ");
    // At the first point of the ring that is seen, the top if it is.
    const places = TURNS.map((turn) => (turn * Math.PI) / 180).map((turn) => ({
      x: x + r * Math.cos(turn),
      y: y + r * Math.sin(turn),
    }));
    const seen = places.find((at) => at.x > 90 && at.x < box.width - 90 && at.y > 10 && at.y < box.height - 10);
    if (seen) {
      const words = `ring ${k + 1}: pieces of ${sizes}`;
      tag(context, words, seen.x, seen.y, shade(INK, dark), shade(PAPER, dark));
    }
  });
}

/** Lines of whole degrees, or of whole coordinates, about a hundred pixels apart. */
function drawGrid(context: Context, box: Box, view: View, scene: Scene, dark: boolean): void {
  const worldX = (px: number) => (px - view.left) / view.scale;
  const worldY = (py: number) => (py - view.top) / view.scale;
  const acrossOf = scene.globe ? lonOf : (x: number) => x;
  const downOf = scene.globe ? latOf : (y: number) => -y;
  const xOf = scene.globe ? mercatorX : (value: number) => value;
  const yOf = scene.globe ? mercatorY : (value: number) => -value;
  const [west, east] = [acrossOf(worldX(0)), acrossOf(worldX(box.width))];
  const [north, south] = [downOf(worldY(0)), downOf(worldY(box.height))];
  const step = niceStep((100 * (east - west)) / box.width);
  if (!(step > 0)) return;
  context.lineWidth = 1;
  context.strokeStyle = shade(GRID, dark);
  context.fillStyle = shade(FAINT, dark);
  context.font = "10px system-ui, sans-serif";
  context.textBaseline = "bottom";
  context.beginPath();
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const label = (value: number, signs: string) =>
    scene.globe
      ? `${Math.abs(value).toFixed(digits)}° ${value < 0 ? signs[1] : signs[0]}`
      : value.toFixed(digits);
  for (let k = Math.ceil(west / step); k * step <= east; k++) {
    const px = Math.round(xOf(k * step) * view.scale + view.left) + 0.5;
    context.moveTo(px, 0);
    context.lineTo(px, box.height);
    context.textAlign = "left";
    context.fillText(label(k * step, "EW"), px + 3, box.height - 2);
  }
  for (let k = Math.ceil(south / step); k * step <= north; k++) {
    const py = Math.round(yOf(k * step) * view.scale + view.top) + 0.5;
    context.moveTo(0, py);
    context.lineTo(box.width, py);
    if (py < box.height - 20) context.fillText(label(k * step, "NS"), 3, py - 1);
  }
  context.stroke();
}

function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5].find((factor) => factor * power >= least) ?? 10) * power;
}
