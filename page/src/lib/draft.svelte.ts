// State of the form for a new job; it survives switching to another view.

import {
  postJob, readInstance, ApiError, type Columns, type Info, type Instance, type JobRequest, type JobState,
} from "./api";
import { columnsOf } from "./columns";
import { capitalised } from "./format";
import { fieldOf, messageOf, missingOf } from "./messages";
import {
  baseOf, readRequest, searchRequest, DEFAULT_OPTIONS, EFFORTS, NO_OVERRIDES, type Options, type Overrides, type Source,
} from "./request";
import { isClock } from "./scene";
import { errorsOf, noRules, rulesOf, withRules, type Rules } from "./rules";
import { cellErrors, isGlobeFile, tablesOf, type Tables } from "./tables";

const TYPING_MS = 300; // pause after the last key

class Draft {
  source = $state.raw<Source | null>(null);
  instance = $state.raw<Instance | null>(null);
  overrides = $state<Overrides>({ ...NO_OVERRIDES });
  effort = $state("quick");
  options = $state<Options>({ ...DEFAULT_OPTIONS });
  rules = $state<Rules>(noRules());
  errors = $state.raw<Record<string, string>>({});
  warnings = $state.raw<string[]>([]);
  columns = $state.raw<Columns | null>(null); // of the latest table, valid or not

  isIncomplete = $state(false); // the file lacks depots, a capacity or vehicle types
  #base = $state.raw<Instance | null>(null); // instance of the file, which the rules complete
  #hasEditedRules = false;
  readonly canEditRules = $derived(this.#base !== null);
  readonly isGlobe = $derived(this.#base ? this.#base.metric === "haversine" : isGlobeFile(this.source, this.columns));
  readonly isOnRoads = $derived(this.options.roads !== "" && this.isGlobe); // which have speeds of their own
  readonly isClock = $derived(this.#base ? isClock(this.#base) : this.isGlobe);

  #opened: Source | null = null; // latest file, valid or not
  #refused: Tables = {}; // tables that may become valid with another one
  #overridden: Source | null = null; // file that the overrides belong to; null: the next one
  #reading: Promise<boolean> | undefined;
  #edits = 0;
  #reads = 0; // a late response must not replace that to a newer request
  #typing: ReturnType<typeof setTimeout> | undefined;

  /** Open a new file, without the overrides of the previous one. */
  open(source: Source): Promise<boolean> {
    if (this.#overridden || !("text" in source)) this.overrides = { ...NO_OVERRIDES };
    this.#overridden = source;
    this.#reset(source);
    return (this.#reading = this.#read(source));
  }

  /** Read the file in another way: with other columns or another sheet. The overrides still apply. */
  reopen(change: (source: Source) => Source): Promise<boolean> {
    if (!this.#opened) return Promise.resolve(false);
    this.#overridden = null;
    const { columns } = this;
    const reading = this.open(change(this.#opened));
    this.columns = columns; // shown until the new ones are there
    return reading;
  }

  /** Open a new file with its tables. */
  async openWith(source: Source, tables: Tables): Promise<boolean> {
    const acceptsTables = "text" in source && ["csv", "geojson", "json", "workbook"].includes(source.format);
    if (acceptsTables) return this.open({ ...source, ...tables });
    return (await this.open(source)) && this.addTables(tables);
  }

  /** Add tables to the file; if they are refused, all else stays as it is. */
  addTables(tables: Tables): Promise<boolean> {
    clearTimeout(this.#typing);
    if (this.instance && this.source) return (this.#reading = this.#complete(this.source, tables));
    if (!this.#opened || !("text" in this.#opened)) {
      const message = "Choose the file with customers, too: all files at once.";
      this.errors = { instance: message };
      return Promise.resolve(false);
    }
    this.#opened = { ...this.#opened, ...tables };
    if (tables.fleet) this.rules.fleet = [];
    if (tables.depots) this.rules.depots = [];
    return (this.#reading = this.#read(this.#opened));
  }

  /** Whether a table was loaded for a file that still lacks something. */
  hasTable(field: keyof Tables): boolean {
    return this.isIncomplete && !!this.source && field in this.source;
  }

  addType(): void {
    const isFirst = !this.rules.fleet.length;
    const capacity = this.overrides.capacity ?? this.instance?.capacity ?? null;
    const count = isFirst ? this.overrides.vehicles : null;
    const type = `type ${this.rules.fleet.length + 1}`;
    this.rules.fleet.push({ type, count, capacity: isFirst ? capacity : null });
    if (isFirst && capacity !== null) this.editedRules("vehicles");
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
    this.#edits++;
    const { [field]: _, ...others } = this.errors;
    this.errors = others;
  }

  #readLater(): void {
    clearTimeout(this.#typing);
    this.#reads++; // a response about the values before must not show their errors again
    // While typing, not on leaving the field: the page would move under a click.
    this.#typing = setTimeout(() => this.#readNow(), TYPING_MS);
  }

  #readNow(): void {
    clearTimeout(this.#typing);
    this.#typing = undefined;
    if (this.#opened) this.#reading = this.#read(this.#opened);
  }

  /** Forget the rules and tables of the previous file. */
  #reset(source: Source | null): void {
    clearTimeout(this.#typing);
    this.#typing = undefined;
    [this.#opened, this.#refused, this.isIncomplete, this.columns] = [source, {}, false, null];
    [this.#base, this.#hasEditedRules, this.rules] = [null, false, noRules()];
  }

  /** Show why a file cannot be read. */
  refuse(message: string): void {
    this.#reads++;
    this.#reset(null);
    [this.source, this.instance, this.errors] = [null, null, { instance: message }];
  }

  /** Submit the job and return its id, or null if it is refused. */
  async solve(info: Info): Promise<string | null> {
    const isTyping = this.#typing !== undefined;
    if (isTyping) this.#readNow();
    if (!(await this.#reading) && isTyping) return null; // for the reason just shown
    if (!this.source) {
      const message = "Drop a file, paste a table or choose an example first.";
      this.errors = { ...this.errors, instance: this.errors.instance ?? message };
      return null;
    }
    const edits = this.#edits;
    try {
      const { id } = await postJob({
        ...this.#request(this.source),
        ...searchRequest(this.options, this.seconds(info)),
        ...(this.isOnRoads ? { roads: this.options.roads, speed: null } : {}),
      });
      this.errors = {};
      return id;
    } catch (error) {
      if (edits === this.#edits) this.#showError(error); // else it may be corrected by now
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
    this.#reset(this.source);
    this.#overridden = this.source;
    [this.instance, this.#base, this.rules] = [instance, instance, rulesOf(instance)];
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
      roads: request.roads ?? "",
      baseline: request.baseline ?? true,
      bound: (request.bound ?? 0) > 0,
    };
  }

  async #read(source: Source): Promise<boolean> {
    const read = ++this.#reads;
    const columns = columnsOf(source); // shown with the response: the page must not move once more
    try {
      // What is found in a file is submitted again with the rules of the form, without the warnings.
      const { warnings, ...found } = await readInstance(this.#request(source));
      const shown = await columns;
      if (read !== this.#reads) return false;
      if (!this.#base) {
        // Rows of the form stay what they are: someone may be typing there.
        const written = this.#hasEditedRules ? this.#written() : {};
        [this.#base, this.rules] = [baseOf(found, source), { ...rulesOf(found), ...written }];
      }
      this.#accept(source, found, warnings);
      this.columns = shown;
      return true;
    } catch (error) {
      const shown = await columns;
      if (read !== this.#reads) return false;
      this.columns = shown;
      this.#showError(error);
      // A file that lacks something can be submitted as soon as that is filled in.
      const usable = this.errors.instance ? null : source;
      if (usable !== this.source || !usable) this.instance = null;
      this.source = usable;
      return false;
    }
  }

  #accept(source: Source, instance: Instance, warnings: string[]): void {
    [this.source, this.instance, this.errors, this.isIncomplete] = [source, instance, {}, false];
    this.warnings = warnings.map(capitalised);
  }

  /** Add tables to an instance: first with those that were refused before, then without them. */
  async #complete(source: Source, tables: Tables): Promise<boolean> {
    const read = ++this.#reads;
    const hadRefused = Object.keys(this.#refused).some((field) => !(field in tables));
    let errors: Record<string, string> = {};
    for (const added of hadRefused ? [{ ...this.#refused, ...tables }, tables] : [tables]) {
      const rules = "fleet" in added ? { ...this.rules, fleet: [] } : this.rules;
      const file = { ...this.#asJson(source, rules), ...added } as Source;
      const hasFleet = "fleet" in added || rules.fleet.length > 0;
      try {
        const { warnings, ...found } = await readInstance(readRequest(file, hasFleet, this.overrides, rules));
        if (read !== this.#reads) return false;
        [this.#opened, this.#overridden, this.#hasEditedRules] = [file, file, false];
        [this.#base, this.rules] = [baseOf(found, file), rulesOf(found)];
        this.#accept(file, found, warnings);
        this.errors = errors;
        if (added !== tables || !hadRefused) this.#refused = {};
        return true;
      } catch (error) {
        if (read !== this.#reads) return false;
        if (!(error instanceof ApiError)) throw error;
        const field = fieldOf(error);
        errors = { [field in added ? field : Object.keys(tables)[0]]: messageOf(error) };
      }
    }
    [this.errors, this.#refused] = [errors, { ...this.#refused, ...tables }];
    return false;
  }

  #request(source: Source): JobRequest {
    const file = this.#completed(source);
    const hasFleet = "fleet" in file || (this.#base !== null && this.rules.fleet.length > 0);
    return readRequest(file, hasFleet, this.overrides, this.rules);
  }

  /** Return the file with the rules of the form. */
  #completed(source: Source): Source {
    if (!this.#hasEditedRules) return source;
    if (this.#base) return this.#asJson(source);
    return { ...source, ...tablesOf(this.rules, this.isGlobe) } as Source;
  }

  /** Return the instance with the rules of the form as a file, if it can be written as one. */
  #asJson(source: Source, rules = this.rules): Source {
    if (!this.#base) return source;
    const name = "name" in source ? source.name : "";
    return { format: "json", text: JSON.stringify(withRules(this.#base, rules)), name };
  }

  /** Return the rows of the form that complete a file. */
  #written(): Partial<Rules> {
    const { fleet, depots } = tablesOf(this.rules, this.isGlobe);
    return { ...(fleet ? { fleet: this.rules.fleet } : {}), ...(depots ? { depots: this.rules.depots } : {}) };
  }

  /** Show an error next to the field that the service names. */
  #showError(error: unknown): void {
    if (!(error instanceof ApiError)) throw error;
    const field = fieldOf(error);
    const missing = this.#base ? null : missingOf(error);
    this.isIncomplete = missing !== null || (!this.#base && (field === "fleet" || field === "depots"));
    if (missing?.depots && !this.rules.depots.length) this.rules.depots = [{ id: "depot", x: null, y: null, windows: null }];
    const inRules = this.#hasEditedRules ? { ...errorsOf(error.errors, this.rules), ...cellErrors(error, field) } : {};
    if (missing) this.errors = missing;
    else if (Object.keys(inRules).length) this.errors = inRules;
    else this.errors = { [this.#hasEditedRules && field === "instance" ? "rules" : field]: messageOf(error) };
  }
}

export const draft = new Draft();
