import type { Dependencies } from "../../../edge/dependencies.ts";

/** Storage that keeps its objects in memory, behind the dependencies' `fetch`. It checks no signatures. */
export interface MemoryStorage {
  readonly fetch: Dependencies["fetch"];
  /** By URL, without the query. */
  readonly objects: Map<string, string>;
  /** The job that wrote an object, by URL; missing for objects of others. */
  readonly writers: Map<string, string>;
  /** Ids of the open multipart uploads. */
  readonly uploads: Set<string>;
  /** `METHOD url` of each request, in order. */
  readonly requests: string[];
  /** Set it to respond differently; null leaves the request to the storage. */
  answer: (method: string, url: URL) => Response | Promise<Response> | null;
}

export function memoryStorage(): MemoryStorage {
  const storage: MemoryStorage = {
    objects: new Map(),
    writers: new Map(),
    uploads: new Set(),
    requests: [],
    answer: () => null,
    async fetch(input, init) {
      const request = new Request(input, init);
      const url = new URL(request.url);
      storage.requests.push(`${request.method} ${url.href}`);
      const answer = await storage.answer(request.method, url);
      const uploadId = url.searchParams.get("uploadId");
      return answer ?? (uploadId === null ? serve(storage, request, url.href) : abort(storage, uploadId));
    },
  };
  return storage;
}

function abort({ uploads }: MemoryStorage, uploadId: string): Response {
  if (uploads.delete(uploadId)) return new Response(null, { status: 204 });
  return new Response("<Error><Code>NoSuchUpload</Code></Error>", { status: 404 });
}

async function serve({ objects, writers }: MemoryStorage, request: Request, key: string): Promise<Response> {
  if (request.method === "POST") {
    const bucket = key.slice(0, key.indexOf("?"));
    const listed = (await request.text()).replaceAll("&amp;", "&").matchAll(/<Key>([^<]*)<\/Key>/g);
    const urls = new Set(Array.from(listed, ([, name = ""]) => `${bucket}/${name}`));
    for (const url of objects.keys()) if (urls.has(decodeURIComponent(url))) objects.delete(url);
    return new Response("<DeleteResult/>");
  }
  if (request.method === "PUT") {
    objects.set(key, await request.text());
    return new Response(null, { status: 200 });
  }
  if (request.method === "DELETE") {
    objects.delete(key);
    return new Response(null, { status: 204 });
  }
  const object = objects.get(key);
  if (object === undefined) return new Response("<Error/>", { status: 404 });
  const writer = writers.get(key);
  const headers = new Headers(writer === undefined ? {} : { "x-amz-meta-job": writer });
  return new Response(request.method === "HEAD" ? null : object, { headers });
}
