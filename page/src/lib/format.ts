// Figures as people read them.

export function cost(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  const digits = Number.isInteger(value) ? 0 : 2;
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export const amount = (value: number) => value.toLocaleString("en", { maximumFractionDigits: 6 });

export function percent(share: number): string {
  return `${(100 * share).toFixed(share < 0.1 ? 2 : 1)} %`;
}

/** What a better plan could save. */
export const atMost = (share: number) =>
  share < 1e-6 ? "nothing" : share < 1e-4 ? "< 0.01 %" : `≤ ${percent(share)}`;

export const counted = (count: number, noun: string) =>
  `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

export function duration(seconds: number): string {
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  return `${minutes} min ${Math.round(seconds % 60)} s`;
}

export function moment(seconds: number): string {
  const then = new Date(1000 * seconds);
  const today = then.toDateString() === new Date().toDateString();
  return then.toLocaleString("en", today ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" });
}
