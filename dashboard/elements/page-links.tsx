import { count } from "../format/amount.ts";
import { Icon } from "./icon.tsx";

interface PageLinksProps {
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
  /** What is listed, in the plural. */
  readonly what: string;
  readonly hrefOfPage: (page: number) => string;
}

/** Which page of a list is shown, with links to the pages before and after. */
export function PageLinks({ page, pageSize, total, what, hrefOfPage }: PageLinksProps) {
  const last = Math.max(1, Math.ceil(total / pageSize));
  const from = total === 0 ? 0 : (page - 1) * pageSize + 1;
  const to = Math.min(page * pageSize, total);
  return (
    <nav class="page-links" aria-label={`Pages of ${what}`}>
      <span class="muted">
        {from > total ? `None of ${count(total)}` : `${count(from)}–${count(to)} of ${count(total)}`} {what}
      </span>
      <span class="page-steps">
        {page > 1 ? (
          <a class="button" href={hrefOfPage(page - 1)} rel="prev">
            <Icon name="back" />
            Newer
          </a>
        ) : (
          <span class="button" aria-disabled="true">
            <Icon name="back" />
            Newer
          </span>
        )}
        {page < last ? (
          <a class="button" href={hrefOfPage(page + 1)} rel="next">
            Older
            <Icon name="forward" />
          </a>
        ) : (
          <span class="button" aria-disabled="true">
            Older
            <Icon name="forward" />
          </span>
        )}
      </span>
    </nav>
  );
}
