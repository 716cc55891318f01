import { expect, test } from "vitest";
import { useDashboard } from "./support/dashboard.ts";

const openDashboard = useDashboard();

const shows = [
  ["processing", "Tides of the harbour", 240, 180, 2],
  ["completed", "Field recordings", 48, 48, 0],
  ["finished", "Small machines", 12, 10, 2],
].map(([status, folder, total, completed, failed], index) => ({
  id: `0197b1c2-7c1d-7a53-9f5e-3c6d1a2b4e5${index}`,
  show_url: `https://podcasts.example/${index}/feed`,
  status,
  folder,
  total_episodes: total,
  completed_episodes: completed,
  failed_episodes: failed,
}));

test.each(["/", "/shows"])("the shows at %s have progress bars that say how far each is", async (at) => {
  const page = await openDashboard({
    at,
    before: (opened) =>
      opened.route("**/dashboard/batches", (route) => route.fulfill({ json: { batches: shows } })),
  });
  const bar = (name: string) => page.getByRole("progressbar", { name: `Progress of ${name}` });
  await bar("Tides of the harbour").waitFor();
  const percents = await Promise.all(
    shows.map((show) => bar(String(show.folder)).getAttribute("aria-valuenow")),
  );
  expect(percents).toEqual(["75", "100", "100"]);
  const part = (index: number) =>
    bar("Tides of the harbour")
      .locator("span")
      .nth(index)
      .evaluate((span) => span.getBoundingClientRect().width);
  expect((await part(0)) / (await part(2))).toBeCloseTo(180 / 58, 1);
  expect((await part(1)) / (await part(2))).toBeCloseTo(2 / 58, 1);
});
