import { afterEach, expect, test, vi } from "vitest";
import { fetchKeys } from "../../../processor/download/segment-keys.ts";
import { startNetwork, type Network } from "../../../processor/network/network.ts";

afterEach(() => void vi.useRealTimers());

test("keys that take too long are aborted after half an hour", async () => {
  const network = await startNetwork({ allowPrivateNetwork: true });
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const open: Network["open"] = (_url, { signal }) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  const initializationVector = Buffer.alloc(16);
  const segments = ["a", "b", "c", "d", "e"].map((name) => ({
    url: `http://a.example/${name}`,
    range: null,
    listed: null,
    encryption: { keyUrl: `http://a.example/${name}.key`, initializationVector },
  }));
  const keys = fetchKeys(
    segments,
    {},
    {
      network: { ...network, open },
      signal: new AbortController().signal,
      limits: { source_file_bytes: 1e9, source_silence_ms: 60_000 },
    },
  );
  const failed = expect(keys).rejects.toMatchObject({ code: "source_error" });
  await vi.advanceTimersByTimeAsync(31 * 60_000);
  await failed;
  await network.close();
});
