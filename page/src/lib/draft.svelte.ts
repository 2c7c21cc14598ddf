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
import { isClock } from "./scene";
import { errorsOf, noRules, rulesOf, withRules, type Rules } from "./rules";

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
// What the service says to programs, in the words of the form.
const inForm = (message: string) =>
  message.replace(/; partial=True delivers.*/, ". Tick “deliver as much as possible”, among the rules, to solve it anyway.");
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
  rules = $state<Rules>(noRules());
  errors = $state.raw<Record<string, string>>({});
  warnings = $state.raw<string[]>([]);

  #base = $state.raw<Instance | null>(null); // instance of the file, which the rules complete
  #hasEditedRules = false;
  readonly canEditRules = $derived(this.#base !== null);
  readonly isGlobe = $derived(this.#base?.metric === "haversine");
  readonly isClock = $derived(this.#base !== null && isClock(this.#base));

  #opened: Source | null = null; // latest file, valid or not
  #overridden: Source | null = null; // file that the overrides belong to; null: the next one
  #reading: Promise<boolean> | undefined;
  #reads = 0; // a late response must not replace that to a newer request
  #typing: ReturnType<typeof setTimeout> | undefined;

  /** Open a new file, without the overrides of the previous one. */
  open(source: Source): Promise<boolean> {
    if (this.#overridden || !("text" in source)) this.overrides = { ...NO_OVERRIDES };
    this.#opened = this.#overridden = source;
    [this.#base, this.#hasEditedRules, this.rules] = [null, false, noRules()];
    return (this.#reading = this.#read(source));
  }

  /** Add a table of vehicle types to the file. */
  addFile(field: "fleet", text: string): Promise<boolean> {
    const source = this.#opened;
    if (!source || !("text" in source)) {
      this.errors = { [field]: "Load a file with customers first." };
      return Promise.resolve(false);
    }
    return this.open({ ...source, [field]: text });
  }

  addType(): void {
    const isFirst = !this.rules.fleet.length;
    const capacity = this.overrides.capacity ?? this.instance?.capacity ?? null;
    const count = isFirst ? this.overrides.vehicles : null;
    const type = `type ${this.rules.fleet.length + 1}`;
    this.rules.fleet.push({ type, count, capacity: isFirst ? capacity : null });
    if (isFirst) this.editedRules("vehicles");
  }

  removeType(k: number): void {
    this.rules.fleet.splice(k, 1);
    this.editedRules("vehicles");
  }

  addDepot(): void {
    this.rules.depots.push({ id: `depot${this.rules.depots.length + 1}`, x: null, y: null, windows: null });
  }

  removeDepot(k: number): void {
    this.rules.depots.splice(k, 1);
    this.editedRules("depots");
  }

  /** Clear the error of an edited rule, and check the rules. */
  editedRules(field: string): void {
    this.#hasEditedRules = true;
    this.#clearError(field);
    this.#readLater();
  }

  /** Clear the error of an edited field, and read the file again if it depends on the field. */
  edited(field: string): void {
    this.#clearError(field);
    if (!(field in NO_OVERRIDES)) return;
    this.#overridden = this.#opened;
    this.#readLater();
  }

  #clearError(field: string): void {
    const { [field]: _, ...others } = this.errors;
    this.errors = others;
  }

  #readLater(): void {
    clearTimeout(this.#typing);
    // While typing, not on leaving the field: the page would move under a click.
    this.#typing = setTimeout(() => this.#opened && void this.#read(this.#opened), TYPING_MS);
  }

  /** Show why a file cannot be read. */
  refuse(message: string): void {
    this.#reads++;
    this.#opened = null;
    [this.#base, this.#hasEditedRules, this.rules] = [null, false, noRules()];
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
    [this.#base, this.#hasEditedRules, this.rules] = [instance, false, rulesOf(instance)];
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
      // What is found in a file is submitted again with the rules of the form, without the warnings.
      const { warnings, ...found } = await readInstance(this.#request(source));
      if (read !== this.#reads) return false;
      [this.source, this.instance, this.errors] = [source, found, {}];
      if (!this.#base) [this.#base, this.rules] = [baseOf(found, source), rulesOf(found)];
      this.warnings = warnings.map(capitalised);
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
    const { unit, metric } = this.overrides;
    // A fleet has its own capacities and counts.
    const hasFleet = this.rules.fleet.length > 0;
    const capacity = hasFleet ? null : this.overrides.capacity;
    const vehicles = hasFleet ? null : this.overrides.vehicles;
    const { rule, engine, seed, levels, base, bound, baseline } = this.options;
    const fileOverrides = {
      ...(capacity === null ? {} : { capacity }),
      ...(unit === null ? {} : { unit }),
    };
    const completed = this.#hasEditedRules && this.#base ? this.#completed(source, this.#base) : source;
    const instance = {
      instance: "text" in completed ? { ...completed, ...fileOverrides } : completed,
      metric: (metric || null) as JobRequest["metric"],
      vehicles,
      ...(this.rules.partial ? { partial: true } : {}),
      ...(this.rules.speed ? { speed: this.rules.speed } : {}),
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

  /** Return the instance with the rules of the form as a file. */
  #completed(source: Source, base: Instance): Source {
    const name = "name" in source ? source.name : "";
    return { format: "json", text: JSON.stringify(withRules(base, this.rules)), name };
  }

  /** Show an error next to the field that the service names. */
  #showError(error: unknown): void {
    if (!(error instanceof ApiError)) throw error;
    const message = MESSAGES[error.code ?? ""] ?? capitalised(inForm(error.message));
    const field = error.field?.split(".").pop() ?? "";
    const rules = this.#hasEditedRules ? errorsOf(error.errors.map((e) => ({ ...e, detail: inForm(e.detail) })), this.rules) : {};
    if (Object.keys(rules).length) this.errors = rules;
    else if (this.#hasEditedRules && field === "instance") this.errors = { rules: message };
    else if (field === "fleet") this.errors = { fleet: message };
    else if (FIELDS.includes(field)) this.errors = { [field]: message };
    else this.errors = { [error.field ? "instance" : "all"]: message };
  }
}

/** Return the instance that rules can be added to; the service leaves out matrices. */
function baseOf(instance: Instance, source: Source): Instance | null {
  if (instance.metric !== "matrix") return instance;
  const isJson = "format" in source && source.format === "json";
  return isJson ? { ...instance, matrix: JSON.parse(source.text).matrix } : null;
}

export const draft = new Draft();
