// Colours, fonts and text on the map.

import type { Scene } from "../scene";
import type { Box, View } from "../view";

export type Context = CanvasRenderingContext2D;

/** A canvas and the positions on it. */
export interface Sheet {
  context: Context;
  box: Box;
  view: View;
  scene: Scene;
  px: Float64Array; // x and y of the places of the scene in pixels
  radius: (customer: number) => number;
  room: number; // average pixels between neighbours, which decides on details
  dark: boolean;
}

export const INK = { light: "#1c2430", dark: "#e8ecf2" };
export const GRID = { light: "#dfe4ea", dark: "#29313c" };
export const FAINT = { light: "#65707e", dark: "#97a3b2" };
export const PAPER = { light: "#ffffff", dark: "#12171f" };

// Lines of vehicle types, in the order of the fleet.
const DASHES = [[], [9, 4], [2, 3], [12, 3, 2, 3], [5, 2], [1, 5]];
export const dashOf = (scene: Scene, type: string | undefined): number[] =>
  DASHES[Math.max(0, scene.types.findIndex((t) => t.type === type)) % DASHES.length];

export const shade = (colours: { light: string; dark: string }, dark: boolean) =>
  dark ? colours.dark : colours.light;

export function setFont(context: Context, font: string): void {
  context.font = `${font} system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
}

/** Draw text on a coloured plate. */
export function tag(context: Context, text: string, x: number, y: number, back: string, ink: string): void {
  const width = context.measureText(text).width + 8;
  context.fillStyle = back;
  context.beginPath();
  context.roundRect(x - width / 2, y - 8, width, 16, 4);
  context.fill();
  context.fillStyle = ink;
  context.fillText(text, x, y + 0.5);
}

/** Draw text with a halo, readable above lines. */
export function haloed(context: Context, text: string, x: number, y: number, ink: string, dark: boolean): void {
  context.lineJoin = "round";
  context.lineWidth = 3;
  context.strokeStyle = shade(PAPER, dark);
  context.strokeText(text, x, y + 0.5);
  context.fillStyle = ink;
  context.fillText(text, x, y + 0.5);
}
