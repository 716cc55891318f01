import type { ShowLine, ShowRequest } from "../../../contracts/show.ts";
import type { Dependencies } from "../../../edge/dependencies.ts";
import { NodeIsFull } from "../../../edge/processor/processor-client.ts";
import { quietCluster } from "./quiet-cluster.ts";

type Answer = (request: ShowRequest, signal: AbortSignal) => AsyncGenerator<ShowLine, void>;

/** A node's response for a show with these titles, each episode with its own URL. */
export function showOf(titles: readonly (string | null)[], title: string | null = "Weekly"): ShowLine[] {
  return [
    { kind: "is_show" },
    { kind: "show", title, feed_url: "https://feeds.example/weekly" },
    ...titles.map((episode, index): ShowLine => ({
      kind: "episode",
      url: `https://media.example/${index}.mp3`,
      title: episode,
    })),
    { kind: "end", episodes: titles.length },
  ];
}

/** Gives every request the same lines. */
export function answering(lines: readonly ShowLine[]): Answer {
  return async function* () {
    yield* lines;
  };
}

/** A node that sends these lines, and then nothing until the connection is closed. */
export function stuckAfter(lines: readonly ShowLine[]): Answer {
  return async function* (_request, signal) {
    yield* lines;
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
    throw new Error("hung up");
  };
}

/** A node that breaks off after these lines. */
export function cutAfter(lines: readonly ShowLine[]): Answer {
  return async function* () {
    yield* lines;
    throw new Error("connection lost");
  };
}

/** A node that is full for the first requests, and answers from then on. */
export function fullAtFirst(questions: number, answer: Answer): Answer {
  let left = questions;
  return (request, signal) => {
    if (left === 0) return answer(request, signal);
    left -= 1;
    return refusal();
  };
}

async function* refusal(): AsyncGenerator<ShowLine, void> {
  yield* [];
  throw new NodeIsFull();
}

/** A cluster of live nodes that only read shows, one per answer. `asked`: their requests, in order. */
export function showNodes(
  ...answers: Answer[]
): Pick<Dependencies, "registry" | "processors"> & { asked: ShowRequest[] } {
  const asked: ShowRequest[] = [];
  return {
    asked,
    ...quietCluster({
      liveNodes: async () => answers.map((_, index) => `http://node-${index}.example`),
      noteDead: async () => undefined,
    }),
    processors: {
      sendTasks: () => Promise.reject(new Error("These nodes take no tasks")),
      readShow: (address, request, signal) => {
        asked.push(request);
        const answer = answers[Number(/\d+/.exec(address)?.[0])];
        if (answer === undefined) throw new Error("No such node");
        return answer(request, signal);
      },
    },
  };
}
