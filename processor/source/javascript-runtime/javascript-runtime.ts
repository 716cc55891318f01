import { fileURLToPath } from "node:url";

/**
 * Runs the scripts of sites whose addresses are computed by them, YouTube's first among them. It is the Node that runs
 * this process; started by the downloader, whose `raisedAddressSpaceBytes` it takes.
 */
const program = fileURLToPath(new URL("bounded-node.sh", import.meta.url));

/** As shown to operators. */
export const runtimeName = `node ${process.versions.node}`;

/** Room for a heap of 500 MB and for what WebAssembly reserves. */
export const runtimeAddressSpaceBytes = 4 * 1024 ** 3;

/** Needed in the environment of a downloader that is given these flags: the Node to run. */
export const runtimeEnvironment = { JAVASCRIPT_RUNTIME: process.execPath };

/** No other runtime is used, should the machine have one: it would not be bounded. */
export const runtimeFlags = ["--no-js-runtimes", "--js-runtimes", `node:${program}`];
