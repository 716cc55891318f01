/** A release in the makers' form, of a program that only tells its version; signed with a key that nobody has. */
export const testRelease = {
  version: "2026.11.20",
  "/yt-dlp": "#!/bin/sh\necho 2026.11.20\n",
  "/SHA2-256SUMS": "6f59e56a6476f3f1c648526a9bb0532e9f17663ac8fcec45ddca87eef8925ab3  yt-dlp\n",
  "/SHA2-256SUMS.sig": Buffer.from(
    "iHUEABYIAB0WIQT3eVR7Cbtv7J6ZzqQHxxCPtKhnLgUCZZIAgAAKCRAHxxCPtKhnLlJ/AQDcxnouJRgFinNBTEuyT0HD4fauiqA9baH1hznltbGfKQEAzbOyr9YZk3YA6lnZyYH9XuWBtWCbM5gh86JT+WFj0QQ=",
    "base64",
  ),
} as const;

/** What verifies it. */
export const testReleaseKey = `-----BEGIN PGP PUBLIC KEY BLOCK-----

mDMEZZIAgBYJKwYBBAHaRw8BAQdATNCyzBKvnV7x70ZOXahelCTp2Y4wUbBjIr8X
u74XylK0I1JlbGVhc2UgdGVzdCA8cmVsZWFzZUB0ZXN0LmV4YW1wbGU+iJAEExYI
ADgWIQT3eVR7Cbtv7J6ZzqQHxxCPtKhnLgUCZZIAgAIbAwULCQgHAgYVCgkICwIE
FgIDAQIeAQIXgAAKCRAHxxCPtKhnLtNQAP981IbxzuKwuNFVrPQc7owRkt1bLC4Y
q695DqbS7qEJgwEA3ueIeOg522zI0111F/XdFL2HGGYcQKqFGtnA2hMrYQ4=
=DxPn
-----END PGP PUBLIC KEY BLOCK-----
`;
