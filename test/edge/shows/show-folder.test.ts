import * as fc from "fast-check";
import { expect, it } from "vitest";
import { showFolder } from "../../../edge/shows/show-folder.ts";
import { folderProblem } from "../../../edge/storage/folder.ts";

const feedUrl = "https://feeds.example/weekly";

it.each([
  ["Weekly", "Weekly"],
  ["News/Weather: daily?", "NewsWeather daily"],
  ["To be continued.. maybe...so", "To be continued. maybe.so"],
  ["  ..Weekly.. ", "Weekly"],
  ["???", "feeds.example"],
  ["", "feeds.example"],
  [null, "feeds.example"],
])("the folder of a show with the title %j is %j", (title, folder) => {
  expect(showFolder({ title, feedUrl })).toBe(folder);
});

it("is valid as a client's folder, whatever the title and the host", () => {
  const host = fc.oneof(
    fc.domain(),
    fc.ipV4(),
    fc.ipV6().map((address) => `[${address}]`),
  );
  fc.assert(
    fc.property(fc.option(fc.string({ unit: "binary", maxLength: 600 })), host, (title, name) => {
      const folder = showFolder({ title, feedUrl: `https://${name}/feed` });
      expect(folder).not.toBe("");
      expect(folder).not.toContain("/");
      expect(folderProblem(folder)).toBeNull();
    }),
  );
});
