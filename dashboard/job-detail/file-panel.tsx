import { Panel } from "../elements/panel.tsx";
import { FactList } from "../elements/fact-list.tsx";
import { Empty } from "../elements/empty.tsx";
import { bytes } from "../format/amount.ts";
import type { Job } from "../server/schemas.ts";

/** Where the file is, and its sidecars. */
export function FilePanel({ job }: { job: Job }) {
  if (job.storage_key === null)
    return (
      <Panel title="File">
        <Empty title="The file was deleted. A new job with the same URL downloads it again." />
      </Panel>
    );
  return (
    <Panel title="File" aside={<span class="muted small">links work for 24 hours from now</span>}>
      <FactList
        facts={[
          ["Stored as", <span class="long">{job.storage_key}</span>],
          ["Size", job.file_size === null ? null : bytes(job.file_size)],
          [
            "Subtitles",
            job.subtitles === null || job.subtitles.length === 0 ? null : <Subtitles job={job} />,
          ],
          [
            "Thumbnail",
            job.thumbnail_url === null ? null : <FileLink url={job.thumbnail_url}>Download</FileLink>,
          ],
        ]}
      />
    </Panel>
  );
}

function Subtitles({ job }: { job: Job }) {
  return (
    <span class="link-row">
      {job.subtitles?.map(({ language, url }) => (
        <FileLink key={url} url={url}>
          {language ?? "Unknown language"}
        </FileLink>
      ))}
    </span>
  );
}

function FileLink({ url, children }: { url: string; children: string }) {
  return (
    <a href={url} rel="noreferrer">
      {children}
    </a>
  );
}
