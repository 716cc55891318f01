import { createConfig, lintFromString, type RawUniversalConfig } from "@redocly/openapi-core";

/** Every problem is an error. None of the rules needs the network. */
const rules: RawUniversalConfig = {
  extends: ["recommended-strict"],
  rules: {
    "operation-description": "error",
    "operation-singular-tag": "error",
    "operation-tag-defined": "error",
    "parameter-description": "error",
    // GET /health needs no key and no input: there is nothing a client can do wrong.
    "operation-4xx-response": "off",
  },
};

/** The linter's objections to an OpenAPI document, one per line; empty if it passes. `path` is where it is. */
export async function lintDocument(documentText: string, path: string): Promise<string[]> {
  const config = await createConfig(rules);
  const problems = await lintFromString({ source: documentText, absoluteRef: path, config });
  return problems.map(
    ({ ruleId, message, location }) => `${location[0]?.pointer ?? "#/"}: ${message} (${ruleId})`,
  );
}
