/** What programs need from the user's environment; everything else, secrets and settings alike, is passed by name. */
const inheritedNames = [
  "PATH",
  "HOME",
  "TMPDIR",
  "LANG",
  "LC_ALL",
  "TZ",
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "NODE_COMPILE_CACHE",
];

/** Those of the user's variables that are set and that programs need. */
export function inheritedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    inheritedNames.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
