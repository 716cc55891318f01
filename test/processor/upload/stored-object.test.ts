import { parse } from "content-disposition";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { contentType } from "../../../processor/upload/content-type.ts";
import { isFileOf, objectHeaders } from "../../../processor/upload/stored-object.ts";

const job = { account_id: "account", job_id: "job", claim: 7 };

test("a browser saves the file under the last segment of its key, in any language", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (text) => {
      const name = text.replaceAll("/", "-").toWellFormed();
      const header = objectHeaders(job, `shows/2026/${name}`, "video/mp4").ContentDisposition;
      expect(header).toMatch(/^[\x20-\x7e]+$/);
      expect(parse(header).parameters["filename"]).toBe(name);
    }),
  );
});

test("an object is the job's file only if the job wrote it, completely", () => {
  expect(isFileOf({ bytes: 5, jobId: "job" }, "job", 5)).toBe(true);
  expect(isFileOf({ bytes: 4, jobId: "job" }, "job", 5)).toBe(false);
  expect(isFileOf({ bytes: 5, jobId: null }, "job", 5)).toBe(false);
  expect(isFileOf(null, "job", 5)).toBe(false);
});

test("containers of either kind get the content type of their content", () => {
  expect(contentType("webm", true)).toBe("video/webm");
  expect(contentType("webm", false)).toBe("audio/webm");
  expect(contentType("mov", true)).toBe("video/quicktime");
  expect(contentType("mp3", false)).toBe("audio/mpeg");
});
