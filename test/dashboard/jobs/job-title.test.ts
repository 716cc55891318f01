import * as fc from "fast-check";
import { expect, it } from "vitest";
import { jobTitle } from "../../../dashboard/jobs/job-title.ts";

it.each([
  ["https://media.example/a/talk.mp4", "talks/Opening keynote.mp4", "Opening keynote.mp4"],
  ["https://media.example/a/talk.mp4?x=1", null, "talk.mp4"],
  ["https://media.example/gr%C3%B6%C3%9Fe/", null, "größe"],
  ["https://media.example/%zz", null, "%zz"],
  ["https://media.example:8443/", null, "media.example:8443"],
  ["no address", null, "no address"],
])("the title of %s with the key %s is %s", (url, key, title) => {
  expect(jobTitle({ url, storage_key: key })).toBe(title);
});

it("every job has a title", () => {
  fc.assert(
    fc.property(
      fc.webUrl({ withQueryParameters: true }),
      fc.option(fc.string({ minLength: 1 })),
      (url, key) => {
        expect(jobTitle({ url, storage_key: key })).not.toBe("");
      },
    ),
  );
});
