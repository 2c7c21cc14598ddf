// A job that is followed while it runs: state, convergence and past solutions.

import {
  ApiError,
  ENDED,
  followEvents,
  getInstance,
  getJob,
  renameJob,
  type JobState,
  type Report,
  type Solution,
} from "./api";
import { sceneOf, type Scene } from "./scene";

const REFRESH_MS = 400; // between requests for the best solution so far
const RETRY_MS = 2000; // after a failed request
const MAX_PAST_VISITS = 300_000; // of all past solutions together

type Points = [number, number][];

export class LiveJob {
  job = $state.raw<JobState | null>(null);
  scene = $state.raw<Scene | null>(null);
  costs = $state.raw<Points>([]);
  bounds = $state.raw<Points>([]);
  seconds = $state(0);
  isConnected = $state(true);
  error = $state("");
  past = $state.raw<{ seconds: number; cost: number; solution: Solution }[]>([]);

  readonly hasEnded = $derived(this.job !== null && ENDED.includes(this.job.status));

  readonly #abort = new AbortController();
  #isRefreshing = false;
  #needsRefresh = false;
  #isLost = false; // the job does not exist or may not be seen

  constructor(readonly id: string) {
    void this.#follow();
  }

  /** Seconds from start to end, baseline included. */
  get elapsed(): number | null {
    if (!this.job?.started || !this.job.ended) return null;
    return this.job.ended - this.job.started;
  }

  async rename(name: string): Promise<void> {
    await renameJob(this.id, name);
    if (this.job) this.job = { ...this.job, name };
  }

  close(): void {
    this.#abort.abort();
  }

  async #follow(): Promise<void> {
    while (!this.scene && !this.#abort.signal.aborted) {
      const instance = await this.#attempt(() => getInstance(this.id));
      if (instance) this.scene = sceneOf(instance);
      else if (this.#isLost) return;
    }
    await this.#refresh();
    if (this.hasEnded || this.#abort.signal.aborted) return;
    const onConnection = (isConnected: boolean) => (this.isConnected = isConnected);
    await followEvents(this.id, this.#abort.signal, this.#onEvent, onConnection).catch(
      (error: Error) => (this.error = error.message),
    );
    if (!this.hasEnded) await this.#refresh();
  }

  readonly #onEvent = (kind: string, data: Report & { status?: string }): void => {
    if (kind !== "progress") {
      void this.#refresh();
      return;
    }
    this.seconds = data.seconds;
    // The cost does not change while the baseline is computed.
    if (data.cost !== null && data.phase !== "baseline")
      this.costs = append(this.costs, data.seconds, data.cost);
    if (data.bound) this.bounds = append(this.bounds, data.seconds, data.bound);
    if (data.cost !== null && data.cost !== this.job?.cost) void this.#refresh();
  };

  /** Request the state of the job, but not too often. */
  async #refresh(): Promise<void> {
    this.#needsRefresh = true;
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    while (this.#needsRefresh && !this.#abort.signal.aborted && !this.#isLost) {
      this.#needsRefresh = false;
      const { seconds } = this;
      const job = await this.#attempt(() => getJob(this.id));
      if (!job) {
        this.#needsRefresh = true;
        continue;
      }
      this.job = job;
      if (this.hasEnded) this.#finish(job);
      else this.#remember(job, seconds);
      if (!this.hasEnded) await pause(REFRESH_MS);
    }
    this.#isRefreshing = false;
  }

  /** Return the response, or show the error and return null after a pause. */
  async #attempt<T>(request: () => Promise<T>): Promise<T | null> {
    try {
      const response = await request();
      this.error = "";
      return response;
    } catch (error) {
      this.error = (error as Error).message;
      this.#isLost = error instanceof ApiError && error.status >= 400 && error.status < 500;
      if (!this.#isLost) await pause(RETRY_MS);
      return null;
    }
  }

  /** Keep a solution seen while the job runs, with the time of the last report. */
  #remember({ cost, solution }: JobState, seconds: number): void {
    if (!solution || !seconds || typeof cost !== "number" || cost === this.past.at(-1)?.cost) return;
    const visits = solution.routes.reduce((sum, route) => sum + route.visits.length, 1);
    this.past = [...this.past, { seconds, cost, solution }].slice(-Math.ceil(MAX_PAST_VISITS / visits));
  }

  /** Replace the curves by the exact ones of the outcome. */
  #finish({ outcome, bound }: JobState): void {
    if (!outcome) return;
    this.seconds = outcome.seconds;
    const bounds = outcome.bound_trace as Points;
    this.costs = extendTo(outcome.seconds, outcome.trace as Points);
    this.bounds = extendTo(outcome.seconds, bounds.length || !bound ? bounds : [[0, bound]]);
  }
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Keep the last value until the end. */
function extendTo(seconds: number, points: Points): Points {
  const last = points.at(-1);
  return last && last[0] < seconds ? [...points, [seconds, last[1]]] : points;
}

/** Append a point; of a run of equal values, keep both ends only. */
function append(points: Points, seconds: number, value: number): Points {
  const [before, last] = points.slice(-2);
  const isFlat = before && last && before[1] === value && last[1] === value;
  return [...(isFlat ? points.slice(0, -1) : points), [seconds, value]];
}
