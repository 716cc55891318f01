import "./daily-panel.css";
import { useQuery } from "@tanstack/preact-query";
import { answerTo } from "../../client/ferry-client.ts";
import { Loaded } from "../elements/loaded.tsx";
import { Panel } from "../elements/panel.tsx";
import { count } from "../format/amount.ts";
import type { DailyStat } from "../server/schemas.ts";
import { useFerry } from "../session/session.tsx";
import { DailyChart } from "./daily-chart.tsx";

/** How the jobs of the last seven days ended, as a chart and, for screen readers, as a table. */
export function DailyPanel() {
  const ferry = useFerry();
  const answer = useQuery({
    queryKey: ["daily"],
    queryFn: ({ signal }) => answerTo(ferry.GET("/dashboard/daily", { signal })),
  });
  return (
    <Panel title="Last 7 days" aside={<Legend />} class="daily">
      <div class="daily-place">
        <Loaded answer={answer}>
          {({ daily_stats: days }) => (
            <>
              <DailyChart days={days} />
              {days.every((day) => day.completed + day.failed === 0) && (
                <p class="daily-empty muted">No jobs ended on these days.</p>
              )}
              <DailyTable days={days} />
            </>
          )}
        </Loaded>
      </div>
    </Panel>
  );
}

function Legend() {
  return (
    <span class="legend" aria-hidden="true">
      <span class="legend-key good">Completed</span>
      <span class="legend-key bad">Failed</span>
    </span>
  );
}

function DailyTable({ days }: { days: readonly DailyStat[] }) {
  return (
    <table class="visually-hidden">
      <caption>Jobs that ended, by day (UTC)</caption>
      <thead>
        <tr>
          <th>Day</th>
          <th>Completed</th>
          <th>Failed</th>
        </tr>
      </thead>
      <tbody>
        {days.map((day) => (
          <tr key={day.date}>
            <th>{day.date}</th>
            <td>{count(day.completed)}</td>
            <td>{count(day.failed)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
