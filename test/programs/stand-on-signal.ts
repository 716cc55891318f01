/** Loaded into a node before its own code: SIGUSR2 makes its event loop stand for good. */
process.on("SIGUSR2", () => {
  for (;;);
});
