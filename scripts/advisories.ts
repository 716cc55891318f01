import { readFile } from "node:fs/promises";
import { execa } from "execa";
import { exceptedIds, readAdvisories } from "./checks/advisories.ts";
import { runScript } from "./problem.ts";

const exceptions = "docs/dependencies.md";

/**
 * Asks the registry for known vulnerabilities of the dependencies; fails for each one without an accepted exception.
 */
await runScript(async () => {
  const { stdout } = await execa("npm", ["audit", "--json"], { reject: false });
  const advisories = readAdvisories(stdout);
  if (advisories === null) {
    console.log("The advisory check did not run: the registry does not offer advisories.");
    return 0;
  }
  const excepted = exceptedIds(await readFile(exceptions, "utf8"));
  const open = advisories.filter(({ id }) => !excepted.has(id));
  for (const { id, packageName, severity, title } of open) {
    console.log(`${packageName}: ${title} (${severity}, ${id})`);
  }
  console.log(
    open.length === 0
      ? `No known vulnerabilities except ${advisories.length} that do not apply here according to ${exceptions}.`
      : `${open.length} known vulnerabilities. If one does not apply here, say why in ${exceptions}.`,
  );
  return open.length === 0 ? 0 : 1;
});
