// What everything on the map is drawn with.

import type { Box } from "../view";

export type Context = CanvasRenderingContext2D;

/** A canvas with what is needed to draw on it. */
export interface Sheet {
  context: Context;
  box: Box;
  px: Float64Array; // x and y in pixels: of the depot, then of the customers
  radius: (customer: number) => number;
  room: number; // pixels between neighbours on average: what is drawn follows from it
  dark: boolean;
}

export const INK = { light: "#1c2430", dark: "#e8ecf2" };
export const GRID = { light: "#dfe4ea", dark: "#29313c" };
export const FAINT = { light: "#65707e", dark: "#97a3b2" };
export const PAPER = { light: "#ffffff", dark: "#12171f" };

export const shade = (colours: { light: string; dark: string }, dark: boolean) =>
  dark ? colours.dark : colours.light;

export function setFont(context: Context, font: string): void {
  context.font = `${font} system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
}

/** Text on a coloured plate. */
export function tag(context: Context, text: string, x: number, y: number, back: string, ink: string): void {
  const wide = context.measureText(text).width + 8;
  context.fillStyle = back;
  context.beginPath();
  context.roundRect(x - wide / 2, y - 8, wide, 16, 4);
  context.fill();
  context.fillStyle = ink;
  context.fillText(text, x, y + 0.5);
}

/** Text that can be read above lines. */
export function haloed(context: Context, text: string, x: number, y: number, ink: string, dark: boolean): void {
  context.lineJoin = "round";
  context.lineWidth = 3;
  context.strokeStyle = shade(PAPER, dark);
  context.strokeText(text, x, y + 0.5);
  context.fillStyle = ink;
  context.fillText(text, x, y + 0.5);
}
