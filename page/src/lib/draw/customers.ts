// Draws customers and depots.

import type { Solution } from "../api";
import { routeColour } from "../colour";
import type { Scene } from "../scene";
import type { View } from "../view";
import { FAINT, haloed, INK, PAPER, setFont, shade, type Sheet } from "./style";

const HOVER_RADIUS = 14; // pixels

/** Return the customer near a point of the map. */
export function customerAt(scene: Scene, view: View, x: number, y: number): number | null {
  let best = HOVER_RADIUS ** 2;
  let found: number | null = null;
  for (let k = 1; k <= scene.ids.length; k++) {
    const dx = scene.x[k] * view.scale + view.left - x;
    const dy = scene.y[k] * view.scale + view.top - y;
    const distance = dx * dx + dy * dy;
    if (distance < best) [best, found] = [distance, k];
  }
  return found;
}

/** Return disc radii: area by demand, smaller on large instances, slightly larger when zoomed in. */
export function radii(scene: Scene, view: View, fit: number): (customer: number) => number {
  const { demands } = scene;
  const mean = demands.reduce((sum, demand) => sum + demand, 0) / Math.max(1, demands.length) || 1;
  const base = 6.5 * Math.min(1, Math.sqrt(150 / Math.max(1, demands.length)));
  const zoom = Math.min(3, Math.max(0.6, (view.scale / fit) ** 0.4));
  return (customer) => {
    const relative = Math.sqrt(demands[customer - 1] / mean);
    return Math.min(22, base * zoom * Math.min(2.2, Math.max(0.55, relative)));
  };
}

export function drawCustomers({ context, px, scene, radius, dark }: Sheet, solution: Solution | null): void {
  const visits: [number, number][][] = scene.ids.map(() => []);
  solution?.routes.forEach((route, k) => {
    for (const { customer, quantity } of route.visits) {
      if (quantity > 0) visits[customer - 1].push([k, quantity]); // else it only passes through
    }
  });
  // One path per colour: thousands of discs are drawn many times a second.
  const byColour = new Map<string, number[]>();
  const split: number[] = [];
  visits.forEach((parts, k) => {
    if (parts.length > 1) {
      split.push(k + 1);
      return;
    }
    const colour = parts.length ? routeColour(parts[0][0], dark) : shade(FAINT, dark);
    const found = byColour.get(colour);
    if (found) found.push(k + 1);
    else byColour.set(colour, [k + 1]);
  });
  for (const [colour, customers] of byColour) {
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
    const parts = visits[customer - 1];
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
    context.lineWidth = Math.min(1.4, r / 2);
    context.strokeStyle = shade(INK, dark);
    context.stroke();
  }
}

export function disc({ context, px }: Sheet, k: number, r: number, colour: string): void {
  context.beginPath();
  context.arc(px[2 * k], px[2 * k + 1], r, 0, 2 * Math.PI);
  context.fillStyle = colour;
  context.fill();
}

export function drawDepots({ context, px, scene, dark }: Sheet): void {
  for (const { id, place } of scene.depots) {
    const [x, y] = [px[2 * place], px[2 * place + 1]];
    context.fillStyle = shade(INK, dark);
    context.strokeStyle = shade(PAPER, dark);
    context.lineWidth = 2;
    context.fillRect(x - 7, y - 7, 14, 14);
    context.strokeRect(x - 7, y - 7, 14, 14);
    context.fillStyle = shade(PAPER, dark);
    setFont(context, "700 10px");
    context.fillText("D", x, y + 0.5);
    if (scene.depots.length < 2) continue;
    setFont(context, "600 11px");
    haloed(context, id, x, y + 16, shade(INK, dark), dark);
  }
}
