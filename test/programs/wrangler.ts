// Stands in for wrangler: the account is the JSON file in HOME.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runOnAccount } from "./account-model.ts";

const file = join(process.env["HOME"] ?? "", "account.json");
const account = JSON.parse(readFileSync(file, "utf8"));
try {
  console.log(runOnAccount(account, process.argv.slice(2), process.env["WRANGLER_OUTPUT_FILE_PATH"] ?? ""));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  writeFileSync(file, JSON.stringify(account));
}
