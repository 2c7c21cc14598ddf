// Figures as people read them.

/** The one way in which numbers are written: with separators between thousands, and no -0. */
export const figure = (value: number, maxDigits = 6, minDigits = 0) =>
  (value + 0).toLocaleString("en", { minimumFractionDigits: minDigits, maximumFractionDigits: maxDigits });

export function cost(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  const digits = Number.isInteger(value) ? 0 : 2;
  return figure(value, digits, digits);
}

export const amount = (value: number) => figure(value);

export function percent(share: number): string {
  const digits = share < 0.1 ? 2 : 1;
  return `${figure(100 * share, digits, digits)} %`;
}

/** What a better plan could save. */
export const atMost = (share: number) =>
  share < 1e-6 ? "nothing" : share < 1e-4 ? "< 0.01 %" : `≤ ${percent(share)}`;

export const counted = (count: number, noun: string) =>
  `${figure(count)} ${noun}${count === 1 ? "" : "s"}`;

export function duration(seconds: number): string {
  if (seconds < 59.95) return `${figure(seconds, 1, 1)} s`;
  const whole = Math.round(seconds);
  return `${figure(Math.floor(whole / 60))} min ${whole % 60} s`;
}

/** A date and a time; the year only where it is not this one. */
export function moment(seconds: number): string {
  const then = new Date(1000 * seconds);
  const year = then.getFullYear() === new Date().getFullYear() ? undefined : "numeric";
  return then.toLocaleString("en-GB", {
    day: "numeric", month: "short", year, hour: "2-digit", minute: "2-digit",
  });
}

/** What a job is called; the number tells those of one name apart. */
export const title = (job: { name: string; number: number }) =>
  `${job.name || "unnamed"} #${job.number}`;

/** The words of a message with a capital at their start. */
export const sentence = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
