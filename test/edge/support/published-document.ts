import { createApp } from "../../../edge/app.ts";
import { testDependencies } from "./test-dependencies.ts";

/** The parts of a published JSON Schema that say which values are valid. */
export interface ValueSchema {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly ValueSchema[];
  /** Instead of all others: the path of a schema in the document. */
  readonly $ref?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: ValueSchema;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly required?: readonly string[];
}

interface Content {
  readonly "application/json": {
    readonly schema: ValueSchema;
    readonly example?: object;
    readonly examples?: Record<string, { readonly summary: string; readonly value: object }>;
  };
}
interface AsEvents {
  readonly "text/event-stream"?: Content["application/json"];
}
interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly description?: string;
  readonly schema: ValueSchema & { readonly description?: string };
}
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Record<string, { readonly content: Content & AsEvents }>;
}
export interface OpenApiDocument {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: {
    readonly schemas: Record<string, { readonly example?: object }>;
    readonly securitySchemes: Record<string, object>;
  };
}

/** The response of `/openapi.json`. */
export const publishedDocument = await readDocument();

async function readDocument(): Promise<OpenApiDocument> {
  const response = await createApp().request("/openapi.json", {}, testDependencies());
  return response.json();
}
