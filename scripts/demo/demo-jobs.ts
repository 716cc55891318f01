import { mediaFiles } from "../origin/make-media.ts";

export interface DemoJob {
  readonly title: string;
  /** Path on the demo's origin. */
  readonly source: string;
  /** What the finished file must be. */
  readonly expected: {
    /** One of ffprobe's names for the container. */
    readonly container: string;
    readonly videoStreams: number;
    readonly audioStreams: number;
  };
}

const video = { container: "mp4", videoStreams: 1, audioStreams: 1 };

/** One job for each way in which media is published on the web. */
export const demoJobs: readonly DemoJob[] = [
  { title: "DASH, video and audio apart", source: mediaFiles.dash, expected: video },
  { title: "HLS", source: mediaFiles.hls, expected: video },
  { title: "progressive mp4", source: mediaFiles.mp4, expected: video },
  {
    title: "podcast episode, mp3",
    source: mediaFiles.mp3,
    expected: { container: "mp3", videoStreams: 0, audioStreams: 1 },
  },
];
