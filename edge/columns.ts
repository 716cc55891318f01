import { z } from "zod";

/** A column of JSON text, parsed with the schema. */
export function jsonColumn<Schema extends z.ZodType>(schema: Schema) {
  return z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(schema);
}

/** A column or condition of SQLite, which has no booleans: 1 is true. */
export const flagColumn = z.int().transform((flag) => flag === 1);
