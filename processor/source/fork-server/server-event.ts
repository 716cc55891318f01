import { z } from "zod";

const readySchema = z.object({
  ready: z.literal(true),
  version: z.string().nullable(),
  sealed: z.boolean(),
});
const exitSchema = z.object({
  id: z.number(),
  exit_code: z.number().nullable(),
  exhausted: z.boolean(),
});
const runEventSchema = z.union([
  z.object({ id: z.number(), pid: z.number() }),
  exitSchema,
  z.object({ id: z.number(), refused: z.string() }),
  z.object({ id: z.number(), replaced: z.literal(true) }),
]);
const serverEventSchema = z.union([readySchema, runEventSchema]);

/** What a fork server says of one of its runs, in answer to a request or on its own; told in fork_server.py. */
export type RunEvent = z.infer<typeof runEventSchema>;
export type RunExit = z.infer<typeof exitSchema>;
type ServerEvent = z.infer<typeof serverEventSchema>;

/** Reads a line of a fork server's output. Null for what is not an event, such as half a line. */
export function readServerEvent(line: string): ServerEvent | null {
  try {
    return serverEventSchema.parse(JSON.parse(line));
  } catch {
    return null;
  }
}
