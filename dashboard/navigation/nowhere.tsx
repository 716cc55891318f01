import { Empty } from "../elements/empty.tsx";
import { home, hrefOf } from "./address.ts";

/** For an address that leads to no view. */
export function Nowhere() {
  return (
    <>
      <h1>Nothing here</h1>
      <Empty title="This address leads to no view.">
        <a class="button" href={hrefOf(home)}>
          Go to the overview
        </a>
      </Empty>
    </>
  );
}
