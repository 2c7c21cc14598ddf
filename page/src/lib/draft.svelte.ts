// What is being filled in on the first page. It stays when one looks at a plan and comes back.

import {
  postJob,
  readInstance,
  Refusal,
  type Info,
  type Instance,
  type JobRequest,
  type JobState,
} from "./api";
import { sentence } from "./format";

export type Source = JobRequest["instance"];

export const EFFORTS = [
  { name: "quick", seconds: 5, words: "5 seconds" },
  { name: "good", seconds: 30, words: "30 seconds" },
  { name: "best", seconds: 300, words: "5 minutes" },
];

export interface Choices {
  rule: string;
  engine: string;
  levels: number;
  base: number;
  seed: number;
  seconds: number | null;
  baseline: boolean;
  bound: boolean;
}

/** What the file itself does not say; it is about that file alone. */
export interface Given {
  capacity: number | null;
  vehicles: number | null;
  unit: number | null;
  metric: string;
}
const NOTHING: Given = { capacity: null, vehicles: null, unit: null, metric: "" };

const FIELDS = [
  "capacity", "vehicles", "seconds", "engine", "rule", "levels", "base", "seed", "metric", "unit",
];
// What the page says otherwise than the service, by code.
const WORDS: Record<string, string> = {
  no_capacity: "Fill this in, or give the file a first line '# capacity: 100'.",
};
const SOON = 300; // milliseconds after the last key

class Draft {
  source = $state.raw<Source | null>(null);
  instance = $state.raw<Instance | null>(null);
  given = $state<Given>({ ...NOTHING });
  effort = $state("quick");
  choices = $state<Choices>({
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
  warnings = $state.raw<string[]>([]); // about the instance

  #opened: Source | null = null; // the latest file, right or wrong
  #owner: Source | null = null; // the file that what is given is about; none: the next one
  #taking: Promise<boolean> | undefined;
  #takes = 0; // the answer to an earlier file must not replace that to a later one
  #typing: ReturnType<typeof setTimeout> | undefined;

  /** A new file. What was typed for the one before is not about this one. */
  open(from: Source): Promise<boolean> {
    if (this.#owner || !("text" in from)) this.given = { ...NOTHING };
    this.#opened = this.#owner = from;
    return (this.#taking = this.#take(from));
  }

  /** A field was changed: what was wrong with it may be right now. */
  amended(field: string): void {
    const { [field]: _, ...others } = this.errors;
    this.errors = others;
    if (!(field in NOTHING)) return;
    this.#owner = this.#opened;
    clearTimeout(this.#typing);
    // While typing, so that no click is lost.
    this.#typing = setTimeout(() => this.#opened && void this.#take(this.#opened), SOON);
  }

  refuse(why: string): void {
    this.#takes++;
    this.#opened = null;
    [this.source, this.instance, this.errors] = [null, null, { instance: why }];
  }

  /** Hands in the job; returns its id, or nothing if something is wrong with it. */
  async solve(info: Info): Promise<string | null> {
    clearTimeout(this.#typing);
    await this.#taking;
    if (!this.source) {
      const first = "First drop a file, paste a table or choose an example.";
      this.errors = { ...this.errors, instance: this.errors.instance ?? first };
      return null;
    }
    try {
      const { id } = await postJob(this.#request(this.source, this.seconds(info)));
      this.errors = {};
      return id;
    } catch (error) {
      this.#blame(error);
      return null;
    }
  }

  seconds(info: Info): number {
    const effort = EFFORTS.find((each) => each.name === this.effort)!;
    return this.choices.seconds ?? Math.min(info.most_seconds, effort.seconds);
  }

  /** The same once more: what was asked for in a job, to be changed. */
  again(job: JobState, instance: Instance): void {
    const asked = job.request as Partial<JobRequest>;
    this.source = { format: "json", text: JSON.stringify(instance), name: job.name };
    this.#opened = this.#owner = this.source;
    this.instance = instance;
    this.warnings = [];
    this.given = { ...NOTHING, vehicles: asked.vehicles ?? null };
    this.errors = {};
    this.choices = {
      rule: asked.rule ?? "",
      engine: asked.engine ?? "native",
      levels: asked.levels ?? 2,
      base: asked.base ?? 2,
      seed: asked.seed ?? 1,
      seconds: asked.seconds ?? null,
      baseline: asked.baseline ?? true,
      bound: (asked.bound ?? 0) > 0,
    };
  }

  async #take(from: Source): Promise<boolean> {
    const mine = ++this.#takes;
    try {
      const found = await readInstance(this.#request(from));
      if (mine !== this.#takes) return false;
      [this.source, this.instance, this.errors] = [from, found, {}];
      this.warnings = found.warnings.map(sentence);
      return true;
    } catch (error) {
      if (mine !== this.#takes) return false;
      this.#blame(error);
      // What lacks a capacity or a unit can be handed in as soon as that is filled in.
      const kept = this.errors.instance ? null : from;
      if (kept !== this.source || !kept) this.instance = null;
      this.source = kept;
      return false;
    }
  }

  #request(from: Source, seconds?: number): JobRequest {
    const { capacity, vehicles, unit, metric } = this.given;
    const { rule, engine, seed, levels, base, bound, baseline } = this.choices;
    const stated = {
      ...(capacity === null ? {} : { capacity }),
      ...(unit === null ? {} : { unit }),
    };
    const instance = {
      instance: "text" in from ? { ...from, ...stated } : from,
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

  /** Where on the page an error belongs: beside the field that the service names. */
  #blame(error: unknown): void {
    if (!(error instanceof Refusal)) throw error;
    const detail = WORDS[error.code ?? ""] ?? sentence(error.message);
    const last = error.field?.split(".").pop() ?? "";
    if (FIELDS.includes(last)) this.errors = { [last]: detail };
    else this.errors = { [error.field ? "instance" : "all"]: detail };
  }
}

export const draft = new Draft();
