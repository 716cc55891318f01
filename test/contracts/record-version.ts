// Records this version's messages, to test the next one against: run once per release, with its
// version as the argument.
import { writeFile } from "node:fs/promises";
import { z } from "zod";
import { messages, messageSchemas, type Recording } from "./messages.ts";

const [version] = process.argv.slice(2);
if (version === undefined) throw new Error("Which version is this?");
const schemas = Object.entries(messageSchemas).map(([name, schema]) => [
  name,
  z.toJSONSchema(schema, { io: "input", target: "draft-7" }),
]);
const recording: Recording = { schemas: Object.fromEntries(schemas), messages };
const path = new URL(`recorded/${version}.json`, import.meta.url);
await writeFile(path, `${JSON.stringify(recording, null, 2)}\n`, { flag: "wx" });
