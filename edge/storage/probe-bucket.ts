import type { StorageAccess } from "../../contracts/storage-location.ts";
import type { Dependencies } from "../dependencies.ts";
import { askBucket, isDeleted } from "./ask-bucket.ts";
import { bucketTestFailed } from "./storage-errors.ts";

type Surroundings = Pick<Dependencies, "fetch" | "clock" | "log" | "newId" | "newToken">;

/**
 * Tests whether Ferry can work with a bucket: stores a small object, reads it and deletes it. Throws the ApiError that
 * says which step failed, and why.
 */
export async function probeBucket(around: Surroundings, access: StorageAccess): Promise<void> {
  const object = { objectKey: `ferry-test-${around.newId()}.txt` };
  const body = `Ferry was here: ${around.newToken()}`;
  const put = await askBucket(around, access, { method: "PUT", ...object, body });
  if (!put.ok) {
    // The object may exist nevertheless: the response can have been lost, or come from something between here and the
    // bucket.
    if (put.status === null || put.status >= 500)
      await askBucket(around, access, { method: "DELETE", ...object });
    throw bucketTestFailed("put", put.problem);
  }

  const got = await askBucket(around, access, { method: "GET", ...object });
  const deleted = await askBucket(around, access, { method: "DELETE", ...object });
  if (!got.ok) throw bucketTestFailed("get", got.problem);
  if (got.text !== body) throw bucketTestFailed("get", "what came back is not what was stored");
  if (!isDeleted(deleted)) throw bucketTestFailed("delete", deleted.problem);
}
