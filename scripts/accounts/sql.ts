import { Problem } from "../problem.ts";

type Value = string | number | null;

/**
 * SQL with its values quoted as literals, since the database's command line takes no parameters. A statement's text
 * must be code; anything a user typed goes in as a value.
 */
export function sql(text: TemplateStringsArray, ...values: readonly Value[]): string {
  return text.map((part, index) => (index === 0 ? part : literal(values[index - 1] ?? null) + part)).join("");
}

function literal(value: Value): string {
  if (value === null) return "NULL";
  if (typeof value === "number") return integer(value);
  if (value.includes("\0")) throw new Problem("A text must not contain a zero byte");
  return `'${value.replaceAll("'", "''")}'`;
}

function integer(value: number): string {
  if (!Number.isSafeInteger(value)) throw new TypeError(`Not a whole number: ${value}`);
  return String(value);
}
