import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export interface ReleaseChoice {
  /** The folder that contains `yt-dlp`, `SHA2-256SUMS` and `SHA2-256SUMS.sig`: an http(s) or file URL. */
  readonly source: string;
  /** The expected checksum, instead of the one in the signed list. Null: that one. */
  readonly sha256: string | null;
  /** Without gpgv, which checks signatures: whether the list is accepted for having come by HTTPS. */
  readonly withoutGpgv: "refuse" | "accept";
  /** The makers' public key, armored. */
  readonly publicKey?: string;
  readonly signal: AbortSignal;
}

const run = promisify(execFile);
const releases = "https://github.com/yt-dlp/yt-dlp/releases";
const makersKey = fileURLToPath(new URL("yt-dlp-signing-key.asc", import.meta.url));
/** Ten times what the makers' release has. */
const programMaxBytes = 32 * 1024 * 1024;
const listMaxBytes = 64 * 1024;

/** Where the makers publish a release such as 2026.08.19, or their latest. */
export function releaseAddress(version: string): string {
  return version === "latest" ? `${releases}/latest/download` : `${releases}/download/${version}`;
}

/**
 * Installs yt-dlp at `target`, complete, verified and able to run, or leaves everything as it was; nodes may be using
 * it. Returns its version. Rejects with an Error whose message says what is wrong, or with the signal's reason.
 */
export async function installRelease(target: string, choice: ReleaseChoice): Promise<string> {
  const { signal } = choice;
  const folder = await mkdtemp(join(dirname(target), ".yt-dlp-"));
  try {
    const content = await download(choice, "yt-dlp", programMaxBytes);
    const expected = choice.sha256 ?? (await listedChecksum(choice, folder));
    const found = createHash("sha256").update(content).digest("hex");
    if (found !== expected) throw new Error(`the checksum of yt-dlp is ${found} instead of ${expected}`);
    const program = join(folder, "yt-dlp");
    await writeFile(program, content);
    await chmod(program, 0o755);
    const { stdout } = await run(program, ["--ignore-config", "--version"], { signal });
    await rename(program, target);
    return stdout.trim();
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function listedChecksum(choice: ReleaseChoice, folder: string): Promise<string> {
  const list = await download(choice, "SHA2-256SUMS", listMaxBytes);
  await verifySignature(choice, list, folder);
  const [, checksum] = /^([0-9a-f]{64}) [ *]yt-dlp$/m.exec(list.toString()) ?? [];
  if (checksum === undefined) throw new Error("the list of checksums does not contain yt-dlp");
  return checksum;
}

async function verifySignature(choice: ReleaseChoice, list: Buffer, folder: string): Promise<void> {
  const { signal } = choice;
  if (!(await hasGpgv(signal))) {
    if (choice.withoutGpgv === "accept") return;
    throw new Error("gpgv is needed to verify the release's signature");
  }
  const files = {
    list: join(folder, "list"),
    signature: join(folder, "list.sig"),
    key: join(folder, "key.gpg"),
  };
  await writeFile(files.list, list);
  await writeFile(files.signature, await download(choice, "SHA2-256SUMS.sig", listMaxBytes));
  await writeFile(files.key, withoutArmor(choice.publicKey ?? (await readFile(makersKey, "utf8"))));
  try {
    await run("gpgv", ["--keyring", files.key, files.signature, files.list], { signal });
  } catch (error) {
    throw new Error("the list of checksums is not signed by yt-dlp's makers", { cause: error });
  }
}

function hasGpgv(signal: AbortSignal): Promise<boolean> {
  return run("gpgv", ["--version"], { signal }).then(
    () => true,
    () => false,
  );
}

/** The bytes of an armored key, which is all that gpgv reads: without headers and the checksum at the end. */
function withoutArmor(key: string): Buffer {
  const [, body = ""] = /\n\r?\n([A-Za-z0-9+/=\r\n]+?)\r?\n=/.exec(key) ?? [];
  return Buffer.from(body, "base64");
}

async function download({ source, signal }: ReleaseChoice, name: string, maxBytes: number): Promise<Buffer> {
  const url = new URL(`${source.replace(/\/$/, "")}/${name}`);
  if (url.protocol === "file:") return readFile(url, { signal });
  const response = await fetch(url, { signal }).catch((error: unknown) => {
    throw new Error(`${url.host} cannot be reached`, { cause: error });
  });
  if (!response.ok || response.body === null) throw new Error(`${url.href} answers ${response.status}`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new Error(`${url.href} is too large`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
