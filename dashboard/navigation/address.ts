import type { JobStatus } from "../server/schemas.ts";

export type NewKind = "media" | "show" | "list";

/** What the page shows, as stated by the part of its URL after `#`. */
export type Address =
  | {
      readonly view: "overview";
      readonly status: JobStatus | null;
      readonly search: string;
      readonly page: number;
    }
  | { readonly view: "job"; readonly id: string }
  | { readonly view: "shows" }
  | { readonly view: "batch"; readonly id: string; readonly status: JobStatus | null; readonly page: number }
  | { readonly view: "new"; readonly kind: NewKind }
  | { readonly view: "webhooks"; readonly page: number }
  | { readonly view: "account" }
  | { readonly view: "nowhere" };

export const jobStatuses: readonly JobStatus[] = ["Pending", "Processing", "Completed", "Failed"];

/** The first page of all jobs. */
export const home: Address = { view: "overview", status: null, search: "", page: 1 };

/** Parses what follows the page's `#`. Anything that `hrefOf` never writes is `nowhere`. */
export function parseAddress(hash: string): Address {
  const [path = "", query = ""] = hash.replace(/^#/, "").split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  const [first = "", second = "", ...more] = path.replace(/^\//, "").split("/");
  if (more.length > 0) return { view: "nowhere" };
  const id = decode(second);
  const status = statusIn(parameters);
  const page = pageIn(parameters);
  if (first === "jobs" && id) return { view: "job", id };
  if (first === "batches" && id) return { view: "batch", id, status, page };
  if (first === "new" && isNewKind(second || "media")) return { view: "new", kind: newKind(second) };
  if (second !== "") return { view: "nowhere" };
  if (first === "") return { view: "overview", status, search: parameters.get("search") ?? "", page };
  if (first === "shows") return { view: "shows" };
  if (first === "webhooks") return { view: "webhooks", page };
  if (first === "account") return { view: "account" };
  return { view: "nowhere" };
}

/** The link to an address. */
export function hrefOf(address: Address): string {
  switch (address.view) {
    case "overview":
      return `#/${queryOf(address)}`;
    case "job":
      return `#/jobs/${encodeURIComponent(address.id)}`;
    case "shows":
      return "#/shows";
    case "batch":
      return `#/batches/${encodeURIComponent(address.id)}${queryOf({ ...address, search: "" })}`;
    case "new":
      return address.kind === "media" ? "#/new" : `#/new/${address.kind}`;
    case "webhooks":
      return `#/webhooks${queryOf({ status: null, search: "", page: address.page })}`;
    case "account":
      return "#/account";
    case "nowhere":
      return "#/nowhere";
  }
}

function queryOf({
  status,
  search,
  page,
}: {
  status: JobStatus | null;
  search: string;
  page: number;
}): string {
  const parameters = new URLSearchParams();
  if (status !== null) parameters.set("status", status.toLowerCase());
  if (search !== "") parameters.set("search", search);
  if (page > 1) parameters.set("page", String(page));
  return parameters.size === 0 ? "" : `?${parameters}`;
}

function statusIn(parameters: URLSearchParams): JobStatus | null {
  const wanted = parameters.get("status")?.toLowerCase();
  return jobStatuses.find((status) => status.toLowerCase() === wanted) ?? null;
}

function pageIn(parameters: URLSearchParams): number {
  const text = parameters.get("page") ?? "";
  return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 1;
}

function isNewKind(text: string): boolean {
  return text === "media" || text === "show" || text === "list";
}

function newKind(text: string): NewKind {
  return text === "show" || text === "list" ? text : "media";
}

/** A malformed escape is not an id. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return "";
    throw error;
  }
}
