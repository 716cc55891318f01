import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchHealth } from "../../../scripts/local-system/health.ts";
import { startTestHost, type TestHost } from "../../origin/test-host.ts";

let host: TestHost;
let isUp: boolean;
let starts: number;
let stop: AbortController;
let watching: Promise<void>;
const kill = vi.fn<() => void>();

beforeEach(async () => {
  host = await startTestHost();
  host.answers["/health"] = (_request, response) => void response.writeHead(isUp ? 200 : 503).end();
  isUp = false;
  starts = 1;
  stop = new AbortController();
  kill.mockReset();
  watching = watchHealth(`${host.url}/health`, { stopping: stop.signal, starts: () => starts, kill }, 5);
});
afterEach(async () => {
  stop.abort();
  await watching;
  await host.close();
});

/** Waits until the program was asked this many more times. */
async function asked(times: number): Promise<void> {
  const before = host.asked.length;
  await vi.waitUntil(() => host.asked.length >= before + times, { timeout: 10_000 });
}

test("a program that stops responding is killed", async () => {
  isUp = true;
  await asked(3);
  expect(kill).not.toHaveBeenCalled();
  isUp = false;
  await vi.waitUntil(() => kill.mock.calls.length === 1, { timeout: 20_000 });
});

test("a program that is still starting is left alone, the first time and after each restart", async () => {
  await asked(20);
  isUp = true;
  await asked(3);
  isUp = false;
  starts += 1;
  await asked(20);
  expect(kill).not.toHaveBeenCalled();

  isUp = true;
  await asked(3);
  isUp = false;
  await vi.waitUntil(() => kill.mock.calls.length === 1, { timeout: 20_000 });
  await asked(20);
  starts += 1;
  await asked(20);
  expect(kill).toHaveBeenCalledTimes(1);
});
