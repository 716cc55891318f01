// Runs in the browser, after swagger-ui-bundle.js, whose global it uses.
globalThis.SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#swagger-ui",
  deepLinking: true,
  // The default calls a validator on the internet.
  validatorUrl: null,
});
