import { z } from "@hono/zod-openapi";

const keyHeader = z
  .string()
  .regex(/^[\x20-\x7e]{1,255}$/, "Invalid Idempotency-Key")
  .optional()
  .openapi({
    description:
      "Chosen by you, 1 to 255 printable ASCII characters. A request with the same key is executed only once: " +
      "for 24 hours, repeating it returns the original 200 response.",
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
    .openapi({ description: "Present if this is the stored response for the idempotency key." }),
});
