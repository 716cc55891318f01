import { Icon } from "./icon.tsx";

/** So much goes to the next line with the icon that it never stands there alone. */
const endPattern = /.{1,8}$/su;

/** A URL that a client gave: a link only where it leads to the web, and told nothing of this page. */
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
