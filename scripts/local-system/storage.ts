/** The local bucket declared in wrangler.toml, reached through its S3 API. Only usable on this machine. */
export function localStorageVariables(edgeUrl: string) {
  return {
    STORAGE_ENDPOINT: `${edgeUrl}/cdn-cgi/local/r2/s3`,
    STORAGE_BUCKET: "ferry-media",
    STORAGE_REGION: "auto",
    STORAGE_ACCESS_KEY_ID: "ferry-local",
    STORAGE_SECRET_ACCESS_KEY: "ferry-local-secret",
  };
}
