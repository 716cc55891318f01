import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { nodeProgram } from "../../../scripts/local-system/node.ts";

const settings = {
  port: 1,
  edgeUrl: "http://127.0.0.1:2",
  secret: "secret",
  stateDir: "state",
  allowPrivateNetwork: true,
  passedOn: {},
  logFile: "log",
};

test("a node is started with the same options here and in its image", async () => {
  const options = nodeProgram(settings).args.slice(0, -1);
  expect(options).not.toEqual([]);
  const dockerfile = await readFile("processor/Dockerfile", "utf8");
  const entry = ["tini", "--", "node", ...options, "processor/main.ts"];
  expect(dockerfile).toContain(`ENTRYPOINT ${JSON.stringify(entry).replaceAll(",", ", ")}`);
  expect(await readFile("scripts/image/check-node.ts", "utf8")).toContain(
    `node ${options.join(" ")} processor/main.ts`,
  );
});
