import { subscribe } from "node:diagnostics_channel";
import { ClientRequest, type Agent } from "node:http";
import { pipeline, Readable, Transform } from "node:stream";
import type { S3Client } from "@aws-sdk/client-s3";
import { interimAnswersMax, TooManyInterimAnswers } from "../network/interim-answers.ts";
import { JobFailure } from "../pipeline/job.ts";

/** Many times the longest answer to a request of ours; parsing the worst text of this length takes a tenth of a second. */
const answerMaxBytes = 64 * 1024;

/**
 * Ends a request of this client with JobFailure `storage_error` once the body of its answer is longer than storage's
 * answers are: the client collects it whole. The length of headers is limited by Node.
 */
export function boundAnswers(client: S3Client): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const { response } = result;
      if (hasBody(response)) response.body = bounded(response.body);
      return result;
    },
    // The lowest priority is the nearest to the network: nothing has read the body yet.
    { step: "deserialize", priority: "low", name: "boundAnswers" },
  );
}

function hasBody(response: unknown): response is { body: Readable } {
  return (
    typeof response === "object" &&
    response !== null &&
    "body" in response &&
    response.body instanceof Readable
  );
}

function bounded(body: Readable): Readable {
  let bytes = 0;
  const limit = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes <= answerMaxBytes) done(null, chunk);
      else done(new JobFailure("storage_error", "storage answers with too much"));
    },
  });
  // Whoever reads the bounded body gets the error.
  return pipeline(body, limit, () => {});
}

/** The agents of storage clients. */
const storageAgents = new WeakSet<Agent>();

/**
 * Ends an agent's requests whose answer never comes: after endless interim answers, which are never silent, or after an
 * upgrade, which Node tells only those who ask for it.
 */
export function awaitPlainAnswers(agent: Agent): void {
  storageAgents.add(agent);
}

// The client keeps its requests to itself.
subscribe("http.client.request.start", (message) => {
  if (!hasRequest(message) || !storageAgents.has(message.request.agent)) return;
  const { request } = message;
  let interimAnswers = 0;
  request.on("information", () => {
    interimAnswers += 1;
    if (interimAnswers > interimAnswersMax) request.destroy(new TooManyInterimAnswers());
  });
  request.on("upgrade", (_, socket) => {
    socket.destroy();
    request.emit("error", new Error("storage answers with an upgrade"));
  });
});

function hasRequest(message: unknown): message is { request: ClientRequest & { agent: Agent } } {
  return (
    typeof message === "object" &&
    message !== null &&
    "request" in message &&
    message.request instanceof ClientRequest
  );
}
