import { isNodeLink } from "../../contracts/node-link.ts";
import { requestIdHeader } from "../../contracts/request-id.ts";
import type { ShowLine, ShowRequest } from "../../contracts/show.ts";
import {
  internalPaths,
  readSignatures,
  signatureHeader,
  type SignedMessage,
} from "../../contracts/signed-message.ts";
import { type TaskAnswer, taskAnswerSchema, type TaskRequest } from "../../contracts/task.ts";
import { showLines } from "../shows/show-lines.ts";
import { isAnswerOfNode, signRequest } from "./signature.ts";

/** How the edge talks to a node, whatever kind of address it has. */
export interface ProcessorClient {
  /** Rejects if the node does not answer with results: it may have taken its tasks, and may have died of one. */
  sendTasks(
    address: string,
    request: TaskRequest,
    /** Nodes of earlier versions do not sign; of those that do, no unsigned answer is believed. */
    node?: { readonly signsAnswers?: boolean },
  ): Promise<TaskAnswer>;
  /**
   * What the node says about a show, line by line, according to the contract. Throws NodeIsFull before the first line,
   * and any error if the response is cut off or `signal` aborts.
   */
  readShow(address: string, request: ShowRequest, signal: AbortSignal): AsyncGenerator<ShowLine, void>;
}

/** The node is healthy but has as much to do as it takes. */
export class NodeIsFull extends Error {
  constructor() {
    super("The node has as much to do as it takes");
  }
}

const answerTimeoutMs = 10_000;

export interface ProcessorClientOptions {
  readonly secrets: readonly string[];
  readonly allowPrivateNetwork: boolean;
  /** The request on whose behalf nodes are called, for their logs. */
  readonly requestId: string;
  readonly clock: () => number;
  readonly newId: () => string;
  /** Sends a request to the node at this address, over the network or to its container. */
  readonly fetchNode: (address: string, request: Request) => Promise<Response>;
}

/** A client that signs every request with all of the shared secrets. */
export function createProcessorClient(options: ProcessorClientOptions): ProcessorClient {
  /**
   * The id makes each message unique, since a node takes none twice. Rejects unless the node answers 200, with
   * NodeIsFull if it answers 503.
   */
  async function post(
    address: string,
    internalPath: string,
    content: object,
    signal: AbortSignal,
  ): Promise<{ response: Response; message: SignedMessage }> {
    if (!isNodeLink(address, options)) throw new Error("The node's address must be https");
    const path = `${internalPath}?id=${options.newId()}`;
    const body = JSON.stringify(content);
    const { headers, message } = await signRequest({ ...options, method: "POST", path, body });
    const request = new Request(urlOf(address, path), {
      method: "POST",
      headers: { ...headers, "content-type": "application/json", [requestIdHeader]: options.requestId },
      body,
      redirect: "manual",
      signal,
    });
    const response = await options.fetchNode(address, request);
    if (response.ok) return { response, message };
    await response.body?.cancel();
    if (response.status === 503) throw new NodeIsFull();
    throw new Error(`The node answered ${response.status}`);
  }

  return {
    async sendTasks(address, request, { signsAnswers = false } = {}) {
      const signal = AbortSignal.timeout(answerTimeoutMs);
      const { response, message } = await post(address, internalPaths.tasks, request, signal);
      const body = new Uint8Array(await response.arrayBuffer());
      const signatures = readSignatures(response.headers.get(signatureHeader) ?? undefined);
      const answer = { request: message, status: response.status, body };
      const isChecked = signsAnswers || signatures.length > 0;
      if (isChecked && !(await isAnswerOfNode(answer, signatures, options.secrets)))
        throw new Error("The node's answer is not signed with the shared secret");
      return taskAnswerSchema.parse(JSON.parse(new TextDecoder().decode(body)));
    },
    async *readShow(address, request, signal) {
      const { response } = await post(address, internalPaths.shows, request, signal);
      if (response.body !== null) yield* showLines(response.body);
    },
  };
}

/** A container has a name instead of a host, and is reached by plain HTTP inside the platform. */
function urlOf(address: string, path: string): URL {
  return new URL(path, address.replace(/^container:/, "http:"));
}
