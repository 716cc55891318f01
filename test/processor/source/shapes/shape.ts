import type { Places, Reply, ShapeHost } from "./shape-host.ts";

/** What a shape's paths answer. */
export type Replies = (places: Places, host: ShapeHost) => Readonly<Record<string, Reply>>;

/** Something at an address that yt-dlp downloads. */
export interface Shape {
  readonly name: string;
  /** Where it begins: a path of the shape's own, `/page` by default, or one of the media. */
  readonly at?: string;
  readonly replies?: Replies;
  /** Belongs to the part that stands for all in a short run. */
  readonly isTypical?: boolean;
  /** Not every version of yt-dlp downloads it. */
  readonly dependsOnVersion?: boolean;
}

/** A page with this in its body and head, at `/page`. */
export function page(body: string | ((places: Places) => string), head = ""): Replies {
  return (places) => ({
    "/page": html(typeof body === "string" ? filled(body, places) : body(places), filled(head, places)),
  });
}

export function html(body: string, head = ""): string {
  return `<!doctype html><html><head><meta charset="utf-8"><title>A page</title>${head}</head><body>${body}</body></html>`;
}

/** With MEDIA and OWN replaced by the addresses. */
export function filled(text: string, { media, own }: Places): string {
  return text.replaceAll("MEDIA", media).replaceAll("OWN", own);
}

/** As it is, with its own type. */
export function typed(type: string, text: string): Replies {
  return (places) => ({ "/page": { headers: { "content-type": type }, body: filled(text, places) } });
}

export function redirect(status: number, location: string): Reply {
  return { status, headers: { location } };
}
