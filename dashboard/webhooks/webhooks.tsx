import { Empty } from "../elements/empty.tsx";
import { Loaded } from "../elements/loaded.tsx";
import { PageLinks } from "../elements/page-links.tsx";
import { Panel } from "../elements/panel.tsx";
import { hrefOf } from "../navigation/address.ts";
import { DeliveryTable } from "./delivery-table.tsx";
import { pageSize, useDeliveries } from "./use-deliveries.ts";
import { WebhookSecret } from "./webhook-secret.tsx";
import { Heading } from "../elements/heading.tsx";

/** All webhook attempts, and the secret that signs them. */
export function Webhooks({ page }: { page: number }) {
  const answer = useDeliveries({}, page);
  return (
    <>
      <Heading text="Webhooks" />
      <WebhookSecret />
      <Panel title="Deliveries">
        <Loaded answer={answer}>
          {({ deliveries, total }) => (
            <>
              {deliveries.length === 0 ? (
                <Empty title="No deliveries here. A job with a webhook URL sends a POST when it ends." />
              ) : (
                <DeliveryTable deliveries={deliveries} isOfOne={false} />
              )}
              {total > 0 && (
                <PageLinks
                  page={page}
                  pageSize={pageSize}
                  total={total}
                  what="deliveries"
                  hrefOfPage={(other) => hrefOf({ view: "webhooks", page: other })}
                />
              )}
            </>
          )}
        </Loaded>
      </Panel>
    </>
  );
}
