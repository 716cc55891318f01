import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import { countOutput } from "../disk/count-output.ts";
import { muxMedia } from "../mux/mux-media.ts";
import { isEncoded } from "../mux/plan-output.ts";
import { collectSidecars } from "../sidecars/collect-sidecars.ts";
import type { LocalSidecar } from "../sidecars/local-sidecar.ts";
import { planSidecars, type SidecarPlan } from "../sidecars/plan-sidecars.ts";
import { firstPipe } from "../subprocess/run-program.ts";
import { allOrNone } from "./all-or-none.ts";
import type { FoundSource } from "./find-source.ts";
import { inspectSources, type FetchedFile, type InspectedSources } from "./inspect-sources.ts";
import type { JobContext } from "./job-context.ts";
import { isAsPlanned } from "./is-as-planned.ts";
import type { MainFileFacts } from "./job.ts";
import { decodeEncoded, verifyFile } from "./make-output.ts";
import { NotAsPlanned } from "./not-as-planned.ts";
import { orAborted } from "./or-aborted.ts";
import type { StreamedPlan } from "./plan-streamed.ts";
import type { SpilledFile } from "./spilled-file.ts";
import { storeStreamed } from "./store-streamed.ts";

/** A source stream in a file that is still being written. */
export type SpilledSource = SpilledFile & FetchedFile;

/**
 * Makes the planned file while its source is still downloading, and stores it while it is being made. It has to pass
 * the same checks as a file made from a complete source, once everything has arrived and before it can appear. Rejects
 * with NotAsPlanned if it does not pass; then nothing is in storage and nothing is still running.
 */
export async function makeStreamed(
  streamed: StreamedPlan,
  files: readonly SpilledSource[],
  found: FoundSource,
  context: JobContext,
): Promise<void> {
  // Before entering uploads: a job inside that stage must never wait for an encoder.
  const leaveEncodes = isEncoded(streamed.plan)
    ? await context.places.encodes.enter(context.signal)
    : () => {};
  try {
    const making = { streamed, files, found, onMade: leaveEncodes };
    const [source] = files;
    if (streamed.isPassed && source !== undefined) {
      await makeAndUpload({ ...making, path: source.path }, context);
      return;
    }
    const path = join(context.folder, `streamed.${streamed.plan.container}`);
    await countOutput(path, context.disk, context.signal, (signal) =>
      makeAndUpload({ ...making, path }, { ...context, signal }),
    );
  } finally {
    leaveEncodes();
  }
}

interface StreamedMaking {
  readonly streamed: StreamedPlan;
  readonly files: readonly SpilledSource[];
  readonly found: FoundSource;
  readonly onMade: () => void;
  /** The file being made. */
  readonly path: string;
}

async function makeAndUpload(
  { streamed, files, found, onMade, path }: StreamedMaking,
  context: JobContext,
): Promise<void> {
  const { isPassed } = streamed;
  context.meter.hasMux(!isPassed);
  if (isPassed) context.stages.end("mux");
  const paths = files.map((file) => file.path);
  // Readers open the file before the program that writes it starts.
  if (!isPassed) await (await open(path, "w")).close();
  const fetched = (signal: AbortSignal) => orAborted(Promise.all(files.map(({ whole }) => whole)), signal);
  const made = handOver<number>();
  const inspected = handOver<{ sources: InspectedSources; sidecarPlan: SidecarPlan }>();
  const facts = handOver<MainFileFacts>();
  const sidecars = handOver<readonly LocalSidecar[]>();

  await allOrNone(context.signal, [
    made.by(async (signal) => {
      await (isPassed ? fetched(signal) : mux(streamed, files, path, { ...context, signal }));
      onMade();
      context.disk.releaseReserve();
      const { size } = await stat(path);
      if (size === 0) throw new Error("nothing was made");
      return size;
    }),
    inspected.by(async (signal) => {
      await fetched(signal);
      const sources = await inspectSources(files, found.source.durationSeconds, { ...context, signal });
      const probed = sources.inputs.map((input) => input.probed);
      const sidecarPlan = planSidecars(found.source.listed, probed, context.task.options);
      if (!isAsPlanned(streamed, sources, sidecarPlan))
        throw new Error("the whole differs from its beginning");
      return { sources, sidecarPlan };
    }),
    sidecars.by(async (signal) => {
      const { sidecarPlan } = await inspected.promise;
      return collectSidecars(sidecarPlan, found.listed.start(), paths, { ...context, signal });
    }),
    facts.by(async (signal) => {
      const [{ sources }] = await Promise.all([inspected.promise, made.promise]);
      await decodeEncoded(sources.inputs, sources.plan, { ...context, signal });
      return verifyFile(path, sources, { ...context, signal });
    }),
    (signal) => {
      const handedOver = { made: made.promise, facts: facts.promise, sidecars: sidecars.promise };
      return storeStreamed({ streamed, path, ...handedOver }, found, { ...context, signal });
    },
  ]);
}

/** Hands the result of one task to others. If the task fails by itself, the output is not what was planned. */
function handOver<Result>() {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  // Everyone who awaits it still gets the error.
  promise.catch(() => {});
  const by = (work: (signal: AbortSignal) => Promise<Result>) => async (signal: AbortSignal) => {
    try {
      resolve(await work(signal));
    } catch (error) {
      const failure = signal.aborted
        ? error
        : new NotAsPlanned("the file could not be made", { cause: error });
      reject(failure);
      throw failure;
    }
  };
  return { promise, by };
}

async function mux(
  { plan, kinds, delays, seconds, indexRoom }: StreamedPlan,
  files: readonly SpilledSource[],
  outputPath: string,
  context: JobContext,
): Promise<void> {
  const { stages, meter } = context;
  stages.begin("mux");
  const inputs = kinds.map((kind, index) => ({
    pipe: firstPipe + index,
    kind,
    delaySeconds: delays[index] ?? 0,
  }));
  const feeds = files.map((file) => file.chunks());
  const onSeconds = (written: number) => meter.muxed(seconds ? Math.min(1, written / seconds) : 0);
  const outputMaxBytes = context.task.limits.source_file_bytes;
  await muxMedia({ inputs, plan, outputPath, outputMaxBytes, indexRoom, feeds, onSeconds }, context);
  stages.end("mux");
  meter.muxed(1);
}
