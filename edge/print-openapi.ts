import { createApp } from "./app.ts";
import { openApiDocument } from "./openapi.ts";

// Run by `npm run openapi`, which saves the output.
console.log(JSON.stringify(openApiDocument(createApp()), null, 2));
