import { z } from "zod";

/** An S3 bucket and the credentials to write to it. `endpoint` is the URL without the bucket. */
export const storageAccessSchema = z.object({
  endpoint: z.string(),
  bucket: z.string(),
  region: z.string(),
  access_key_id: z.string(),
  secret_access_key: z.string(),
  force_path_style: z.boolean(),
});
export type StorageAccess = z.infer<typeof storageAccessSchema>;
