import { request } from "node:http";
import { connect } from "node:net";
import { buffer, text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { JobFailure } from "../../processor/pipeline/job.ts";
import { startNetwork, type Network } from "../../processor/network/network.ts";
import { hostileAnswers, type AnswerEnds } from "./corpus/answers.ts";
import { expectAsInCorpus } from "./expect-as-in-corpus.ts";
import { startRawOrigin, type RawOrigin } from "./raw-origin.ts";

const fine = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok";
let network: Network;
let origin: RawOrigin;
const uncaught: unknown[] = [];
const keep = (error: unknown) => uncaught.push(error);

beforeAll(async () => {
  network = await startNetwork({ allowPrivateNetwork: true });
  origin = await startRawOrigin();
  process.on("uncaughtException", keep);
});
afterAll(async () => {
  process.off("uncaughtException", keep);
  await Promise.all([network.close(), origin.close()]);
});

/** The status that a program gets through the proxy. */
function proxied(): Promise<AnswerEnds["proxied"]> {
  const { hostname, port } = new URL(network.proxyUrl);
  return new Promise((resolve) => {
    const asking = request({ host: hostname, port, path: `${origin.url}/`, agent: false }, (answer) => {
      buffer(answer).then(
        () => resolve(answer.statusCode ?? "cut"),
        () => resolve("cut"),
      );
    });
    asking.on("error", () => resolve("cut")).end();
  });
}

async function fetched(): Promise<AnswerEnds["fetched"]> {
  const { signal } = new AbortController();
  try {
    const { status, body } = await network.open(`${origin.url}/`, { signal, silenceMs: 10_000 });
    return await buffer(body).then(
      () => status,
      () => "cut",
    );
  } catch (error) {
    return error instanceof JobFailure ? error.code : String(error);
  }
}

/** Everything that arrives through a tunnel, from the proxy's own status line on. */
async function tunnelled(): Promise<string> {
  const { hostname, port } = new URL(network.proxyUrl);
  const { host } = new URL(origin.url);
  const socket = connect(Number(port), hostname);
  socket.write(`CONNECT ${host} HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
  socket.once("data", () => socket.write("GET / HTTP/1.1\r\n\r\n"));
  return text(socket).catch(() => "");
}

test("every hostile answer ends its own request only, through the proxy and without it", async () => {
  await expectAsInCorpus(hostileAnswers, async (answer) => {
    origin.answer = answer;
    const ends = { proxied: await proxied(), fetched: await fetched() };
    origin.answer = fine;
    expect(await proxied()).toBe(200);
    return ends;
  });
  expect(uncaught).toEqual([]);
});

test("through a tunnel, the answer that a source breaks off or garbles ends that tunnel only", async () => {
  for (const answer of ["", "\0".repeat(1000), "HTTP/1.1 000 OK\r\n\r\n"]) {
    origin.answer = answer;
    expect(await tunnelled()).toBe(`HTTP/1.1 200 Connection established\r\n\r\n${answer}`);
  }
  origin.answer = (socket) => void socket.resetAndDestroy();
  await tunnelled();
  origin.answer = fine;
  expect(await tunnelled()).toContain(fine);
  expect(uncaught).toEqual([]);
});
