// A job as the page follows it: its state, its curves, and the plans it had on the way.

import {
  ENDED,
  follow,
  getInstance,
  getJob,
  type JobState,
  type Report,
  type Solution,
} from "./api";
import { sceneOf, type Scene } from "./scene";

const BETWEEN = 400; // milliseconds between two looks at the best plan so far
const KEPT = 200; // plans that the chart can show again

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

  close(): void {
    this.#leave.abort();
  }

  async #begin(): Promise<void> {
    try {
      const [instance] = await Promise.all([getInstance(this.id), this.#look()]);
      this.scene = sceneOf(instance);
      if (this.ended) this.#finish();
      else await follow(this.id, this.#leave.signal, this.#heard, (yes) => (this.connected = yes));
    } catch (error) {
      if (!this.#leave.signal.aborted) this.problem = (error as Error).message;
    }
  }

  readonly #heard = (kind: string, data: Report & { status?: string }): void => {
    if (kind === "status") {
      void this.#look().then(() => this.ended && this.#finish());
      return;
    }
    this.seconds = data.seconds;
    if (data.cost !== null) this.costs = extended(this.costs, data.seconds, data.cost);
    if (data.bound) this.bounds = extended(this.bounds, data.seconds, data.bound);
    if (data.cost !== null && data.cost !== this.job?.cost) void this.#look();
  };

  /** The state of the job, but not more often than one can see. */
  async #look(): Promise<void> {
    if (this.#looking) {
      this.#again = true;
      return;
    }
    this.#looking = true;
    try {
      do {
        this.#again = false;
        this.job = await getJob(this.id);
        this.#remember(this.job);
        if (!this.ended) await new Promise((done) => setTimeout(done, BETWEEN));
      } while (this.#again && !this.#leave.signal.aborted);
    } catch (error) {
      this.problem = (error as Error).message;
    } finally {
      this.#looking = false;
    }
  }

  #remember({ cost, solution }: JobState): void {
    if (!solution || typeof cost !== "number" || cost === this.past.at(-1)?.cost) return;
    this.past = [...this.past.slice(-KEPT), { seconds: this.seconds, cost, solution }];
  }

  /** In the end the service knows the curves to the hundredth of a second. */
  #finish(): void {
    const outcome = this.job?.outcome;
    if (!outcome) return;
    this.seconds = outcome.seconds;
    this.costs = upTo(outcome.seconds, outcome.trace as Points);
    this.bounds = upTo(outcome.seconds, outcome.bound_trace as Points);
  }
}

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
