import { installRelease, releaseAddress } from "./yt-dlp-release.ts";

const usage = `node install-yt-dlp.ts <path>: installs yt-dlp there, complete and verified or not at all, even while nodes are using it.
Needs Python and gpgv.

YT_DLP_VERSION  a release such as 2026.10.26, or "latest"
YT_DLP_SOURCE   a folder (https:// or file://) with yt-dlp, SHA2-256SUMS and SHA2-256SUMS.sig, instead of the release's own address
YT_DLP_SHA256   the expected checksum, instead of the one in SHA2-256SUMS, which then need not be there`;

const defaultVersion = "2026.10.26";
const installMaxMs = 300_000;

const [target] = process.argv.slice(2);
const { YT_DLP_VERSION: version, YT_DLP_SOURCE: source, YT_DLP_SHA256: sha256 } = process.env;
if (target === undefined) {
  console.error(usage);
  process.exit(1);
}
try {
  const installed = await installRelease(target, {
    source: source || releaseAddress(version || defaultVersion),
    sha256: sha256 || null,
    withoutGpgv: "refuse",
    signal: AbortSignal.timeout(installMaxMs),
  });
  console.log(`yt-dlp ${installed}`);
} catch (error) {
  console.error(`yt-dlp was not installed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
