// A job as the page follows it: its state, its curves, and the plans it had on the way.

import {
  ENDED,
  follow,
  getInstance,
  getJob,
  Refusal,
  renameJob,
  type JobState,
  type Report,
  type Solution,
} from "./api";
import { sceneOf, type Scene } from "./scene";

const BETWEEN = 400; // milliseconds between two looks at the best plan so far
const AGAIN = 2000; // milliseconds after a look that failed
const KEPT = 300_000; // visits of all plans that the chart can show again

type Points = [number, number][];

export class Run {
  job = $state.raw<JobState | null>(null);
  scene = $state.raw<Scene | null>(null);
  costs = $state.raw<Points>([]);
  bounds = $state.raw<Points>([]);
  seconds = $state(0);
  connected = $state(true);
  problem = $state("");
  past = $state.raw<{ seconds: number; cost: number; solution: Solution }[]>([]);

  readonly ended = $derived(this.job !== null && ENDED.includes(this.job.status));

  readonly #leave = new AbortController();
  #looking = false;
  #again = false;

  constructor(readonly id: string) {
    void this.#begin();
  }

  /** How long it has taken from its start to its end, all told. */
  get took(): number | null {
    if (!this.job?.started || !this.job.ended) return null;
    return this.job.ended - this.job.started;
  }

  async rename(name: string): Promise<void> {
    await renameJob(this.id, name);
    if (this.job) this.job = { ...this.job, name };
  }

  close(): void {
    this.#leave.abort();
  }

  async #begin(): Promise<void> {
    while (!this.scene && !this.#leave.signal.aborted) {
      const instance = await this.#tried(() => getInstance(this.id));
      if (instance) this.scene = sceneOf(instance);
      else if (this.#lost) return;
    }
    await this.#look();
    if (this.ended || this.#leave.signal.aborted) return;
    await follow(this.id, this.#leave.signal, this.#heard, (yes) => (this.connected = yes)).catch(
      (error: Error) => (this.problem = error.message),
    );
    if (!this.ended) await this.#look();
  }

  readonly #heard = (kind: string, data: Report & { status?: string }): void => {
    if (kind !== "progress") {
      void this.#look();
      return;
    }
    this.seconds = data.seconds;
    // While it solves without splitting, the cost of the solution stands still.
    if (data.cost !== null && data.phase !== "baseline")
      this.costs = extended(this.costs, data.seconds, data.cost);
    if (data.bound) this.bounds = extended(this.bounds, data.seconds, data.bound);
    if (data.cost !== null && data.cost !== this.job?.cost) void this.#look();
  };

  /** The state of the job, but not more often than one can see. */
  async #look(): Promise<void> {
    this.#again = true;
    if (this.#looking) return;
    this.#looking = true;
    while (this.#again && !this.#leave.signal.aborted && !this.#lost) {
      this.#again = false;
      const at = this.seconds;
      const job = await this.#tried(() => getJob(this.id));
      if (!job) {
        this.#again = true;
        continue;
      }
      this.job = job;
      if (this.ended) this.#finish(job);
      else this.#remember(job, at);
      if (!this.ended) await pause(BETWEEN);
    }
    this.#looking = false;
  }

  #lost = false; // there is no such job, or it may not be seen

  /** The answer, or nothing after a moment's pause; what is wrong is shown meanwhile. */
  async #tried<T>(ask: () => Promise<T>): Promise<T | null> {
    try {
      const answer = await ask();
      this.problem = "";
      return answer;
    } catch (error) {
      this.problem = (error as Error).message;
      this.#lost = error instanceof Refusal && error.status >= 400 && error.status < 500;
      if (!this.#lost) await pause(AGAIN);
      return null;
    }
  }

  /** Plans seen while it ran, with the second of the report before; not too many of them. */
  #remember({ cost, solution }: JobState, seconds: number): void {
    if (!solution || !seconds || typeof cost !== "number" || cost === this.past.at(-1)?.cost) return;
    const visits = solution.routes.reduce((sum, route) => sum + route.visits.length, 1);
    this.past = [...this.past, { seconds, cost, solution }].slice(-Math.ceil(KEPT / visits));
  }

  /** In the end the service knows the curves to the hundredth of a second. */
  #finish({ outcome, bound }: JobState): void {
    if (!outcome) return;
    this.seconds = outcome.seconds;
    const bounds = outcome.bound_trace as Points;
    this.costs = upTo(outcome.seconds, outcome.trace as Points);
    this.bounds = upTo(outcome.seconds, bounds.length || !bound ? bounds : [[0, bound]]);
  }
}

const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));

/** The last value stands until the end. */
function upTo(seconds: number, points: Points): Points {
  const last = points.at(-1);
  return last && last[0] < seconds ? [...points, [seconds, last[1]]] : points;
}

/** One point more; equal values are one long step, of which only both ends are kept. */
function extended(points: Points, seconds: number, value: number): Points {
  const [before, last] = points.slice(-2);
  const flat = before && last && before[1] === value && last[1] === value;
  return [...(flat ? points.slice(0, -1) : points), [seconds, value]];
}
