import { Icon } from "../elements/icon.tsx";
import { Panel } from "../elements/panel.tsx";
import { hrefOf } from "../navigation/address.ts";
import { BatchList } from "./batch-list.tsx";
import { useBatches } from "./use-batches.ts";
import { Heading } from "../elements/heading.tsx";

const listedMax = 100;

/** Every show that the service lists. */
export function Shows() {
  const batches = useBatches();
  const isFull = batches.data?.batches.length === listedMax;
  return (
    <>
      <div class="view-head">
        <Heading text="Shows" />
        <a class="button" href={hrefOf({ view: "new", kind: "show" })}>
          <Icon name="plus" />
          New show
        </a>
      </div>
      <Panel title="Podcast shows" aside={isFull && <span class="muted small">the newest {listedMax}</span>}>
        <BatchList answer={batches} />
      </Panel>
    </>
  );
}
