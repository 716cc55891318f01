import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { listeningPort } from "../../processor/network/listening-port.ts";
import { makeMedia, mediaFiles } from "../../scripts/origin/make-media.ts";
import { testMediaFolder } from "../origin/test-origin.ts";
import type { Canaries } from "./corpus/canaries.ts";

export interface RunningCanaries extends Canaries {
  /** Expects that nobody connected, and that the files are unchanged. */
  expectUntouched(): Promise<void>;
  close(): Promise<void>;
}

const secretText = "the canary's own words";

/** Sets up canaries for anything that gets past the defences. The server's address is forbidden even in a local setup. */
export async function startCanaries(): Promise<RunningCanaries> {
  await makeMedia(testMediaFolder);
  const folder = await mkdtemp(join(tmpdir(), "ferry-canary-"));
  const text = join(folder, "secret.txt");
  const media = join(folder, "secret.mp4");
  const content = await readFile(join(testMediaFolder, mediaFiles.mp4));
  await Promise.all([writeFile(text, secretText), writeFile(media, content)]);
  let connections = 0;
  const server = createServer((_, response) => response.end(content));
  server.on("connection", () => (connections += 1));
  await new Promise<void>((done) => server.listen(0, "0.0.0.0", done));
  return {
    url: `http://0.0.0.0:${listeningPort(server)}`,
    text,
    media,
    async expectUntouched() {
      expect(connections).toBe(0);
      expect(await readFile(text, "utf8")).toBe(secretText);
      expect((await readFile(media)).equals(content)).toBe(true);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await rm(folder, { recursive: true });
    },
  };
}
