import { Empty } from "../elements/empty.tsx";
import { Loaded } from "../elements/loaded.tsx";
import { Panel } from "../elements/panel.tsx";
import { DeliveryTable } from "./delivery-table.tsx";
import { type DeliveryFilter, useDeliveries } from "./use-deliveries.ts";

/** The latest webhook attempts of one job or batch. */
export function DeliveryPanel({ of }: { of: DeliveryFilter }) {
  const answer = useDeliveries(of, 1);
  return (
    <Panel title="Webhook deliveries">
      <Loaded answer={answer}>
        {({ deliveries }) =>
          deliveries.length === 0 ? (
            <Empty title="None so far. If a webhook was requested, it is sent at the end." />
          ) : (
            <DeliveryTable deliveries={deliveries} isOfOne />
          )
        }
      </Loaded>
    </Panel>
  );
}
