import { expect, test } from "vitest";
import { withoutHiddenData } from "../../../processor/source/without-hidden-data.ts";

test("a URL keeps its fragment, except for one that the downloader would take instructions from", () => {
  const order = "__youtubedl_smuggle=%7B%22http_headers%22%3A%7B%7D%7D";
  expect(withoutHiddenData(`https://show.example/a?b#${order}`)).toBe("https://show.example/a?b");
  expect(withoutHiddenData(`https://show.example/a#x=1&${order}`)).toBe("https://show.example/a");
  expect(withoutHiddenData("https://show.example/a#part")).toBe("https://show.example/a#part");
});
