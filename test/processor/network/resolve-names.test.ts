import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createNameResolver } from "../../../processor/network/resolve-names.ts";

let server: Socket;
let folder: string;
let servers: string[];
let hostsPath: string;
const asked: string[] = [];

/** A name server that knows `known.example`, says of other names that they do not exist, and of some nothing. */
beforeAll(async () => {
  server = createSocket("udp4");
  server.on("message", (query, { port, address }) => {
    const name = nameIn(query);
    asked.push(name);
    if (name.startsWith("silent")) return;
    server.send(answerTo(query, name === "known.example"), port, address);
  });
  server.bind(0, "127.0.0.1");
  await once(server, "listening");
  servers = [`127.0.0.1:${server.address().port}`];
  folder = await mkdtemp(join(tmpdir(), "ferry-hosts-"));
  hostsPath = join(folder, "hosts");
  await writeFile(hostsPath, "127.0.0.1 localhost\n8.8.4.4\tListed.example other # a comment\n");
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

function nameIn(query: Buffer): string {
  const labels: string[] = [];
  for (let at = 12; query[at] !== 0 && at < query.length; at += 1 + (query[at] ?? 0)) {
    labels.push(query.toString("latin1", at + 1, at + 1 + (query[at] ?? 0)));
  }
  return labels.join(".").toLowerCase();
}

/** One IPv4 address, no IPv6 address, or no such name. */
function answerTo(query: Buffer, isKnown: boolean): Buffer {
  const endOfName = query.indexOf(0, 12) + 1;
  const question = query.subarray(12, endOfName + 4);
  const isIpv4 = query.readUInt16BE(endOfName) === 1;
  const hasAnswer = isKnown && isIpv4;
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(hasAnswer ? 1 : 0, 6);
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 9, 9, 9, 9]);
  return Buffer.concat(hasAnswer ? [head, question, record] : [head, question]);
}

test("a name has the addresses that the name server gives, or those of the file of hosts", async () => {
  const resolve = createNameResolver(servers, { hostsPath });
  expect(await resolve("known.example")).toEqual([{ address: "9.9.9.9", family: 4 }]);
  expect(await resolve("listed.example")).toEqual([{ address: "8.8.4.4", family: 4 }]);
  expect(asked).not.toContain("listed.example");
  await expect(resolve("unknown.example")).rejects.toMatchObject({ code: "ENOTFOUND" });
});

test("names that no name server answers for do not hold up another, and fail in time", async () => {
  const resolve = createNameResolver(servers, { hostsPath, timeout: 1000, tries: 2 });
  const ended: string[] = [];
  const silent = Array.from({ length: 40 }, (_, index) =>
    resolve(`silent-${index}.example`).finally(() => ended.push("silent")),
  );
  const all = Promise.allSettled(silent);
  await resolve("known.example");
  ended.push("known");
  expect((await all).every(({ status }) => status === "rejected")).toBe(true);
  expect(ended[0]).toBe("known");
  await expect(silent[0]).rejects.toMatchObject({ code: "EAI_AGAIN" });
});
