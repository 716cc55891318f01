import "./cluster-counts.css";
import { useQuery } from "@tanstack/preact-query";
import { answerTo } from "../../client/ferry-client.ts";
import { Panel } from "../elements/panel.tsx";
import { clusterRefreshMs } from "../server/query-client.ts";
import { refreshInterval } from "../server/refresh-interval.ts";
import { useFerry } from "../session/session.tsx";

/** What all nodes are doing, updated every second. */
export function ClusterCounts() {
  const ferry = useFerry();
  const { data: cluster } = useQuery({
    queryKey: ["cluster"],
    queryFn: ({ signal }) => answerTo(ferry.GET("/dashboard/cluster", { signal })),
    refetchInterval: ({ state }) => refreshInterval(clusterRefreshMs, state.error),
  });
  const stages = [
    ["Downloading", cluster?.total_downloading],
    ["Muxing", cluster?.total_muxing],
    ["Uploading", cluster?.total_uploading],
  ] as const;
  return (
    <Panel title="Right now" aside={<span class="muted small">the whole service, live</span>} class="cluster">
      <dl class="stages">
        {stages.map(([stage, number]) => (
          <div key={stage} class={number ? "busy" : undefined}>
            <dt>{stage}</dt>
            <dd>{number ?? "–"}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
