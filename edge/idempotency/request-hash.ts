import { sha256Hex } from "../sha256-hex.ts";

export interface HashedRequest {
  readonly method: string;
  readonly path: string;
  /** The parsed body; null: the request has none. */
  readonly body: unknown;
}

/** Equal for two requests exactly if they ask for the same: hex SHA-256 of method, path and the parsed body. */
export function requestHash({ method, path, body }: HashedRequest): Promise<string> {
  return sha256Hex(`${method} ${path}\n${canonicalJson(body)}`);
}

/** JSON with every object's fields sorted by name, without those that are null, which means not given. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) => {
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    const given = Object.entries(part).filter(([, field]) => field !== null);
    return Object.fromEntries(given.sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}
