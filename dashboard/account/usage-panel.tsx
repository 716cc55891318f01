import { useQuery } from "@tanstack/preact-query";
import { answerTo } from "../../client/ferry-client.ts";
import { FactList } from "../elements/fact-list.tsx";
import { Loaded } from "../elements/loaded.tsx";
import { Panel } from "../elements/panel.tsx";
import { bytes, count } from "../format/amount.ts";
import { wholeDay } from "../format/time.ts";
import { useFerry } from "../session/session.tsx";

const bytesInGb = 1e9;

/** What the account has used, in the current period too if it has billing, and its limits. */
export function UsagePanel() {
  const ferry = useFerry();
  const answer = useQuery({
    queryKey: ["usage"],
    queryFn: ({ signal }) => answerTo(ferry.GET("/usage", { signal })),
  });
  return (
    <Panel title="Usage">
      <Loaded answer={answer}>
        {(usage) => (
          <FactList
            facts={[
              ["Account", usage.client_name],
              ["Jobs created", count(usage.usage_count)],
              ["Total stored", bytes(Math.round(usage.storage_usage_gb * bytesInGb))],
              ["Jobs at a time", usage.limits.running === null ? null : count(usage.limits.running)],
              ["Jobs that may wait", usage.limits.pending === null ? null : count(usage.limits.pending)],
              [
                "Billing period",
                usage.billing_period_start === undefined || usage.billing_period_end === undefined
                  ? null
                  : `${wholeDay(usage.billing_period_start)} to ${wholeDay(usage.billing_period_end)}`,
              ],
              [
                "Stored in this period",
                usage.current_period_usage_gb === undefined
                  ? null
                  : bytes(Math.round(usage.current_period_usage_gb * bytesInGb)),
              ],
            ]}
          />
        )}
      </Loaded>
      <p class="muted small panel-text">
        Every episode and every retry counts as a job. Deleting files does not reduce the total stored.
      </p>
    </Panel>
  );
}
