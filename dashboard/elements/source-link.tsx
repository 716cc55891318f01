import { Icon } from "./icon.tsx";

/** This much wraps to the next line together with the icon, so that it never stands alone. */
const endPattern = /.{1,8}$/su;

/** A URL given by a client: a link only if it leads to the web, which is told nothing about this page. */
export function SourceLink({ url }: { url: string }) {
  const isWeb = /^https?:\/\//i.test(url);
  if (!isWeb) return <span class="long">{url}</span>;
  const end = endPattern.exec(url)?.[0] ?? "";
  return (
    <a class="long" href={url} target="_blank" rel="noopener noreferrer">
      {url.slice(0, url.length - end.length)}
      <span class="long-end">
        {end}
        <Icon name="external" />
      </span>
    </a>
  );
}
