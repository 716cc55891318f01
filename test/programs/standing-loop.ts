import { startWatchdog } from "../../processor/watchdog/watchdog.ts";

/**
 * A program with a watchdog that allows its event loop to stand for the second argument's number of checks, each of 20
 * ms. By its first argument, it stands for good, in short pieces, or not at all.
 */
const [manner = "", checksMax = "10"] = process.argv.slice(2);
startWatchdog({ checkMs: 20, checksMax: Number(checksMax) });

function standFor(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

if (manner === "for-good") setTimeout(() => standFor(Infinity), 1);
if (manner === "in-pieces") {
  let left = 60;
  const timer = setInterval(() => {
    standFor(50);
    left -= 1;
    if (left === 0) clearInterval(timer);
  }, 1);
}
