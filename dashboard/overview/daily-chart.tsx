import type { Chart } from "chart.js";
import { useEffect, useRef, useState } from "preact/hooks";
import { isDark } from "../appearance/theme.ts";
import { isOnline } from "../server/connection.ts";
import type { DailyStat } from "../server/schemas.ts";

/** Stacked bars, one per day. The library is loaded after the rest of the page, which does not wait for it. */
export function DailyChart({ days }: { days: readonly DailyStat[] }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [chart, setChart] = useState<Chart<"bar"> | null>(null);
  const [couldNotLoad, setCouldNotLoad] = useState(false);
  const dark = isDark();
  const isRetrying = couldNotLoad && isOnline.value;

  useEffect(() => {
    let drawn: Chart<"bar"> | null = null;
    let isGone = false;
    async function draw(): Promise<void> {
      const { drawBars } = await import("./draw-bars.ts");
      if (isGone || canvas.current === null) return;
      drawn = drawBars(canvas.current);
      setChart(drawn);
    }
    // The network may have gone since the page was loaded.
    draw().catch(() => setCouldNotLoad(true));
    return () => {
      isGone = true;
      drawn?.destroy();
    };
    // Colours are read when the chart is created.
  }, [dark, isRetrying]);

  useEffect(() => {
    if (chart === null) return;
    chart.data.labels = days.map(({ date }) => dayLabel(date));
    const [completed, failed] = chart.data.datasets;
    if (completed) completed.data = days.map((day) => day.completed);
    if (failed) failed.data = days.map((day) => day.failed);
    chart.update("none");
  }, [chart, days]);

  return (
    <div class="daily-canvas" aria-hidden="true">
      <canvas ref={canvas} />
    </div>
  );
}

const weekday = new Intl.DateTimeFormat("en", { weekday: "short", timeZone: "UTC" });
const dayOfMonth = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", timeZone: "UTC" });

/** Two lines for a day given as YYYY-MM-DD. */
function dayLabel(date: string): string[] {
  const day = new Date(`${date}T00:00:00Z`);
  return [weekday.format(day), dayOfMonth.format(day)];
}
