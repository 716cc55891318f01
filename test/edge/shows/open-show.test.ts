import { describe, expect, it } from "vitest";
import { defaultLimits } from "../../../contracts/limits.ts";
import type { ShowLine } from "../../../contracts/show.ts";
import { openShow } from "../../../edge/shows/open-show.ts";
import { wait } from "../../../edge/wait.ts";
import { answering, cutAfter, fullAtFirst, showNodes, showOf, stuckAfter } from "../support/show-node.ts";
import { testDependencies } from "../support/test-dependencies.ts";

const accountId = "account";
const page = "https://podcasts.example/weekly";
const certain = "https://podcasts.apple.com/us/podcast/weekly/id42";
const namedLikeFeed = "https://podcasts.example/weekly/feed.xml";
const noShow: ShowLine[] = [{ kind: "not_a_show" }];
const isShow: ShowLine[] = [{ kind: "is_show" }];
const [, title] = showOf([]);
const begun: ShowLine[] = title ? [{ kind: "is_show" }, title] : [];
const failed = (code: "unreadable" | "too_large" | "no_episodes" | "timed_out"): ShowLine[] => [
  { kind: "is_show" },
  { kind: "failed", code },
];

const sentLimits = {
  look_ms: 100,
  extraction_ms: 200,
  silence_ms: defaultLimits.sourceSilenceMs,
  feed_bytes: defaultLimits.feedBytes,
};

const soon: typeof wait = (_ms, signal) => wait(1, signal);

/** The result for a URL given these nodes: the show's episodes, null, or the error. */
async function readOf(url: string, ...nodes: Parameters<typeof showNodes>) {
  const cluster = showNodes(...nodes);
  const dependencies = testDependencies();
  const limits = { ...dependencies.settings.limits, showLookMs: 100, showExtractionMs: 200 };
  const settings = { ...dependencies.settings, limits };
  try {
    const show = await openShow({ ...dependencies, ...cluster, settings, wait: soon }, accountId, url);
    if (show === null) return { asked: cluster.asked, episodes: null };
    const episodes: (string | null)[] = [];
    for await (const episode of show.episodes) episodes.push(episode.title);
    return { asked: cluster.asked, episodes };
  } catch (error) {
    return { asked: cluster.asked, error };
  }
}
const show = answering(showOf(["One", "Two"]));
const timedOut = { status: 504, message: "Episode extraction timed out" };

describe("checking whether a URL is a podcast show", () => {
  it.each(["https://media.example/a.mp3", "https://www.youtube.com/watch?v=1"])(
    "does not ask a node about %s",
    async (url) => {
      expect(await readOf(url, show)).toEqual({ asked: [], episodes: null });
    },
  );

  it("is one request to one node, which then reads the show", async () => {
    const { asked, episodes } = await readOf(page, show, show);
    expect(asked).toEqual([{ url: page, account_id: accountId, is_certain: false, limits: sentLimits }]);
    expect(episodes).toEqual(["One", "Two"]);
  });

  it("tells the node if the request declares the URL to be a show", async () => {
    expect((await readOf(certain, show)).asked).toEqual([
      {
        url: certain,
        account_id: accountId,
        is_certain: true,
        limits: { ...sentLimits, look_ms: sentLimits.extraction_ms },
      },
    ]);
  });

  it("gives a URL that is named like a feed as long as reading one takes", async () => {
    const { asked, episodes } = await readOf(namedLikeFeed, show);
    expect(asked).toMatchObject([{ is_certain: false, limits: { look_ms: sentLimits.extraction_ms } }]);
    expect(episodes).toEqual(["One", "Two"]);
  });

  it("skips a node that breaks off before its first line", async () => {
    const { asked, episodes } = await readOf(page, cutAfter([]), answering([]), show);
    expect([asked.length, episodes]).toEqual([3, ["One", "Two"]]);
  });

  it("skips a node that is full", async () => {
    const { asked, episodes } = await readOf(page, fullAtFirst(1, show), show);
    expect([asked.length, episodes]).toEqual([2, ["One", "Two"]]);
  });

  it("is repeated while the nodes are full", async () => {
    const { asked, episodes } = await readOf(page, fullAtFirst(3, show), fullAtFirst(2, show));
    expect([asked.length, episodes]).toEqual([6, ["One", "Two"]]);
  });

  it.each([
    ["there is no live node", []],
    ["the nodes stay full", [fullAtFirst(Number.POSITIVE_INFINITY, show)]],
    ["the node finds no show", [answering(noShow)]],
    ["no node responds", [cutAfter([]), cutAfter([]), cutAfter([]), show]],
    ["the node takes too long", [stuckAfter([])]],
    ["the check fails", [answering([{ kind: "failed", code: "unreadable" } as const])]],
    ["the page takes too long", [answering([{ kind: "failed", code: "timed_out" } as const])]],
  ])("creates a single job if %s", async (_name, nodes) => {
    expect((await readOf(page, ...nodes)).episodes).toBeNull();
  });

  it.each([
    ["there is no live node", []],
    ["the nodes stay full", [fullAtFirst(Number.POSITIVE_INFINITY, show)]],
    ["no node responds", [cutAfter([])]],
    ["the node takes too long", [stuckAfter([])]],
    ["the feed takes too long", [answering([{ kind: "failed", code: "timed_out" } as const])]],
  ])("is an error for a URL that is named like a feed if %s", async (_name, nodes) => {
    expect((await readOf(namedLikeFeed, ...nodes)).error).toMatchObject(timedOut);
  });

  it.each([
    ["the node finds no show", [answering(noShow)]],
    ["the check fails", [answering([{ kind: "failed", code: "unreadable" } as const])]],
  ])("creates a single job for a URL that is named like a feed if %s", async (_name, nodes) => {
    expect((await readOf(namedLikeFeed, ...nodes)).episodes).toBeNull();
  });

  it.each([
    ["there is no live node", [], timedOut],
    ["the nodes stay full", [fullAtFirst(Number.POSITIVE_INFINITY, show)], timedOut],
    ["no node responds", [cutAfter([])], timedOut],
    ["the node takes too long", [stuckAfter([])], timedOut],
    [
      "the check fails",
      [answering([{ kind: "failed", code: "unreadable" } as const])],
      { status: 400, message: "Unsupported URL" },
    ],
  ])("is an error for a URL declared to be a show if %s", async (_name, nodes, error) => {
    expect((await readOf(certain, ...nodes)).error).toMatchObject(error);
  });
});

describe("reading a show", () => {
  it.each([
    ["it cannot be read", answering(failed("unreadable")), { status: 400, message: "Unsupported URL" }],
    [
      "its feed is too large",
      answering(failed("too_large")),
      {
        status: 400,
        message: "Unsupported URL",
        details: [{ path: "url", message: "The show's feed is too large" }],
      },
    ],
    ["it has no episodes", answering(failed("no_episodes")), { status: 400, message: "No episodes found" }],
    ["the node gives up", answering(failed("timed_out")), timedOut],
    ["it fails in the middle", answering([...begun, { kind: "failed", code: "timed_out" }]), timedOut],
    ["it takes too long", stuckAfter(isShow), timedOut],
    ["it continues for too long", stuckAfter(showOf(["One"]).slice(0, -1)), timedOut],
    ["it breaks off", cutAfter(showOf(["One"]).slice(0, -1)), timedOut],
    ["it has no last line", answering(showOf(["One"]).slice(0, -1)), timedOut],
    ["lines are missing", answering(showOf(["One", "Two"]).toSpliced(2, 1)), timedOut],
    ["it starts with an episode", answering(showOf(["One"]).toSpliced(1, 1)), timedOut],
  ])("is an error if %s", async (_name, node, error) => {
    expect((await readOf(page, node)).error).toMatchObject(error);
  });

  it("leaves out an episode with a forbidden URL", async () => {
    const lines = showOf(["One", "Two"]).with(2, {
      kind: "episode",
      url: "http://127.0.0.1/1.mp3",
      title: "One",
    });
    expect((await readOf(page, answering(lines))).episodes).toEqual(["Two"]);
  });
});
