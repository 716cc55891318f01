import cliProgress from "cli-progress";

export interface Progress {
  readonly percent: number;
  /** A word for its state. */
  readonly step: string;
}

export interface ProgressView {
  show(title: string, progress: Progress): void;
  close(): void;
}

/** Progress bars on a terminal; elsewhere a line for each step that is reached. */
export function openProgressView(titles: readonly string[]): ProgressView {
  return process.stdout.isTTY ? openBars(titles) : openLines();
}

function openBars(titles: readonly string[]): ProgressView {
  const bars = new cliProgress.MultiBar(
    { format: "  {title} {bar} {percentage} %  {step}", hideCursor: true, clearOnComplete: false },
    cliProgress.Presets.shades_classic,
  );
  const width = Math.max(...titles.map((title) => title.length));
  const barOf = new Map(
    titles.map((title) => [title, bars.create(100, 0, { title: title.padEnd(width), step: "Queued" })]),
  );
  return {
    show(title, { percent, step }) {
      barOf.get(title)?.update(percent, { step });
    },
    close: () => bars.stop(),
  };
}

function openLines(): ProgressView {
  const shown = new Map<string, string>();
  return {
    show(title, { step }) {
      if (shown.get(title) !== step) console.log(`  ${title}: ${step}`);
      shown.set(title, step);
    },
    close() {},
  };
}
