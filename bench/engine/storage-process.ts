import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { startStorageServer, type StorageServer } from "../../scripts/storage/storage-server.ts";

const urlSchema = z.url();

/** The S3 server in a process of its own, because its work would be done on another machine. */
export async function startStorageProcess(folder: string): Promise<Pick<StorageServer, "url" | "close">> {
  const child = fork(fileURLToPath(import.meta.url), [folder]);
  const ended = once(child, "exit");
  const [url] = await Promise.race([
    once(child, "message"),
    ended.then(() => Promise.reject(new Error("the storage server did not start"))),
  ]);
  return {
    url: urlSchema.parse(url),
    async close() {
      child.kill();
      await ended;
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , folder = ""] = process.argv;
  // The benchmark may die.
  process.once("disconnect", () => process.exit());
  const { url } = await startStorageServer(folder);
  process.send?.(url);
}
