import { afterEach, describe, expect, it, vi } from "vitest";
import type { Dependencies } from "../../../edge/dependencies.ts";
import { sendWebhook } from "../../../edge/webhooks/send-webhook.ts";
import { testDependencies } from "../support/test-dependencies.ts";

const real = testDependencies();
const request = { url: "https://client.example/hook", headers: { "webhook-id": "event" }, body: "{}" };

function sendTo(fetch: Dependencies["fetch"], url = request.url, allowPrivateNetwork = false) {
  const settings = { ...real.settings, allowPrivateNetwork };
  return sendWebhook({ ...real, settings, fetch }, { ...request, url });
}
const answering = (status: number, headers: Record<string, string> = {}) =>
  vi.fn<Dependencies["fetch"]>(async () => new Response(status === 204 ? null : "text", { status, headers }));

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a try", () => {
  it.each([200, 201, 202, 204, 299])("answered %i succeeds", async (status) => {
    expect(await sendTo(answering(status))).toEqual({
      httpStatus: status,
      error: null,
      isFinal: true,
      retryAfterMs: null,
    });
  });

  it.each([301, 302, 307, 308, 400, 404, 429, 500, 503])("answered %i fails", async (status) => {
    const result = await sendTo(answering(status, { location: "https://elsewhere.example/" }));
    expect(result).toMatchObject({ httpStatus: status, error: `HTTP ${status}`, isFinal: false });
  });

  it("answered 410 is the last", async () => {
    expect(await sendTo(answering(410))).toMatchObject({ httpStatus: 410, error: "HTTP 410", isFinal: true });
  });

  it("is a POST of JSON that does not follow redirects", async () => {
    const fetch = answering(302, { location: "https://elsewhere.example/" });
    await sendTo(fetch);
    expect(fetch).toHaveBeenCalledOnce();
    const [url, init] = fetch.mock.calls[0] ?? [];
    expect(url).toBe(request.url);
    expect(init).toMatchObject({ method: "POST", body: "{}", redirect: "manual" });
    expect(init?.headers).toMatchObject({ "content-type": "application/json", "webhook-id": "event" });
  });

  it("passes on the Retry-After", async () => {
    expect((await sendTo(answering(503, { "retry-after": "120" }))).retryAfterMs).toBe(120_000);
    expect((await sendTo(answering(429, { "retry-after": "never" }))).retryAfterMs).toBeNull();
  });
});

describe("a missing response", () => {
  it("within 15 s ends the try", async () => {
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.abort(new Error("late")));
    const result = await sendTo(async (_input, init) => {
      init?.signal?.throwIfAborted();
      return new Response();
    });
    expect(timeout).toHaveBeenCalledExactlyOnceWith(15_000);
    expect(result).toEqual({
      httpStatus: null,
      error: "No answer within 15 s",
      isFinal: false,
      retryAfterMs: null,
    });
  });

  it("because the connection failed is reported without details", async () => {
    const result = await sendTo(() => Promise.reject(new Error("connect to 10.1.2.3:443 refused, token=t")));
    expect(result).toEqual({
      httpStatus: null,
      error: "Connection failed",
      isFinal: false,
      retryAfterMs: null,
    });
  });
});

describe("a response body", () => {
  it("is read up to 64 KiB and then discarded", async () => {
    let sent = 0;
    let isCancelled = false;
    const endless = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          sent += 8192;
          controller.enqueue(new Uint8Array(8192));
        },
        cancel() {
          isCancelled = true;
        },
      },
      { highWaterMark: 0 },
    );
    expect(await sendTo(async () => new Response(endless))).toMatchObject({ httpStatus: 200, error: null });
    expect(isCancelled).toBe(true);
    expect(sent).toBeGreaterThanOrEqual(64 * 1024);
    expect(sent).toBeLessThanOrEqual(64 * 1024 + 2 * 8192);
  });

  it("that breaks off leaves the status as the result", async () => {
    const broken = new ReadableStream({
      start: (controller) => controller.error(new Error("reset")),
    });
    expect(await sendTo(async () => new Response(broken))).toMatchObject({ httpStatus: 200, error: null });
  });
});

describe("a forbidden address", () => {
  it.each([
    "http://127.0.0.1:9000/",
    "http://localhost/",
    "http://10.0.0.1/",
    "http://169.254.169.254/latest/",
    "http://[::ffff:127.0.0.1]/",
    "http://0x7f000001/",
    "https://client.example:22/",
  ])("is not contacted: %s", async (url) => {
    const fetch = answering(200);
    expect(await sendTo(fetch, url)).toEqual({
      httpStatus: null,
      error: "URL not allowed",
      isFinal: true,
      retryAfterMs: null,
    });
    expect(fetch).not.toHaveBeenCalled();
  });

  it("is allowed by a local setup, except for link-local and metadata addresses", async () => {
    expect(await sendTo(answering(200), "http://127.0.0.1:9000/", true)).toMatchObject({ httpStatus: 200 });
    const fetch = answering(200);
    expect(await sendTo(fetch, "http://169.254.169.254/", true)).toMatchObject({ error: "URL not allowed" });
    expect(fetch).not.toHaveBeenCalled();
  });
});
