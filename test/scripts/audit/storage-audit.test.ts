import { beforeEach, describe, expect, test } from "vitest";
import type { FoundObject, ManagedBucket, OpenUpload } from "../../../scripts/audit/managed-bucket.ts";
import { auditStorage } from "../../../scripts/audit/storage-audit.ts";
import type { Database } from "../../../scripts/local-system/database.ts";
import { openMemoryDatabase } from "../accounts/memory-database.ts";

const now = Date.UTC(2026, 0, 31, 12);
const oldUpload = (uploadId: string): OpenUpload => ({
  objectKey: "acme/x/x.mp4",
  uploadId,
  startedAt: now - 3_600_000,
});

let database: Database;
let change: (statement: string) => void;
let objects: Map<string, FoundObject>;
let uploads: OpenUpload[] | null;
let said: string[];

/** Two completed jobs, one of them with a thumbnail, one whose file was deleted, and one running. */
beforeEach(async () => {
  const raw = await openMemoryDatabase();
  change = (statement) => raw.exec(statement);
  database = { execute: async (statements) => statements.map((statement) => raw.prepare(statement).all()) };
  change(`
    INSERT INTO storage_locations (id, account_id, endpoint, bucket) VALUES (1, '', 'e', 'b'), (2, 'acme', 'e', 'own');
    INSERT INTO jobs (account_id, id, url, options, status, step, transition, turn, created_at, storage_location_id,
      storage_key, file_size, sidecars, upload_id)
    VALUES
      ('acme', 'a', '', '{}', 'Completed', 'Finished', 't', 1, 1, 1, 'A.mp4', 100,
        '[{"storage_key": "A.jpg", "bytes": 7}]', NULL),
      ('acme', 'b', '', '{}', 'Completed', 'Finished', 't', 1, 1, 1, 'B.mp4', 200, NULL, NULL),
      ('acme', 'c', '', '{}', 'Completed', 'Finished', 't', 1, 1, 1, NULL, 300, NULL, NULL),
      ('acme', 'd', '', '{}', 'Completed', 'Finished', 't', 1, 1, 2, 'D.mp4', 300, NULL, NULL),
      ('acme', 'e', '', '{}', 'Processing', 'Uploading', 't', 1, 1, 1, 'E.mp4', NULL, NULL, 'running')`);
  objects = new Map([
    ["acme/a/A.mp4", { bytes: 100, jobId: "a" }],
    ["acme/a/A.jpg", { bytes: 7, jobId: "a" }],
    ["acme/b/B.mp4", { bytes: 200, jobId: "b" }],
  ]);
  uploads = [oldUpload("running")];
  said = [];
});

async function wrongSubjects(bucket: Partial<ManagedBucket> = {}): Promise<string[]> {
  const findings = await auditStorage(
    database,
    { lookUp: async (key) => objects.get(key) ?? null, listUploads: async () => uploads, ...bucket },
    { now, say: (line) => said.push(line) },
  );
  return findings.flatMap(({ name, rows }) => rows.map(({ subject }) => `${name} ${subject}`));
}

test("storage with every file and only the running job's upload is right", async () => {
  expect(await wrongSubjects()).toEqual([]);
});

describe("the audit finds", () => {
  test("a missing file", async () => {
    objects.delete("acme/b/B.mp4");
    expect(await wrongSubjects()).toEqual(["files B.mp4"]);
  });

  test("a missing sidecar", async () => {
    objects.delete("acme/a/A.jpg");
    expect(await wrongSubjects()).toEqual(["files A.jpg"]);
  });

  test("a file of another size, and one written by another job", async () => {
    objects.set("acme/a/A.mp4", { bytes: 99, jobId: "a" });
    objects.set("acme/b/B.mp4", { bytes: 200, jobId: "z" });
    expect(await wrongSubjects()).toEqual(["files A.mp4", "files B.mp4"]);
  });

  test("an upload of an ended job that the sweep does not know", async () => {
    uploads = [oldUpload("left")];
    expect(await wrongSubjects()).toEqual(["uploads acme/x/x.mp4"]);
    change(`INSERT INTO left_files (account_id, job_id, storage_key, location_id, upload_id, left_at, try_at)
      VALUES ('acme', 'x', 'x.mp4', 1, 'left', 1, 1)`);
    expect(await wrongSubjects()).toEqual([]);
  });

  test("an upload that no job needs, once its node has had time to report it", async () => {
    uploads = [oldUpload("running"), oldUpload("forgotten"), { ...oldUpload("new"), startedAt: now - 1000 }];
    expect(await wrongSubjects()).toEqual(["uploads acme/x/x.mp4"]);
  });
});

test("a file deleted during the audit is not missing", async () => {
  const lookUp = async () => {
    change("UPDATE jobs SET storage_key = NULL");
    return null;
  };
  expect(await wrongSubjects({ lookUp })).toEqual([]);
});

test("storage that cannot list uploads is only searched for files", async () => {
  uploads = null;
  expect(await wrongSubjects()).toEqual([]);
  expect(said).toEqual(["3 files checked in storage", "This storage cannot list open uploads."]);
});
