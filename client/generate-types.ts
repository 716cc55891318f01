import openapiTypes, { astToString } from "openapi-typescript";

const heading = "// Made from docs/openapi.json by `npm run openapi`; not to be edited.\n\n";

/** The TypeScript types of an OpenAPI document, given as its JSON text. */
export async function generateTypes(documentText: string): Promise<string> {
  return heading + astToString(await openapiTypes(documentText));
}
