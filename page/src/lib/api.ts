// Requests to the service; the types are generated from its own OpenAPI description.

import type { components } from "./schema";

type Schemas = components["schemas"];
export type JobRequest = Partial<Schemas["JobRequest"]> & Pick<Schemas["JobRequest"], "instance">;
export type JobState = Schemas["JobState"];
export type JobSummary = Schemas["JobSummary"];
export type JobList = Schemas["JobList"];
export type Instance = Schemas["InstanceModel"];
export type Solution = Schemas["SolutionModel"];
export type Route = Schemas["RouteModel"];
export type Plan = Schemas["PlanModel"];
export type Info = Schemas["Info"];
export type FileKind = "json" | "csv" | "txt" | "geojson" | "png" | "sheets";

export const ENDED = ["done", "failed", "cancelled"];

type Problem = Partial<Schemas["Problem"]>;

/** What the service refused, and which field of the request it is about. */
export class Refusal extends Error {
  readonly field: string | null;
  readonly code: string | null;

  constructor(
    readonly status: number,
    { detail = "", field = null, code = null }: Problem,
  ) {
    // On the page the words stand beside the field.
    super(field && detail.startsWith(`${field}: `) ? detail.slice(field.length + 2) : detail);
    [this.field, this.code] = [field, code];
  }
}

const TOKEN = "splitroute-token";

export function setToken(token: string): void {
  sessionStorage.setItem(TOKEN, token);
}

async function ask(path: string, options: RequestInit = {}): Promise<Response> {
  const headers = new Headers(options.headers);
  const token = sessionStorage.getItem(TOKEN);
  // What cannot be in a header cannot be the token.
  if (token && !/^[\x20-\x7e]+$/.test(token)) throw new Refusal(401, { detail: "a token is needed" });
  if (token) headers.set("Authorization", `Bearer ${token}`);
  if (options.body) headers.set("Content-Type", "application/json");
  let answer: Response;
  try {
    answer = await fetch(path, { ...options, headers });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new Refusal(0, { detail: "The service does not answer. Is it still running?" });
  }
  if (answer.ok) return answer;
  const problem: Problem = await answer.json().catch(() => ({}));
  throw new Refusal(answer.status, { ...problem, detail: problem.detail ?? answer.statusText });
}

async function get<T>(path: string): Promise<T> {
  return (await ask(path)).json();
}

async function post<T>(path: string, body: JobRequest): Promise<T> {
  return (await ask(path, { method: "POST", body: JSON.stringify(body) })).json();
}

export const getInfo = () => get<Info>("/api/info");
export const readInstance = (job: JobRequest) => post<Schemas["ReadInstance"]>("/api/instances", job);
export const postJob = (job: JobRequest) => post<{ id: string }>("/api/jobs", job);
export const getJob = (id: string) => get<JobState>(`/api/jobs/${id}`);
export const getInstance = (id: string) => get<Instance>(`/api/jobs/${id}/instance`);
export const getPlan = (id: string, levels: number, base: number) =>
  get<Plan>(`/api/jobs/${id}/plan?levels=${levels}&base=${base}`);
export const listJobs = (before?: number) =>
  get<JobList>(`/api/jobs?limit=50${before ? `&before=${before}` : ""}`);
export const renameJob = (id: string, name: string) =>
  ask(`/api/jobs/${id}`, { method: "PATCH", body: JSON.stringify({ name }) });
export const cancelJob = (id: string) => ask(`/api/jobs/${id}`, { method: "DELETE" });
export const forgetJob = (id: string) => ask(`/api/jobs/${id}?forget=true`, { method: "DELETE" });

export const fileAddress = (id: string, kind: FileKind) => `/api/jobs/${id}/files/${kind}`;
export const getFile = async (id: string, kind: FileKind) => (await ask(fileAddress(id, kind))).blob();

export interface Report {
  seconds: number;
  cost: number | null;
  bound: number;
  phase: "search" | "baseline" | "bound";
}

/**
 * Follows what happens to a job until it has ended. A lost connection is taken up again behind the
 * last event; that is why this is not EventSource, which cannot present a token either.
 */
export async function follow(
  id: string,
  signal: AbortSignal,
  heard: (kind: string, data: Report & { status?: string }) => void,
  connected: (yes: boolean) => void,
): Promise<void> {
  let last = "0";
  while (!signal.aborted) {
    try {
      const answer = await ask(`/api/jobs/${id}/events`, {
        headers: { "Last-Event-ID": last },
        signal,
      });
      connected(true);
      if (answer.status === 204) return; // it has ended, and all was told
      for await (const event of events(answer.body! as ReadableStream<BufferSource>)) {
        last = event.id;
        const data = JSON.parse(event.data);
        heard(event.kind, data);
        if (event.kind === "status" && ENDED.includes(data.status)) return;
      }
    } catch (error) {
      if (signal.aborted) return;
      // Too many streams are open (429): that passes.
      const refused = error instanceof Refusal && error.status >= 400 && error.status < 500;
      if (refused && error.status !== 429) throw error;
    }
    connected(false);
    await new Promise((done) => setTimeout(done, 1000));
  }
}

interface ServerEvent {
  id: string;
  kind: string;
  data: string;
}

async function* events(body: ReadableStream<BufferSource>): AsyncGenerator<ServerEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop()!;
    for (const block of blocks) {
      const fields = new Map(block.split("\n").map((line) => split(line)));
      const data = fields.get("data");
      if (data !== undefined) {
        yield { id: fields.get("id") ?? "", kind: fields.get("event") ?? "message", data };
      }
    }
  }
}

function split(line: string): [string, string] {
  const colon = line.indexOf(": ");
  return [line.slice(0, colon), line.slice(colon + 2)];
}
