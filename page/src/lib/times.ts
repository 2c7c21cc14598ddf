// Times of an instance: minutes after midnight by the clock, or plain numbers.

import { number, roundStep } from "./format";

const DAY = 24 * 60;

/** Return a time that a file may state as 510 or as "08:30". */
export function timeOf(value: number | string): number {
  const match = typeof value === "string" ? /^(\d+):(\d\d)$/.exec(value) : null;
  return match ? 60 * Number(match[1]) + Number(match[2]) : Number(value);
}

const twoDigits = (value: number) => String(value).padStart(2, "0");

/** Format a point in time: 08:30 by the clock, 08:30 +1 d on the next day, or else a number. */
export function timeText(value: number | string, isClock: boolean): string {
  const time = timeOf(value);
  if (!isClock) return number(time, 2);
  const minutes = Math.round(time);
  const days = Math.floor(minutes / DAY);
  const rest = minutes - DAY * days;
  const text = `${twoDigits(Math.floor(rest / 60))}:${twoDigits(rest % 60)}`;
  return days ? `${text} ${days > 0 ? "+" : ""}${days} d` : text;
}

/** Format a length of time: 2 h 15 min if times are minutes, or else a number. */
export function lengthText(time: number, isClock: boolean): string {
  if (!isClock) return number(time, 2);
  const minutes = Math.round(time);
  const hours = Math.floor(minutes / 60);
  const parts = hours ? [`${number(hours)} h`] : [];
  if (minutes % 60 || !hours) parts.push(`${minutes % 60} min`);
  return parts.join(" ");
}

/** A window in the notation of a file; a time by the clock may go beyond 24:00. */
export function windowText([open, close]: readonly (number | string)[], isClock: boolean): string {
  const text = (value: number | string) => {
    const time = timeOf(value);
    if (!isClock || !Number.isInteger(time) || time < 0) return String(value);
    return `${twoDigits(Math.floor(time / 60))}:${twoDigits(time % 60)}`;
  };
  return `${text(open)}-${text(close)}`;
}

export const windowsText = (windows: readonly (readonly (number | string)[])[], isClock: boolean) =>
  windows.map((window) => windowText(window, isClock)).join(", ");

/**
 * Parse windows such as "08:00-12:00, 14:00-18:00" or "0-40"; null if the text is not a list of
 * windows. Whether they are valid is for the service to say.
 */
export function parseWindows(text: string): (number | string)[][] | null {
  const windows = text.split(",").map((part) => {
    const match = /^\s*([\d.:]+)\s*(?:-|–|to)\s*([\d.:]+)\s*$/.exec(part);
    return match && [match[1], match[2]].map((time) => (time.includes(":") ? time : Number(time)));
  });
  return windows.every((window) => window !== null) ? (windows as (number | string)[][]) : null;
}

const CLOCK_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720, DAY];

/** Return round times between two others, at most `count` of them. */
export function ticksBetween(from: number, to: number, count: number, isClock: boolean): number[] {
  const min = (to - from) / Math.max(1, count);
  if (!(min > 0)) return [from];
  const step = isClock
    ? (CLOCK_STEPS.find((size) => size >= min) ?? DAY * Math.ceil(min / DAY))
    : roundStep(min);
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, k) => (first + k) * step);
}
