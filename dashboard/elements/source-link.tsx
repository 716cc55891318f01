import { Icon } from "./icon.tsx";

/** A URL that a client gave: a link only where it leads to the web, and told nothing of this page. */
export function SourceLink({ url }: { url: string }) {
  const isWeb = /^https?:\/\//i.test(url);
  if (!isWeb) return <span class="long">{url}</span>;
  return (
    <a class="long" href={url} target="_blank" rel="noopener noreferrer">
      {url}
      <Icon name="external" />
    </a>
  );
}
