// Draws what lies below the routes: the coordinate grid and PASA's rings.

import type { SplitPlan } from "../api";
import { amount, number, roundStep } from "../format";
import { latOf, lonOf, mercatorX, mercatorY, worldLength, type Scene } from "../scene";
import type { Box, View } from "../view";
import { FAINT, GRID, haloed, INK, PAPER, setFont, shade, tag, type Context } from "./style";

const LABEL_ANGLES = [270, 282, 258, 300, 240, 90, 78, 102, 0, 180, 315, 225, 45, 135];

export function drawRings(
  context: Context,
  box: Box,
  view: View,
  scene: Scene,
  splitPlan: SplitPlan,
  dark: boolean,
): void {
  if (scene.instance.metric === "matrix") return; // distances are unrelated to the map
  const x = scene.x[0] * view.scale + view.left;
  const y = scene.y[0] * view.scale + view.top;
  setFont(context, "600 11px");
  splitPlan.levels.forEach((level, k) => {
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
    // At the first visible point of the ring, preferably its top.
    const points = LABEL_ANGLES.map((degrees) => (degrees * Math.PI) / 180).map((angle) => ({
      x: x + r * Math.cos(angle),
      y: y + r * Math.sin(angle),
    }));
    const visible = points.find((at) => at.x > 90 && at.x < box.width - 90 && at.y > 10 && at.y < box.height - 10);
    if (visible) {
      const text = `ring ${k + 1}: pieces of ${sizes}`;
      tag(context, text, visible.x, visible.y, shade(INK, dark), shade(PAPER, dark));
    }
  });
}

/** Draw grid lines at round coordinates, about a hundred pixels apart. */
export function drawGrid(context: Context, box: Box, view: View, scene: Scene, dark: boolean): void {
  const worldX = (px: number) => (px - view.left) / view.scale;
  const worldY = (py: number) => (py - view.top) / view.scale;
  const lonAt = scene.isGlobe ? lonOf : (x: number) => x;
  const latAt = scene.isGlobe ? latOf : (y: number) => -y;
  const xOf = scene.isGlobe ? mercatorX : (value: number) => value;
  const yOf = scene.isGlobe ? mercatorY : (value: number) => -value;
  const [west, east] = [lonAt(worldX(0)), lonAt(worldX(box.width))];
  const [north, south] = [latAt(worldY(0)), latAt(worldY(box.height))];
  const step = roundStep((100 * (east - west)) / box.width);
  if (!(step > 0)) return;
  context.lineWidth = 1;
  context.strokeStyle = shade(GRID, dark);
  context.beginPath();
  const texts: [string, number, number][] = []; // drawn above the lines
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const label = (value: number, signs: string) =>
    scene.isGlobe
      ? `${Math.abs(value).toFixed(digits)}° ${value < 0 ? signs[1] : signs[0]}`
      : number(value, digits, digits);
  for (let k = Math.ceil(west / step); k * step <= east; k++) {
    const px = Math.round(xOf(k * step) * view.scale + view.left) + 0.5;
    context.moveTo(px, 0);
    context.lineTo(px, box.height);
    texts.push([label(k * step, "EW"), px + 3, box.height - 2]);
  }
  for (let k = Math.ceil(south / step); k * step <= north; k++) {
    const py = Math.round(yOf(k * step) * view.scale + view.top) + 0.5;
    context.moveTo(0, py);
    context.lineTo(box.width, py);
    if (py < box.height - 20) texts.push([label(k * step, "NS"), 3, py - 1]);
  }
  context.stroke();
  context.font = "10px system-ui, sans-serif";
  context.textAlign = "left";
  context.textBaseline = "bottom";
  for (const [text, x, y] of texts) haloed(context, text, x, y, shade(FAINT, dark), dark);
}
