import { fileURLToPath } from "node:url";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { buildAssets } from "./scripts/build-assets.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// A long test takes minutes and runs apart.
const isLong = process.env["FERRY_LONG_TESTS"] === "true";
const testsIn = (folder: string) => `${folder}/**/${isLong ? "*.long" : "!(*.long)"}.test.ts`;

/** Where tests run media programs, or parse much of what these make. */
const mediaTests = [
  testsIn("test/{hostile,processor/{direct,mux,pipeline,remux,source,verify}}"),
  "test/processor/main.test.ts",
];

// Use the runtime's placeholder for a request's origin data, which it would otherwise download for each file.
process.env["CLOUDFLARE_CF_FETCH_ENABLED"] = "false";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "node",
          include: [
            testsIn("test/{bench,client,contracts,dashboard,processor,scripts,simulator,storage,repository}"),
          ],
          exclude: mediaTests,
          // Its files leave nothing behind in their process, and to load everything anew costs more than most of them do.
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "media",
          include: mediaTests,
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        plugins: [
          cloudflareTest(async () => {
            await buildAssets();
            return {
              wrangler: { configPath: at("./wrangler.toml") },
              miniflare: {
                ratelimits: { TEST_RATE_LIMIT: { namespace_id: "1", simple: { limit: 3, period: 10 } } },
                bindings: {
                  FERRY_SCHEDULES: process.env["FERRY_SCHEDULES"] ?? "{}",
                  TEST_MIGRATIONS: await readD1Migrations(at("./drizzle")),
                  PROCESSOR_SECRET: "a-secret-that-only-these-tests-know",
                  ENCRYPTION_KEY: "YSBrZXkgdGhhdCBvbmx5IHRoZXNlIHRlc3RzIGtub3c=",
                  STORAGE_ENDPOINT: "https://storage.example",
                  STORAGE_BUCKET: "ferry-media",
                  STORAGE_ACCESS_KEY_ID: "test-key-id",
                  STORAGE_SECRET_ACCESS_KEY: "test-secret-key",
                },
              },
            };
          }),
        ],
        test: {
          name: "edge",
          include: [testsIn("test/edge")],
          setupFiles: ["test/edge/support/set-up-file.ts"],
          // Each file finds this as if it were new; a runtime of its own takes longer to start than most files run.
          isolate: false,
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: "conformance",
          include: [testsIn("test/conformance")],
          globalSetup: "test/conformance/support/global-setup.ts",
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
          isolate: false,
        },
      },
      {
        test: {
          name: "system",
          include: [testsIn("test/system")],
          globalSetup: "test/system/support/global-setup.ts",
          testTimeout: 180_000,
          hookTimeout: 180_000,
          fileParallelism: false,
          isolate: false,
        },
      },
      {
        test: {
          name: "browser",
          include: [testsIn("test/browser")],
          globalSetup: "test/browser/support/global-setup.ts",
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
          isolate: false,
          expect: { poll: { timeout: 45_000 } },
        },
      },
    ],
  },
});
