// A system of one program, to be killed: takes the folder, starts the program, prints a line.
import { startGuard } from "../../../../scripts/local-system/guard-client.ts";
import type { Program } from "../../../../scripts/local-system/process-group.ts";
import { supervise } from "../../../../scripts/local-system/supervise.ts";

const [folder = "", program = ""] = process.argv.slice(2);
const guard = await startGuard(folder);
const description: Program = JSON.parse(program);
supervise(description, guard, console.log);
console.log("started");
