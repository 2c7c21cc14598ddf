// What is being filled in on the first page. It stays when one looks at a plan and comes back.

import type { Instance, JobRequest, JobState } from "./api";

export type Source = JobRequest["instance"];

export interface Choices {
  rule: string;
  engine: string;
  metric: string;
  levels: number;
  base: number;
  seed: number;
  seconds: number | null;
  unit: number | null;
  baseline: boolean;
  bound: boolean;
}

class Draft {
  source = $state.raw<Source | null>(null);
  instance = $state.raw<Instance | null>(null);
  capacity = $state<number | null>(null);
  vehicles = $state<number | null>(null);
  effort = $state("quick");
  choices = $state<Choices>({
    rule: "",
    engine: "native",
    metric: "",
    levels: 2,
    base: 2,
    seed: 1,
    seconds: null,
    unit: null,
    baseline: true,
    bound: true,
  });

  /** The same once more: what was asked for in a job, to be changed. */
  again(job: JobState, instance: Instance): void {
    const asked = job.request as Partial<JobRequest>;
    this.source = { format: "json", text: JSON.stringify(instance), name: job.name };
    this.instance = instance;
    this.capacity = null;
    this.vehicles = asked.vehicles ?? null;
    this.choices = {
      ...this.choices,
      rule: asked.rule ?? "",
      engine: asked.engine ?? "native",
      metric: "",
      levels: asked.levels ?? 2,
      base: asked.base ?? 2,
      seed: asked.seed ?? 1,
      seconds: asked.seconds ?? null,
      unit: null,
      baseline: asked.baseline ?? true,
      bound: (asked.bound ?? 0) > 0,
    };
  }
}

export const draft = new Draft();
