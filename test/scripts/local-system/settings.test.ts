import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { readSystemSettings } from "../../../scripts/local-system/settings.ts";
import { Problem } from "../../../scripts/problem.ts";

describe("the settings of a local system", () => {
  test("have defaults, and allow the private network, since everything is on this machine", () => {
    expect(readSystemSettings({})).toEqual({
      port: 8787,
      processorPort: 8788,
      stateDir: resolve(".data"),
      demoApiKey: null,
      allowPrivateNetwork: true,
      passedOn: {},
    });
  });

  test("treat an empty variable as unset", () => {
    expect(readSystemSettings({ PORT: "", STATE_DIR: "" })).toEqual(readSystemSettings({}));
  });

  test("pass on only what edge and node read themselves", () => {
    const { passedOn } = readSystemSettings({ LOG_LEVEL: "debug", PROCESSOR_SLOTS: "2", HOME: "/home/me" });
    expect(passedOn).toEqual({ LOG_LEVEL: "debug", PROCESSOR_SLOTS: "2" });
  });

  test.for([
    [{ PORT: "http" }, "PORT must be a port number"],
    [{ PORT: "70000" }, "PORT must be at most 65535"],
    [{ PORT: "9000", PROCESSOR_PORT: "9000" }, "PROCESSOR_PORT must differ from PORT"],
    [{ DEMO_API_KEY: "secret" }, "DEMO_API_KEY must be sk_ and 29 letters and digits"],
    [{ ALLOW_PRIVATE_NETWORK: "yes" }, "ALLOW_PRIVATE_NETWORK must be true or false"],
  ] as const)("reject %j with a message", ([environment, sentence]) => {
    expect(() => readSystemSettings(environment)).toThrow(new Problem(`${sentence}.`));
  });

  test("never quote an invalid key", () => {
    expect(() => readSystemSettings({ DEMO_API_KEY: "sk_hush" })).toThrow(/^(?!.*hush)/);
  });
});
