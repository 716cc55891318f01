import { execa } from "execa";
import { runScript } from "./problem.ts";

await runScript(async () => {
  const { exitCode } = await execa("oxfmt", process.argv.slice(2), { stdio: "inherit", reject: false });
  return exitCode ?? 1;
});
