import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLog } from "../../processor/log.ts";
import { startNetwork, type Network } from "../../processor/network/network.ts";
import { readShow } from "../../processor/shows/read-show.ts";
import { createTurns } from "../../processor/shows/turns.ts";
import { startTestHost, type TestHost } from "../origin/test-host.ts";
import { startCanaries, type RunningCanaries } from "./canaries.ts";
import { expectAsInCorpus } from "./expect-as-in-corpus.ts";
import { hostileFeeds } from "./corpus/feeds.ts";

const limits = { look_ms: 20_000, extraction_ms: 60_000, silence_ms: 20_000, feed_bytes: 1_000_000 };
let host: TestHost;
let network: Network;
let canaries: RunningCanaries;
let workFolder: string;

beforeAll(async () => {
  host = await startTestHost();
  network = await startNetwork({ allowPrivateNetwork: true });
  canaries = await startCanaries();
  workFolder = await mkdtemp(join(tmpdir(), "ferry-hostile-feeds-"));
});
afterAll(async () => {
  await Promise.all([host.close(), network.close(), canaries.close()]);
  await rm(workFolder, { recursive: true });
});

test("every hostile feed has its expected result, and nothing else is requested", async () => {
  await expectAsInCorpus(hostileFeeds(canaries), (feed) => {
    host.answers["/feed"] = feed;
    return outcome(`${host.url}/feed`);
  });
  expect(new Set(host.asked)).toEqual(new Set(["/feed"]));
  await canaries.expectUntouched();
});

/** The episodes' titles, or why there are none. */
async function outcome(url: string): Promise<string> {
  const context = {
    network,
    policy: { allowPrivateNetwork: true },
    downloader: { safeFlags: [], run: () => Promise.reject(new Error("no program is needed")) },
    workFolder,
    appleLookupUrl: `${host.url}/lookup`,
    turns: createTurns({ atOnce: 1, perOwner: 1 }),
    leastPace: { bytes: 1, withinMs: 20_000 },
    signal: new AbortController().signal,
    log: createLog("error", "node"),
  };
  const titles: (string | null)[] = [];
  for await (const lines of readShow({ url, account_id: "account", is_certain: false, limits }, context)) {
    for (const line of lines) {
      if (line.kind === "not_a_show") return line.kind;
      if (line.kind === "failed") return line.code;
      if (line.kind === "episode") titles.push(line.title);
    }
  }
  return titles.join(", ");
}
