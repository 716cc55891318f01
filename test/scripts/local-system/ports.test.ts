import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { findFreePorts, localHost, requireFreePort } from "../../../scripts/local-system/ports.ts";
import { Problem } from "../../../scripts/problem.ts";

test("a free port is accepted, and a busy one is a problem that names the port and the variable", async () => {
  const [port = 0] = await findFreePorts(1);
  await expect(requireFreePort(port, "PORT")).resolves.toBeUndefined();

  const server = createServer().listen(port, localHost);
  await once(server, "listening");
  await expect(requireFreePort(port, "PORT")).rejects.toThrow(
    new Problem(`Port ${port} is in use by another program. Choose another one with PORT=<port>.`),
  );
  server.close();
});

test("free ports requested together differ, and no other program gets one", async () => {
  const ports = await findFreePorts(5);
  expect(new Set(ports).size).toBe(5);
  // Linux assigns ports from 32768 on to connections, other systems from 49152 on.
  for (const port of ports) expect(port >= 20_000 && port < 30_000).toBe(true);
});
