// What lies below the routes: a grid of coordinates, and PASA's rings.

import type { Plan } from "../api";
import { amount, figure } from "../format";
import { latOf, lonOf, mercatorX, mercatorY, worldLength, type Scene } from "../scene";
import type { Box, View } from "../view";
import { FAINT, GRID, INK, PAPER, setFont, shade, tag, type Context } from "./ink";

const TURNS = [270, 282, 258, 300, 240, 90, 78, 102, 0, 180, 315, 225, 45, 135];

export function drawRings(
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
  setFont(context, "600 11px");
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
export function drawGrid(context: Context, box: Box, view: View, scene: Scene, dark: boolean): void {
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
      : figure(value, digits, digits);
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
