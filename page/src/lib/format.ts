// Numbers, durations and dates as text.

/** Format a number with thousands separators and without -0. */
export const number = (value: number, maxDigits = 6, minDigits = 0) =>
  (value + 0).toLocaleString("en", { minimumFractionDigits: minDigits, maximumFractionDigits: maxDigits });

export function cost(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  const digits = Number.isInteger(value) ? 0 : 2;
  return number(value, digits, digits);
}

export const amount = (value: number) => number(value);

export function percent(share: number): string {
  const digits = share < 0.1 ? 2 : 1;
  return `${number(100 * share, digits, digits)} %`;
}

/** Return the smallest of 1, 2 and 5 times a power of ten that is not below a number. */
export function roundStep(min: number): number {
  const power = 10 ** Math.floor(Math.log10(min));
  return ([1, 2, 5].find((factor) => factor * power >= min) ?? 10) * power;
}

/** Format an optimality gap; a small one does not look like zero. */
export const gapText = (gap: number) =>
  gap < 1e-6 ? "0 %" : gap < 1e-4 ? "< 0.01 %" : percent(gap);

/** 1 route, 2 routes. */
export const countOf = (count: number, noun: string) =>
  `${number(count)} ${noun}${count === 1 ? "" : "s"}`;

export function duration(seconds: number): string {
  if (seconds < 59.95) return `${number(seconds, 1, 1)} s`;
  const whole = Math.round(seconds);
  return `${number(Math.floor(whole / 60))} min ${whole % 60} s`;
}

/** Format a date and time; the year only if it is not the current one. */
export function dateTime(seconds: number): string {
  const date = new Date(1000 * seconds);
  const year = date.getFullYear() === new Date().getFullYear() ? undefined : "numeric";
  return date.toLocaleString("en-GB", {
    day: "numeric", month: "short", year, hour: "2-digit", minute: "2-digit",
  });
}

/** Name of a job; its number distinguishes jobs of the same name. */
export const title = (job: { name: string; number: number }) =>
  `${job.name || "unnamed"} #${job.number}`;

/** Put names of a list first, in its order. */
export const ranked = (names: string[], first: string[]): string[] => [
  ...first.filter((name) => names.includes(name)),
  ...names.filter((name) => !first.includes(name)),
];

export const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
