// Client of the API; its types are generated from the OpenAPI description.

import type { components } from "./schema";

type Schemas = components["schemas"];
export type JobRequest = Partial<Schemas["JobRequest"]> & Pick<Schemas["JobRequest"], "instance">;
export type JobState = Schemas["JobState"];
export type JobSummary = Schemas["JobSummary"];
export type JobList = Schemas["JobList"];
export type Instance = Schemas["InstanceModel"];
export type Solution = Schemas["SolutionModel"];
export type Route = Schemas["RouteModel"];
export type Visit = Schemas["VisitModel"];
export type VehicleType = Schemas["VehicleModel"];
export type Customer = Schemas["CustomerModel"];
export type Depot = Schemas["DepotModel"];
export type SplitPlan = Schemas["SplitPlanModel"];
export type Info = Schemas["Info"];
export type Columns = Schemas["ColumnsModel"];
export type FileKind = "json" | "csv" | "xlsx" | "txt" | "geojson" | "gpx" | "png" | "html" | "sheets";

export const ENDED = ["done", "failed", "cancelled"];

type Problem = Partial<Schemas["Problem"]>;

/** One of the errors of a request, with its path in the instance. */
export interface ErrorItem {
  detail: string;
  code: string | null;
  path: string | null;
  line: number | null; // unless the message names it
  cell?: string | null; // of a workbook, instead of the line
}

/** An error response, with the field of the request at fault. */
export class ApiError extends Error {
  readonly field: string | null;
  readonly line: number | null;
  readonly errors: ErrorItem[]; // at least one

  constructor(
    readonly status: number,
    { detail = "", field = null, code = "", path, line = null, errors }: Problem,
  ) {
    super(detail);
    [this.field, this.line] = [field, line];
    const items = errors ?? [{ detail, code, path, line: null, cell: null }];
    this.errors = items.map((e) => ({ detail: e.detail, code: e.code, path: e.path ?? null, line: e.line ?? null, cell: e.cell }));
  }
}

const TOKEN_KEY = "splitroute-token";
const RECONNECT_MS = 1000;

export function setToken(token: string): void {
  sessionStorage.setItem(TOKEN_KEY, token);
}

async function send(path: string, options: RequestInit = {}): Promise<Response> {
  const headers = new Headers(options.headers);
  const token = sessionStorage.getItem(TOKEN_KEY);
  // Other characters are not allowed in a header.
  if (token && !/^[\x20-\x7e]+$/.test(token)) throw new ApiError(401, { detail: "wrong token" });
  if (token) headers.set("Authorization", `Bearer ${token}`);
  if (options.body) headers.set("Content-Type", "application/json");
  let response: Response;
  try {
    response = await fetch(path, { ...options, headers });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new ApiError(0, { detail: "No response from the service. Is it running?" });
  }
  if (response.ok) return response;
  const problem: Problem = await response.json().catch(() => ({}));
  throw new ApiError(response.status, { ...problem, detail: problem.detail ?? response.statusText });
}

async function get<T>(path: string): Promise<T> {
  return (await send(path)).json();
}

async function post<T>(path: string, body: JobRequest): Promise<T> {
  return (await send(path, { method: "POST", body: JSON.stringify(body) })).json();
}

export const getInfo = () => get<Info>("/api/info");
export const readInstance = (job: JobRequest) => post<Schemas["ReadInstance"]>("/api/instances", job);
export const readColumns = (job: JobRequest) => post<Columns>("/api/columns", job);
export const postJob = (job: JobRequest) => post<{ id: string }>("/api/jobs", job);
export const getJob = (id: string) => get<JobState>(`/api/jobs/${id}`);
export const getInstance = (id: string) => get<Instance>(`/api/jobs/${id}/instance`);
export const getSplitPlan = (id: string, levels: number, base: number) =>
  get<SplitPlan>(`/api/jobs/${id}/split-plan?levels=${levels}&base=${base}`);
export const listJobs = (before?: number) =>
  get<JobList>(`/api/jobs?limit=50${before ? `&before=${before}` : ""}`);
export const renameJob = (id: string, name: string) =>
  send(`/api/jobs/${id}`, { method: "PATCH", body: JSON.stringify({ name }) });
export const cancelJob = (id: string) => send(`/api/jobs/${id}`, { method: "DELETE" });
export const deleteJob = (id: string) => send(`/api/jobs/${id}?forget=true`, { method: "DELETE" });

export const fileUrl = (id: string, kind: FileKind) => `/api/jobs/${id}/files/${kind}`;
export const getFile = async (id: string, kind: FileKind) => (await send(fileUrl(id, kind))).blob();

export interface Report {
  seconds: number;
  cost: number | null;
  bound: number;
  phase: "search" | "baseline" | "bound";
}

/**
 * Follow the events of a job until it ends, reconnecting after the last one received.
 * EventSource cannot send a token.
 */
export async function followEvents(
  id: string,
  signal: AbortSignal,
  onEvent: (kind: string, data: Report & { status?: string }) => void,
  onConnection: (isConnected: boolean) => void,
): Promise<void> {
  let last = "0";
  while (!signal.aborted) {
    try {
      const response = await send(`/api/jobs/${id}/events`, {
        headers: { "Last-Event-ID": last },
        signal,
      });
      onConnection(true);
      if (response.status === 204) return; // the job has ended, and there are no more events
      for await (const event of events(response.body! as ReadableStream<BufferSource>)) {
        last = event.id;
        const data = JSON.parse(event.data);
        onEvent(event.kind, data);
        if (event.kind === "status" && ENDED.includes(data.status)) return;
      }
    } catch (error) {
      if (signal.aborted) return;
      // 429 means too many open streams, which is temporary.
      const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500;
      if (isRefused && error.status !== 429) throw error;
    }
    onConnection(false);
    await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
  }
}

interface ServerEvent {
  id: string;
  kind: string;
  data: string;
}

async function* events(body: ReadableStream<BufferSource>): AsyncGenerator<ServerEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (buffer + value).split("\n\n");
    buffer = blocks.pop()!;
    for (const block of blocks) {
      const fields = new Map(block.split("\n").map((line) => parseLine(line)));
      const data = fields.get("data");
      if (data !== undefined) {
        yield { id: fields.get("id") ?? "", kind: fields.get("event") ?? "message", data };
      }
    }
  }
}

function parseLine(line: string): [string, string] {
  const colon = line.indexOf(": ");
  return [line.slice(0, colon), line.slice(colon + 2)];
}
