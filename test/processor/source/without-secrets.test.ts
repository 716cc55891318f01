import { expect, test } from "vitest";
import { withoutSecrets } from "../../../processor/source/without-secrets.ts";

test.each([
  ["a URL", "KeyError: https://cdn.example/film?token=abc", "KeyError: (an address)"],
  ["a URL in quotes", 'failed on "rtmps://live.example/key" twice', 'failed on "(an address)" twice'],
  ["a token", "bad signature 0123456789abcdef0123456789abcdef!", "bad signature …!"],
  ["a header", "Cookie: session=abc; b=c\nTypeError: x", "Cookie: …\nTypeError: x"],
  ["a header in a dictionary", "{'Authorization': 'Bearer abc'}", "{'Authorization': …"],
  [
    "nothing secret",
    'File "extractor.py", line 3\nKeyError: formats',
    'File "extractor.py", line 3\nKeyError: formats',
  ],
])("%s is left out of what a program wrote", (_, text, shown) => {
  expect(withoutSecrets(text)).toBe(shown);
});
