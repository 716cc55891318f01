// Runs in the visited page before its own scripts: marks when the overview is complete, which is when no figure is
// missing, the jobs are listed, and it has been painted.
new MutationObserver((_, observer) => {
  const figures = [...document.querySelectorAll(".stat-value")];
  const isWhole =
    document.querySelector("table.jobs a") !== null &&
    figures.every(({ textContent }) => textContent !== "–");
  if (!isWhole) return;
  observer.disconnect();
  requestAnimationFrame(() => setTimeout(() => performance.mark("first view")));
}).observe(document, { childList: true, subtree: true, characterData: true });
