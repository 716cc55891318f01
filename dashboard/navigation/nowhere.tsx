import { Empty } from "../elements/empty.tsx";
import { home, hrefOf } from "./address.ts";
import { Heading } from "../elements/heading.tsx";

/** For an address that leads to no view. */
export function Nowhere() {
  return (
    <>
      <Heading text="Nothing here" />
      <Empty title="There is no page at this address.">
        <a class="button" href={hrefOf(home)}>
          Go to the overview
        </a>
      </Empty>
    </>
  );
}
