import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import {
  type ContainerSettings,
  deployedConfig,
  nameIn,
  resourceNames,
} from "../../../scripts/deploy/worker-config.ts";
import { repositoryRoot } from "../../repository/repository.ts";

async function configOf(
  environment: string,
  domain: string | null = null,
  containers: ContainerSettings | null = null,
) {
  const toml = parse(await readFile(join(repositoryRoot, "wrangler.toml"), "utf8"));
  return deployedConfig(toml, { environment, variables: { LOG_LEVEL: "warn" }, domain, containers });
}

test("an environment's name becomes part of each of its names, and of no other word", () => {
  expect(nameIn("staging", "ferry")).toBe("ferry-staging");
  expect(nameIn("staging", "ferry-jobs-dead")).toBe("ferry-staging-jobs-dead");
  expect(nameIn("staging", "ferry_events")).toBe("ferry_staging_events");
  expect(nameIn("staging", "ferryman")).toBe("ferryman");
  expect(nameIn("production", "ferry-jobs")).toBe("ferry-jobs");
});

test("two deployments share no names", async () => {
  const [production, staging] = [
    resourceNames(await configOf("production")),
    resourceNames(await configOf("staging")),
  ];
  const all = [production, staging].flatMap((names) => [names.database, names.bucket, ...names.queues]);
  expect(new Set(all).size).toBe(all.length);
  expect(staging.worker).toBe("ferry-staging");
});

test("a deployed configuration has nothing that only works locally", async () => {
  const text = JSON.stringify(await configOf("production"));
  expect(text).not.toContain("ferry-local");
  expect(text).not.toContain("database_id");
});

test("settings and a domain are passed to the Worker", async () => {
  expect(await configOf("staging", "ferry.example.com")).toMatchObject({
    vars: { LOG_LEVEL: "warn", STORAGE_BUCKET: "ferry-staging-media" },
    routes: [{ pattern: "ferry.example.com", custom_domain: true }],
  });
});

test("containers are deployed only on request, up to the limit", async () => {
  expect(JSON.stringify(await configOf("production"))).not.toMatch(/container/i);
  const containers = {
    max: 7,
    instanceType: "standard-4",
    image: null,
    buildArguments: { YT_DLP_VERSION: "latest" },
  };
  expect(await configOf("production", null, containers)).toMatchObject({
    containers: [
      {
        class_name: "NodeContainer",
        image: "processor/Dockerfile",
        max_instances: 7,
        instance_type: "standard-4",
        image_vars: { YT_DLP_VERSION: "latest" },
      },
    ],
    migrations: [{ tag: "v1" }, { tag: "v2-containers", new_sqlite_classes: ["NodeContainer"] }],
  });
});
