import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openFormat } from "../../../processor/download/open-format.ts";
import { resolveBySystem } from "../../../processor/network/address-guard.ts";
import { startNetwork, type Network } from "../../../processor/network/network.ts";
import { patienceOf } from "../../../processor/network/patience.ts";
import { testPatience } from "../network/test-patience.ts";
import { mediaFiles } from "../../../scripts/origin/make-media.ts";
import {
  answerRange,
  formatAt,
  openDownloadWorkshop,
  sendSlowly,
  type DownloadWorkshop,
} from "./test-format.ts";

let workshop: DownloadWorkshop;
let whole: Buffer;

beforeAll(async () => {
  workshop = await openDownloadWorkshop();
  whole = (await workshop.fetchFrom(`${workshop.origin.url}/${mediaFiles.mp3}`)).content;
});
afterAll(() => workshop.close());

/** A job's network of its own, since what a host did is remembered. */
async function withNetwork<Result>(
  work: (network: Network) => Promise<Result>,
  patience = { ...testPatience, withinMs: 5_000, askedMaxMs: 5_000, raiseEveryMs: 60_000 },
): Promise<Result> {
  const network = await startNetwork({ allowPrivateNetwork: true }, resolveBySystem, 8, patience);
  try {
    return await work(network);
  } finally {
    await network.close();
  }
}

const requestsFor = (path: string) => workshop.origin.requests.filter((one) => one.path === path);

describe("a source is waited for, and not asked often meanwhile", () => {
  test.each([
    ["restarts", "restart/FILE?ms=1500"],
    ["answers 429 without saying for how long", "busy/FILE?status=429&ms=1500"],
    ["answers 503", "busy/FILE?status=503&ms=1500"],
    ["answers 502", "busy/FILE?status=502&ms=1500"],
    ["answers 429 and asks for a second", "busy/FILE?status=429&ms=900&retry_after=1"],
  ])("when it %s", async (_, behaviour) => {
    const path = `/${behaviour.replace("FILE", mediaFiles.mp3)}`;
    const { content } = await withNetwork((network) =>
      workshop.fetchFrom(workshop.origin.url + path, { network }),
    );
    expect(content.equals(whole)).toBe(true);
    expect(requestsFor(path).length).toBeLessThan(20);
    if (path.includes("retry_after")) expect(requestsFor(path)).toHaveLength(2);
  });

  test("also by several downloads, of which one finds out for all", async () => {
    const path = `/busy/${mediaFiles.mp3}?status=503&ms=1500&several`;
    const contents = await withNetwork((network) =>
      Promise.all(
        Array.from({ length: 12 }, () => workshop.fetchFrom(workshop.origin.url + path, { network })),
      ),
    );
    for (const { content } of contents) expect(content.equals(whole)).toBe(true);
    expect(requestsFor(path).length).toBeLessThan(12 + 40);
  });

  test("until its time is over, or at once when it asks for too much", async () => {
    const asking = (path: string) =>
      withNetwork(
        (network) => workshop.fetchFrom(`${workshop.origin.url}${path}`, { network }),
        patienceOf(800),
      );
    await expect(asking("/status/503?lasting")).rejects.toMatchObject({ code: "source_error" });
    expect(requestsFor("/status/503?lasting").length).toBeGreaterThan(5);
    expect(requestsFor("/status/503?lasting").length).toBeLessThan(30);
    for (const status of [429, 503]) {
      const path = `/busy/${mediaFiles.mp3}?status=${status}&ms=60000&retry_after=121`;
      await expect(asking(path)).rejects.toMatchObject({ code: "rate_limited" });
      expect(requestsFor(path)).toHaveLength(1);
    }
  });

  test("and a cancelled job stops waiting at once", async () => {
    const controller = new AbortController();
    const path = `/busy/${mediaFiles.mp3}?ms=600000&retry_after=4`;
    const fetching = withNetwork((network) =>
      workshop.fetchFrom(workshop.origin.url + path, { network, signal: controller.signal }),
    );
    const failed = expect(fetching).rejects.toThrow("cancelled");
    await expect.poll(() => requestsFor(path).length).toBe(1);
    controller.abort(new Error("cancelled"));
    await failed;
  });
});

describe("a host that wants one connection", () => {
  // So much that a second connection finds enough left to be worthwhile.
  const content = randomBytes(10 * 1024 * 1024);

  /** Answers others so while it sends a response, as fast as would make several connections worthwhile. */
  async function serveAlone(
    status: number | "reset",
  ): Promise<{ url: string; counts: { asked: number; refused: number } }> {
    const counts = { asked: 0, refused: 0 };
    let sending = 0;
    const url = await workshop.serve((request, response) => {
      counts.asked += 1;
      if (sending > 0) {
        counts.refused += 1;
        if (status === "reset") request.socket.destroy();
        else response.writeHead(status).end();
        return;
      }
      sending += 1;
      response.once("close", () => (sending -= 1));
      void sendSlowly(response, answerRange(request, response, content), 4_000_000);
    });
    return { url, counts };
  }

  test.each([403, 429, 503, "reset"] as const)(
    "and answers %s to a second one gets one, without renewing the address",
    async (status) => {
      const { url, counts } = await serveAlone(status);
      await withNetwork(async (network) => {
        const fetched = await workshop.fetch(...formatAt(url), { network });
        expect(fetched.content.equals(content)).toBe(true);
      });
      expect(counts.refused).toBeGreaterThan(0);
      expect(counts.refused).toBeLessThanOrEqual(6);
      expect(counts.asked).toBeLessThan(16);
    },
  );

  test("serves one job after the other", async () => {
    const { url, counts } = await serveAlone(403);
    await withNetwork(async (network) => {
      const all = await Promise.all(
        Array.from({ length: 2 }, () => workshop.fetch(...formatAt(url), { network })),
      );
      for (const one of all) expect(one.content.equals(content)).toBe(true);
    });
    expect(counts.refused).toBeLessThan(12);
  });

  test("does not hide that something is forbidden", async () => {
    const url = await workshop.serve((request, response) => {
      if (request.url === "/secret") response.writeHead(403).end();
      else void sendSlowly(response, answerRange(request, response, content), 4_000_000);
    });
    await withNetwork(async (network) => {
      const chunks = openFormat(...formatAt(url), await workshop.download({ network })).chunks;
      let tried: Promise<unknown> | null = null;
      for await (const _ of chunks)
        tried ??= workshop.fetch(...formatAt(`${url}/secret`), { network }).catch((error: unknown) => error);
      expect(await tried).toMatchObject({ code: "sign_in_required" });
    });
  });
});
