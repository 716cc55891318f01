import type { StorageAccess } from "../../contracts/storage-location.ts";
import { decrypt } from "../encryption/encrypt.ts";
import { bucketSecretContext } from "../encryption/secret-contexts.ts";
import type { Settings } from "../settings.ts";
import { type FileOwner, objectKeyOf } from "./object-key.ts";
import type { CustomLocation, StorageLocation } from "./storage-location.store.ts";

/** The bucket that holds a job's files, and the keys in it. */
export interface JobStorage {
  readonly access: StorageAccess;
  readonly isManaged: boolean;
  readonly objectKey: (storageKey: string) => string;
}

/** The storage of a job whose files go to, or are in, this location. Rejects with CannotDecrypt. */
export async function openJobStorage(
  location: StorageLocation,
  owner: FileOwner,
  settings: Pick<Settings, "managedStorage" | "encryptionKeys">,
): Promise<JobStorage> {
  const isManaged = location === null;
  return {
    access: isManaged ? settings.managedStorage : await accessOf(location, settings),
    isManaged,
    objectKey: (storageKey) => objectKeyOf({ isManaged }, owner, storageKey),
  };
}

async function accessOf(
  location: CustomLocation,
  { encryptionKeys }: Pick<Settings, "encryptionKeys">,
): Promise<StorageAccess> {
  return {
    endpoint: location.endpoint,
    bucket: location.bucket,
    region: location.region,
    access_key_id: location.accessKeyId,
    secret_access_key: await decrypt(encryptionKeys, location.secretAccessKey, bucketSecretContext(location)),
    force_path_style: location.forcePathStyle,
  };
}
