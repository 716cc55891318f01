import { useEffect, useRef } from "preact/hooks";
import { Account } from "./account/account.tsx";
import { BatchView } from "./batches/batch-view.tsx";
import { Shows } from "./batches/shows.tsx";
import { Announcement } from "./elements/announcement.tsx";
import { JobView } from "./job-detail/job-view.tsx";
import type { Address } from "./navigation/address.ts";
import { currentAddress } from "./navigation/current-address.ts";
import { useKeptFocus } from "./navigation/kept-focus.ts";
import { NavigationBar } from "./navigation/navigation-bar.tsx";
import { Nowhere } from "./navigation/nowhere.tsx";
import { NewJob } from "./new-job/new-job.tsx";
import { Overview } from "./overview/overview.tsx";
import { ConnectionNotice } from "./server/connection-notice.tsx";
import { Webhooks } from "./webhooks/webhooks.tsx";

/** The frame around every view. */
export function Shell() {
  const address = currentAddress.value;
  const main = useViewStart(address);
  useKeptFocus(main);
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => skipTo(event, main.current)}>
        Skip to content
      </a>
      <NavigationBar />
      <main id="main" ref={main} tabIndex={-1}>
        <View address={address} />
      </main>
      <ConnectionNotice />
      <Announcement />
    </>
  );
}

function View({ address }: { address: Address }) {
  switch (address.view) {
    case "overview":
      return <Overview address={address} />;
    case "job":
      return <JobView key={address.id} id={address.id} />;
    case "shows":
      return <Shows />;
    case "batch":
      return <BatchView key={address.id} address={address} />;
    case "new":
      return <NewJob key={address.kind} kind={address.kind} />;
    case "webhooks":
      return <Webhooks page={address.page} />;
    case "account":
      return <Account />;
    case "nowhere":
      return <Nowhere />;
  }
}

/**
 * A new view starts at its top, visually and for screen readers; a filter or another page of the same view does not.
 */
function useViewStart(address: Address) {
  const main = useRef<HTMLElement>(null);
  const place = "id" in address ? `${address.view} ${address.id}` : address.view;
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [place]);
  return main;
}

/** The link's target is a place on the page, not an address of the dashboard. */
function skipTo(event: MouseEvent, target: HTMLElement | null): void {
  event.preventDefault();
  target?.focus();
}
