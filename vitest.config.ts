import { fileURLToPath } from "node:url";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { buildAssets } from "./scripts/build-assets.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// Use the runtime's placeholder for a request's origin data, which it would otherwise download for each file.
process.env["CLOUDFLARE_CF_FETCH_ENABLED"] = "false";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "node",
          include: [
            "test/{bench,client,contracts,dashboard,hostile,processor,scripts,simulator,storage,repository}/**/*.test.ts",
          ],
          // Its files leave nothing behind in their process, and to load everything anew costs more than most of them do.
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
          include: ["test/edge/**/*.test.ts"],
          setupFiles: ["test/edge/support/set-up-file.ts"],
          // Each file finds this as if it were new; a runtime of its own takes longer to start than most files run.
          isolate: false,
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: "conformance",
          include: ["test/conformance/**/*.test.ts"],
          globalSetup: "test/conformance/support/global-setup.ts",
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: "system",
          include: ["test/system/**/*.test.ts"],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          globalSetup: "test/browser/support/global-setup.ts",
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
          expect: { poll: { timeout: 15_000 } },
        },
      },
    ],
  },
});
