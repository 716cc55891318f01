import { Panel } from "../elements/panel.tsx";
import { forgetApiKey } from "../session/api-key.ts";
import { BucketPanel } from "./bucket-panel.tsx";
import { UsagePanel } from "./usage-panel.tsx";
import { Heading } from "../elements/heading.tsx";

/** What was used, where files go, and the key in this browser. */
export function Account() {
  return (
    <>
      <Heading text="Account" />
      <UsagePanel />
      <BucketPanel />
      <Panel
        title="API key"
        aside={
          <button type="button" class="button" onClick={() => forgetApiKey()}>
            Forget key
          </button>
        }
      >
        <p class="muted panel-text">
          The key is stored in this browser. Forget it before you leave a shared computer; jobs keep running.
        </p>
      </Panel>
    </>
  );
}
