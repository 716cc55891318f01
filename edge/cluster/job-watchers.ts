import type { JobNews, LiveState } from "./job-news.ts";

/**
 * What a watcher has not read yet. Of the nodes' messages only the newest is kept, so a slow watcher costs no memory.
 */
interface Watcher {
  hasMoved: boolean;
  live: LiveState | null;
  /** An empty line is due, see `touch`. */
  isTouched: boolean;
  isOver: boolean;
  /** Set while the watcher is waiting for news. */
  wake: (() => void) | null;
}

const encoder = new TextEncoder();

/** Who is watching which job. Kept in memory only: watchers whose stream breaks read the row and subscribe again. */
export class JobWatchers {
  /** By job id, then by watcher id. */
  readonly #watchers = new Map<string, Map<string, Watcher>>();

  /** Streams the job's news from now on until `leave`: each a line of JSON (JobNews), with empty lines in between. */
  watch(jobId: string, watcherId: string): ReadableStream<Uint8Array> {
    const watcher: Watcher = { hasMoved: false, live: null, isTouched: false, isOver: false, wake: null };
    const watchers = this.#watchers.get(jobId) ?? new Map();
    this.#watchers.set(jobId, watchers.set(watcherId, watcher));
    return new ReadableStream({
      type: "bytes",
      async pull(controller) {
        while (!watcher.isOver && !watcher.isTouched && !watcher.hasMoved && watcher.live === null) {
          await new Promise<void>((resolve) => {
            watcher.wake = resolve;
          });
        }
        if (watcher.isOver) controller.close();
        else controller.enqueue(encoder.encode(takeLines(watcher)));
      },
      cancel: () => {
        this.leave(jobId, watcherId);
      },
    });
  }

  /** Ends a watcher's stream and forgets it. */
  leave(jobId: string, watcherId: string): void {
    const watchers = this.#watchers.get(jobId);
    const watcher = watchers?.get(watcherId);
    if (watchers === undefined || watcher === undefined) return;
    watchers.delete(watcherId);
    if (watchers.size === 0) this.#watchers.delete(jobId);
    watcher.isOver = true;
    wake(watcher);
  }

  tell(jobId: string, news: JobNews): void {
    for (const watcher of this.#watchers.get(jobId)?.values() ?? []) {
      if (news.kind === "moved") watcher.hasMoved = true;
      else watcher.live = news;
      wake(watcher);
    }
  }

  /** Sends every watcher an empty line: only a write reveals a reader that disappeared without leaving. */
  touch(): void {
    for (const watchers of this.#watchers.values()) {
      for (const watcher of watchers.values()) {
        watcher.isTouched = true;
        wake(watcher);
      }
    }
  }

  /** How many watchers a job has. */
  count(jobId: string): number {
    return this.#watchers.get(jobId)?.size ?? 0;
  }
}

function wake(watcher: Watcher): void {
  watcher.wake?.();
  watcher.wake = null;
}

function takeLines(watcher: Watcher): string {
  const moved: JobNews = { kind: "moved" };
  const news = [...(watcher.hasMoved ? [moved] : []), ...(watcher.live === null ? [] : [watcher.live])];
  watcher.hasMoved = false;
  watcher.live = null;
  watcher.isTouched = false;
  return `${news.map((one) => JSON.stringify(one)).join("\n")}\n`;
}
