import { expect, test } from "vitest";
import { ConfigError, readConfig } from "../../processor/config.ts";
import { defaultPatience } from "../../processor/network/patience.ts";

const enough = {
  EDGE_URL: "http://127.0.0.1:8787",
  PROCESSOR_SECRET: "s".repeat(32),
  ALLOW_PRIVATE_NETWORK: "true",
};

test("the edge's URL and the secret are enough for a node on a private network, which then listens on loopback only", () => {
  expect(readConfig(enough)).toMatchObject({
    host: "127.0.0.1",
    port: 8788,
    publicAddress: "http://127.0.0.1:8788",
    allowPrivateNetwork: true,
    logLevel: "info",
    secrets: ["s".repeat(32)],
  });
});

test("a node downloads and uploads for all its jobs at once by default", () => {
  const slots = { ...enough, PROCESSOR_SLOTS: "6" };
  expect(readConfig(slots).stages).toMatchObject({ downloads: 6, uploads: 6 });
  const told = { ...slots, MAX_DOWNLOADS: "5", MAX_ENCODES: "2", MAX_UPLOADS: "3" };
  expect(readConfig(told).stages).toEqual({ downloads: 5, encodes: 2, uploads: 3 });
});

test("a node uses as much disk as configured", () => {
  expect(readConfig(enough).diskBytes).toBeNull();
  expect(readConfig({ ...enough, MAX_DISK_MB: "500" }).diskBytes).toBe(500e6);
});

test("a node is patient for two minutes, or as long as configured, with pauses in proportion", () => {
  expect(readConfig(enough).patience).toEqual(defaultPatience);
  const { withinMs, askedMaxMs, longestPauseMs } = readConfig({ ...enough, PATIENCE_SECONDS: "8" }).patience;
  expect([withinMs, askedMaxMs, longestPauseMs]).toEqual([8000, 8000, 1000]);
});

test("two nodes on one machine have different work folders", () => {
  const folders = ["8788", "8789"].map((PORT) => readConfig({ ...enough, PORT }).workFolder);
  expect(new Set(folders).size).toBe(2);
});

test("both secrets are valid during a rotation, the new one first", () => {
  const previous = "p".repeat(32);
  expect(readConfig({ ...enough, PROCESSOR_SECRET_PREVIOUS: previous }).secrets).toEqual([
    "s".repeat(32),
    previous,
  ]);
});

test("an address has no trailing slash, and an IPv6 host in it is bracketed", () => {
  expect(readConfig({ ...enough, PUBLIC_ADDRESS: "https://node.example/" }).publicAddress).toBe(
    "https://node.example",
  );
  expect(readConfig({ ...enough, HOST: "::1" }).publicAddress).toBe("http://[::1]:8788");
});

test("an empty variable counts as unset", () => {
  expect(readConfig({ ...enough, PORT: "", PROCESSOR_SECRET_PREVIOUS: "" }).port).toBe(8788);
});

test.each([
  [{ EDGE_URL: undefined }, "EDGE_URL must be an http or https URL"],
  [{ EDGE_URL: "ftp://edge" }, "EDGE_URL must be an http or https URL"],
  [{ PROCESSOR_SECRET: undefined }, "PROCESSOR_SECRET is missing"],
  [{ PROCESSOR_SECRET: "too-short" }, "PROCESSOR_SECRET must have at least 32 characters"],
  [{ PORT: "70000" }, "PORT must be at most 65535"],
  [{ PORT: "x" }, "PORT must be a number"],
  [{ PROCESSOR_SLOTS: "0" }, "PROCESSOR_SLOTS must be at least 1"],
  [{ MAX_DISK_MB: "0" }, "MAX_DISK_MB must be at least 1"],
  [{ CONNECTIONS_PER_HOST: "0" }, "CONNECTIONS_PER_HOST must be at least 1"],
  [{ ALLOW_PRIVATE_NETWORK: "yes" }, "ALLOW_PRIVATE_NETWORK must be true or false"],
  [{ ALLOW_PRIVATE_NETWORK: "false" }, "PUBLIC_ADDRESS is missing"],
  [
    {
      ALLOW_PRIVATE_NETWORK: "false",
      EDGE_URL: "http://edge.example",
      PUBLIC_ADDRESS: "https://node.example",
    },
    "EDGE_URL must be https, since it leaves this machine",
  ],
  [
    {
      ALLOW_PRIVATE_NETWORK: "false",
      EDGE_URL: "https://edge.example",
      PUBLIC_ADDRESS: "http://node.example",
    },
    "PUBLIC_ADDRESS must be https, since it leaves this machine",
  ],
  [
    { ALLOW_PRIVATE_NETWORK: "false", HOST: "192.0.2.7" },
    "PUBLIC_ADDRESS must be https, since it leaves this machine",
  ],
  [{ HOST: "0.0.0.0" }, "PUBLIC_ADDRESS is missing"],
  [{ PUBLIC_ADDRESS: "node-1" }, "PUBLIC_ADDRESS must be http(s)://host[:port] or container://name"],
])("with %o the node does not start and reports: %s", (wrong, sentence) => {
  expect(() => readConfig({ ...enough, ...wrong })).toThrow(ConfigError);
  expect(() => readConfig({ ...enough, ...wrong })).toThrow(sentence);
});

test("the message about an invalid secret does not quote it", () => {
  expect(() => readConfig({ ...enough, PROCESSOR_SECRET: "hunter2" })).toThrow(/^(?!.*hunter2)/);
});

test("all problems are reported at once", () => {
  expect(() => readConfig({ PORT: "0" })).toThrow(/EDGE_URL.*PROCESSOR_SECRET.*PORT/);
});
