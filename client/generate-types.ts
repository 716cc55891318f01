import openapiTypes, { astToString } from "openapi-typescript";

const heading = "// Made from docs/openapi.json by `npm run openapi`; not to be edited.\n\n";

/** Generates the TypeScript types of an OpenAPI document, given as JSON. */
export async function generateTypes(documentText: string): Promise<string> {
  return heading + astToString(await openapiTypes(documentText));
}
