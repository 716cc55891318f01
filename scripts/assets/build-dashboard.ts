import { randomUUID } from "node:crypto";
import { cp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { InlineConfig, Plugin } from "vite";
import { hashOfFiles } from "../hash-of-files.ts";
import { showProgress } from "../progress-line.ts";
import { readIfThere } from "../read-if-there.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const source = join(root, "dashboard");
/** Everything that the result depends on. */
const inputs = ["dashboard/**/*", "client/*.ts", "scripts/assets/*.ts", "package-lock.json"];

/**
 * Builds the dashboard into the folder of static assets, unless nothing has changed since the last build. Several
 * processes may build at once: file names contain a hash of their content, the page that names them is written after
 * them, and the record of what was built last of all, so that a build that dies halfway is repeated.
 */
export async function buildDashboard(assets: URL): Promise<void> {
  const wanted = await hashOfFiles(inputs);
  const note = new URL("../dashboard.built", assets);
  if ((await readIfThere(note))?.toString() === wanted) return;
  await showProgress("Building the dashboard", async () => {
    // Only here: most starts have nothing to build.
    const { build } = await import("vite");
    const making = new URL(`../dashboard-${randomUUID()}/`, assets);
    try {
      await build(buildTo(fileURLToPath(making)));
      const files = new URL("dashboard/assets/", assets);
      await cp(new URL("dashboard/assets/", making), files, { recursive: true });
      await rename(new URL("dashboard.html", making), new URL("dashboard.html", assets));
      const made = new Set(await readdir(new URL("dashboard/assets/", making)));
      const former = (await readdir(files)).filter((name) => !made.has(name));
      await Promise.all(former.map((name) => rm(new URL(name, files), { force: true })));
      await writeFile(note, wanted);
    } finally {
      await rm(making, { recursive: true, force: true });
    }
  });
}

/** The page becomes `dashboard.html`; everything else goes to `dashboard/assets/` with a hash in its name. */
function buildTo(outDir: string): InlineConfig {
  return {
    root: source,
    configFile: false,
    publicDir: false,
    logLevel: "warn",
    // Independent of who builds: a test runner has another environment.
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: {
      outDir,
      emptyOutDir: true,
      assetsDir: "dashboard/assets",
      // An inlined file would need a policy that allows it.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: {
          dashboard: join(source, "dashboard.html"),
          [firstScript]: join(source, "appearance/first-theme.ts"),
        },
      },
    },
    plugins: [loadFirst],
  };
}

const firstScript = "first-theme";

/** Makes the page wait for its first script, which is not a module: a module would run after the page is painted. */
const loadFirst: Plugin = {
  name: "load-first",
  transformIndexHtml: {
    order: "post",
    handler(_, { bundle = {} }) {
      const file = Object.values(bundle).find(({ name }) => name === firstScript);
      if (file === undefined) throw new Error(`The build has no ${firstScript}`);
      return [{ tag: "script", attrs: { src: `/${file.fileName}` }, injectTo: "head-prepend" }];
    },
  },
};
