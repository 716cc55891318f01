import { gzipSync } from "node:zlib";
import type { IncomingMessage, ServerResponse } from "node:http";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { shapeMediaFolder } from "./shape-media.ts";
import { html, redirect, type Shape } from "./shape.ts";

const film = () => readFileSync(join(shapeMediaFolder, "progressive.mp4"));
const video = (media: string) => html(`<video src="${media}/progressive.mp4"></video>`);
const isBrowser = ({ headers }: IncomingMessage) => /Chrome|Safari|Firefox/.test(headers["user-agent"] ?? "");
const refuse = (response: ServerResponse, status: number) =>
  void response.writeHead(status, { "content-type": "text/html" }).end("<p>Go away</p>");

/** Files at addresses that say less, or something else. */
const files: readonly Shape[] = [
  ...["film.mov", "film.flv", "film.ts", "sound.ogg", "sound.flac", "sound.wav", "sound.aac"].map(
    (name): Shape => ({ name: `a file: ${name}`, at: `/media/kinds/${name}` }),
  ),
  ...[
    "progressive.mp4",
    "video.webm",
    "video.mkv",
    "episode.mp3",
    "episode-with-cover.mp3",
    "episode.m4a",
  ].map((name): Shape => ({ name: `a file: ${name}`, at: `/media/${name}` })),
  {
    name: "a file without a name or type",
    replies: () => ({ "/page": { headers: { "content-type": "application/octet-stream" }, body: film() } }),
    isTypical: true,
  },
  {
    name: "a file called text",
    replies: () => ({ "/page": { headers: { "content-type": "text/plain" }, body: film() } }),
  },
  {
    name: "a download",
    replies: () => ({
      "/page": {
        headers: {
          "content-type": "application/force-download",
          "content-disposition": `attachment; filename="a.mp4"`,
        },
        body: film(),
      },
    }),
  },
  {
    name: "a file from a server without ranges",
    replies: (_, host) => ({
      "/page": (request, response) => host.sendMedia("progressive.mp4", request, response, false),
    }),
  },
  {
    name: "a file of undeclared length",
    replies: () => ({
      "/page": (_, response) =>
        void response.writeHead(200, { "content-type": "video/mp4" }).write(film(), () => response.end()),
    }),
  },
  {
    name: "a file with a name in capitals",
    replies: (_, host) => ({
      "/FILM.MP4": (request, response) => host.sendMedia("progressive.mp4", request, response),
    }),
    at: "/FILM.MP4",
  },
  {
    name: "a file with a query instead of a name",
    at: "/get?file=1&sig=a%2Fb%3D%3D",
    replies: (_, host) => ({
      "/get": (request, response) => host.sendMedia("progressive.mp4", request, response),
    }),
  },
  {
    name: "a file with spaces and letters of all kinds in its name",
    at: `/${encodeURIComponent("ein Film – größer (1).mp4")}`,
    replies: (_, host) => ({
      "/ein Film – größer (1).mp4": (request, response) =>
        host.sendMedia("progressive.mp4", request, response),
    }),
  },
];

const redirects: readonly Shape[] = [
  ...[301, 302, 303, 307, 308].map((status): Shape => ({
    name: `a ${status} to a file`,
    replies: ({ media }) => ({ "/page": redirect(status, `${media}/progressive.mp4`) }),
    dependsOnVersion: status === 308,
  })),
  {
    name: "a redirect to a page",
    replies: ({ media }) => ({ "/page": redirect(302, "/next"), "/next": video(media) }),
    isTypical: true,
  },
  {
    name: "a redirect to a manifest",
    replies: ({ media }) => ({ "/page": redirect(302, `${media}/hls/master.m3u8`) }),
  },
  {
    name: "a chain of redirects",
    replies: ({ media }) => ({
      "/page": redirect(301, "a"),
      "/a": redirect(302, "?b"),
      "/a?b": redirect(307, "./c/d"),
      "/c/d": redirect(302, "../next"),
      "/next": video(media),
    }),
  },
  {
    name: "a redirect that wants its cookie back",
    replies: ({ media }) => ({
      "/page": (request, response) =>
        request.headers.cookie?.includes("pass=1")
          ? void response.writeHead(200, { "content-type": "text/html" }).end(video(media))
          : void response.writeHead(302, { location: "/page", "set-cookie": "pass=1; Path=/" }).end(),
    }),
    dependsOnVersion: true,
  },
];

/** Servers that are particular about who asks, and how. */
const moods: readonly Shape[] = [
  ...[400, 403, 404, 410, 500].map((status): Shape => ({
    name: `a page that answers ${status} unless a browser asks`,
    replies: ({ media }) => ({
      "/page": (request, response) =>
        isBrowser(request)
          ? void response.writeHead(200, { "content-type": "text/html" }).end(video(media))
          : refuse(response, status),
    }),
    isTypical: status === 404,
  })),
  {
    name: "a page for others than browsers that says nothing",
    replies: ({ media }) => ({
      "/page": (request, response) =>
        void response
          .writeHead(200, { "content-type": "text/html" })
          .end(isBrowser(request) ? video(media) : html("Get a browser")),
    }),
  },
  {
    name: "a file only for browsers",
    replies: (_, host) => ({
      "/page": (request, response) =>
        isBrowser(request) ? host.sendMedia("progressive.mp4", request, response) : refuse(response, 403),
    }),
    isTypical: true,
  },
  {
    name: "a file for others than browsers that is a page",
    replies: (_, host) => ({
      "/page": (request, response) =>
        isBrowser(request)
          ? host.sendMedia("progressive.mp4", request, response)
          : void response.writeHead(200, { "content-type": "text/html" }).end(html("Get a browser")),
    }),
  },
  {
    name: "a file only for those who come from its page",
    replies: ({ own }, host) => ({
      "/page": html(`<video src="${own}/film.mp4"></video>`),
      "/film.mp4": (request, response) =>
        request.headers.referer === `${own}/page`
          ? host.sendMedia("progressive.mp4", request, response)
          : refuse(response, 403),
    }),
    isTypical: true,
  },
  {
    name: "HLS only for those who come from its page",
    replies: ({ own, media }) => ({
      "/page": html(`<script>jwplayer("p").setup({file: "${own}/list.m3u8"});</script>`),
      "/list.m3u8": (request, response) =>
        request.headers.referer
          ? void response
              .writeHead(200, { "content-type": "application/vnd.apple.mpegurl" })
              .end(
                readFileSync(join(shapeMediaFolder, "hls-ts/list.m3u8"), "utf8").replaceAll(
                  /^(?=list\d)/gm,
                  `${media}/hls-ts/`,
                ),
              )
          : refuse(response, 403),
    }),
    dependsOnVersion: true,
  },
  {
    name: "a file only for those who have its page's cookie",
    replies: ({ own }, host) => ({
      "/page": {
        headers: { "content-type": "text/html", "set-cookie": "pass=1; Path=/" },
        body: html(`<video src="${own}/film.mp4"></video>`),
      },
      "/film.mp4": (request, response) =>
        request.headers.cookie?.includes("pass=1")
          ? host.sendMedia("progressive.mp4", request, response)
          : refuse(response, 403),
    }),
    isTypical: true,
  },
  {
    name: "a compressed page",
    replies: ({ media }) => ({
      "/page": {
        headers: { "content-type": "text/html", "content-encoding": "gzip" },
        body: gzipSync(video(media)),
      },
    }),
  },
  {
    name: "a page in Latin-1",
    replies: ({ media }) => ({
      "/page": {
        headers: { "content-type": "text/html; charset=iso-8859-1" },
        body: Buffer.from(
          video(media).replace("A page", "Größe").replace(`<meta charset="utf-8">`, ""),
          "latin1",
        ),
      },
    }),
  },
  {
    name: "a page without a type",
    replies: ({ media }) => ({ "/page": (_, response) => void response.writeHead(200).end(video(media)) }),
  },
  {
    name: "a page whose beginning is long",
    replies: ({ media }) => ({
      "/page": html(`${"<!-- words -->".repeat(10_000)}<video src="${media}/progressive.mp4"></video>`),
    }),
  },
  {
    name: "a page that answers 404 and has the film",
    replies: ({ media }) => ({
      "/page": { status: 404, headers: { "content-type": "text/html" }, body: video(media) },
    }),
    dependsOnVersion: true,
  },
];

export const serverShapes: readonly Shape[] = [...files, ...redirects, ...moods];
