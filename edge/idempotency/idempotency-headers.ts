import { z } from "@hono/zod-openapi";

const keyHeader = z
  .string()
  .regex(/^[\x20-\x7e]{1,255}$/, "Invalid Idempotency-Key")
  .optional()
  .openapi({
    description:
      "Chosen by you, 1 to 255 printable ASCII characters. The same request under the same key is carried out once: " +
      "for 24 hours it gets its first 200 answer again.",
    example: "order-4711",
  });

/** Of requests that can be repeated safely. If both are given, the first counts. */
export const idempotencyHeaders = z.object({ "idempotency-key": keyHeader, "x-idempotency-key": keyHeader });
export type IdempotencyHeaders = z.infer<typeof idempotencyHeaders>;

/** Header of a response that was given before. */
export const replayedHeader = "idempotent-replayed";

/** As published with a 200 response. */
export const replayedHeaders = z.object({
  [replayedHeader]: z
    .literal("true")
    .optional()
    .openapi({ description: "There when the idempotency key has had this answer before." }),
});
