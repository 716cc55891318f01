export interface StoredObject {
  readonly jobId: string;
  readonly bytes: number;
}

/** A bucket that behaves like S3: objects appear atomically, and cannot be completed after an abort. */
export class StorageModel {
  readonly objects = new Map<string, StoredObject>();
  readonly uploads = new Map<string, { readonly key: string; readonly jobId: string }>();
  #begun = 0;

  lookUp(key: string): StoredObject | null {
    return this.objects.get(key) ?? null;
  }

  put(key: string, object: StoredObject): "stored" | "taken" {
    if (this.objects.has(key)) return "taken";
    this.objects.set(key, object);
    return "stored";
  }

  startUpload(key: string, jobId: string): string {
    this.#begun += 1;
    const id = `upload-${this.#begun}`;
    this.uploads.set(id, { key, jobId });
    return id;
  }

  complete(uploadId: string, object: StoredObject): "stored" | "taken" | "no such upload" {
    const upload = this.uploads.get(uploadId);
    if (upload === undefined) return "no such upload";
    if (this.objects.has(upload.key)) return "taken";
    this.uploads.delete(uploadId);
    this.objects.set(upload.key, object);
    return "stored";
  }

  abort(uploadId: string): "aborted" {
    this.uploads.delete(uploadId);
    return "aborted";
  }

  delete(key: string): "deleted" {
    this.objects.delete(key);
    return "deleted";
  }
}
