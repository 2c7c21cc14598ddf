// State of the form for a new job; it survives switching to another view.

import {
  postJob,
  readInstance,
  ApiError,
  type Info,
  type Instance,
  type JobRequest,
  type JobState,
} from "./api";
import { capitalised } from "./format";

export type Source = JobRequest["instance"];

export const EFFORTS = [
  { name: "quick", seconds: 5, label: "5 seconds" },
  { name: "good", seconds: 30, label: "30 seconds" },
  { name: "best", seconds: 300, label: "5 minutes" },
];

export interface Options {
  rule: string;
  engine: string;
  levels: number;
  base: number;
  seed: number;
  seconds: number | null;
  baseline: boolean;
  bound: boolean;
}

/** Values that complete or override those of one file. */
export interface Overrides {
  capacity: number | null;
  vehicles: number | null;
  unit: number | null;
  metric: string;
}
const NO_OVERRIDES: Overrides = { capacity: null, vehicles: null, unit: null, metric: "" };

const FIELDS = [
  "capacity", "vehicles", "seconds", "engine", "rule", "levels", "base", "seed", "metric", "unit",
];
// Messages that differ from those of the service, by error code.
const MESSAGES: Record<string, string> = {
  no_capacity: "Enter the capacity, or add a first line '# capacity: 100' to the file.",
};
const TYPING_MS = 300; // pause after the last key

class Draft {
  source = $state.raw<Source | null>(null);
  instance = $state.raw<Instance | null>(null);
  overrides = $state<Overrides>({ ...NO_OVERRIDES });
  effort = $state("quick");
  options = $state<Options>({
    rule: "",
    engine: "native",
    levels: 2,
    base: 2,
    seed: 1,
    seconds: null,
    baseline: true,
    bound: true,
  });
  errors = $state.raw<Record<string, string>>({});
  warnings = $state.raw<string[]>([]);

  #opened: Source | null = null; // latest file, valid or not
  #overridden: Source | null = null; // file that the overrides belong to; null: the next one
  #reading: Promise<boolean> | undefined;
  #reads = 0; // a late response must not replace that to a newer request
  #typing: ReturnType<typeof setTimeout> | undefined;

  /** Open a new file, without the overrides of the previous one. */
  open(source: Source): Promise<boolean> {
    if (this.#overridden || !("text" in source)) this.overrides = { ...NO_OVERRIDES };
    this.#opened = this.#overridden = source;
    return (this.#reading = this.#read(source));
  }

  /** Clear the error of an edited field, and read the file again if it depends on the field. */
  edited(field: string): void {
    const { [field]: _, ...others } = this.errors;
    this.errors = others;
    if (!(field in NO_OVERRIDES)) return;
    this.#overridden = this.#opened;
    clearTimeout(this.#typing);
    // While typing, not on leaving the field: the page would move under a click.
    this.#typing = setTimeout(() => this.#opened && void this.#read(this.#opened), TYPING_MS);
  }

  /** Show why a file cannot be read. */
  refuse(message: string): void {
    this.#reads++;
    this.#opened = null;
    [this.source, this.instance, this.errors] = [null, null, { instance: message }];
  }

  /** Submit the job and return its id, or null if it is refused. */
  async solve(info: Info): Promise<string | null> {
    clearTimeout(this.#typing);
    await this.#reading;
    if (!this.source) {
      const message = "Drop a file, paste a table or choose an example first.";
      this.errors = { ...this.errors, instance: this.errors.instance ?? message };
      return null;
    }
    try {
      const { id } = await postJob(this.#request(this.source, this.seconds(info)));
      this.errors = {};
      return id;
    } catch (error) {
      this.#showError(error);
      return null;
    }
  }

  seconds(info: Info): number {
    const effort = EFFORTS.find(({ name }) => name === this.effort)!;
    return this.options.seconds ?? Math.min(info.max_seconds, effort.seconds);
  }

  /** Fill in the request of a job, to change it and solve again. */
  copy(job: JobState, instance: Instance): void {
    const request = job.request as Partial<JobRequest>;
    this.source = { format: "json", text: JSON.stringify(instance), name: job.name };
    this.#opened = this.#overridden = this.source;
    this.instance = instance;
    this.warnings = [];
    this.overrides = { ...NO_OVERRIDES, vehicles: request.vehicles ?? null };
    this.errors = {};
    this.options = {
      rule: request.rule ?? "",
      engine: request.engine ?? "native",
      levels: request.levels ?? 2,
      base: request.base ?? 2,
      seed: request.seed ?? 1,
      seconds: request.seconds ?? null,
      baseline: request.baseline ?? true,
      bound: (request.bound ?? 0) > 0,
    };
  }

  async #read(source: Source): Promise<boolean> {
    const read = ++this.#reads;
    try {
      const found = await readInstance(this.#request(source));
      if (read !== this.#reads) return false;
      [this.source, this.instance, this.errors] = [source, found, {}];
      this.warnings = found.warnings.map(capitalised);
      return true;
    } catch (error) {
      if (read !== this.#reads) return false;
      this.#showError(error);
      // A file without a capacity or unit can be submitted as soon as that is filled in.
      const usable = this.errors.instance ? null : source;
      if (usable !== this.source || !usable) this.instance = null;
      this.source = usable;
      return false;
    }
  }

  #request(source: Source, seconds?: number): JobRequest {
    const { capacity, vehicles, unit, metric } = this.overrides;
    const { rule, engine, seed, levels, base, bound, baseline } = this.options;
    const fileOverrides = {
      ...(capacity === null ? {} : { capacity }),
      ...(unit === null ? {} : { unit }),
    };
    const instance = {
      instance: "text" in source ? { ...source, ...fileOverrides } : source,
      metric: (metric || null) as JobRequest["metric"],
      vehicles,
    };
    if (seconds === undefined) return instance;
    return {
      ...instance,
      seconds,
      seed,
      engine,
      rule: rule || null,
      bound: bound ? seconds : 0,
      baseline: baseline && rule !== "none",
      ...(rule === "pasa" ? { levels, base } : {}),
    };
  }

  /** Show an error next to the field that the service names. */
  #showError(error: unknown): void {
    if (!(error instanceof ApiError)) throw error;
    const message = MESSAGES[error.code ?? ""] ?? capitalised(error.message);
    const field = error.field?.split(".").pop() ?? "";
    if (FIELDS.includes(field)) this.errors = { [field]: message };
    else this.errors = { [error.field ? "instance" : "all"]: message };
  }
}

export const draft = new Draft();
