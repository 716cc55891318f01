import { describe, expect, test } from "vitest";
import { mediaFiles } from "../../scripts/origin/make-media.ts";
import { accountAtRest, ask, createJob, showJob } from "./support/api.ts";
import { media } from "./support/target.ts";

const url = media(mediaFiles.mp3);
const refusalOf = async (fields: object) => {
  const { status, body } = await ask("POST", "/jobs", { json: { url, ...fields } });
  return status === 400 && body.code === "invalid_request" ? body.error : { status, body };
};

test("a url is enough: the response has the job's id, and omitted options have their defaults [create-job, option-defaults]", async () => {
  const { status, body } = await ask("POST", "/jobs", { json: { url } });
  expect([status, Object.keys(body)]).toEqual([200, ["job_id"]]);
  expect((await showJob(body.job_id)).options).toEqual({
    format: "mp4",
    video_codec: "copy",
    audio_codec: "copy",
    audio_bitrate: "192k",
    video_quality: 23,
    filename: null,
    folder: null,
    webhook_url: null,
    audio_only: false,
    download_subtitles: false,
    download_thumbnail: false,
    quality_preset: null,
  });
});

describe("the url", () => {
  test.each([undefined, null, ""])("%j is missing [url-missing]", async (value) => {
    expect(await refusalOf({ url: value })).toBe("Missing url");
  });

  test.each([
    "nonsense",
    "/a.mp4",
    "ftp://media.example/a.mp4",
    "file:///etc/passwd",
    "-https://media.example/",
    "https://media.example/\u0000",
    "https://user:secret@media.example/a.mp4",
    `https://media.example/${"x".repeat(2048)}`,
  ])("%s is invalid [url-invalid]", async (value) => {
    expect(await refusalOf({ url: value })).toBe("Invalid URL");
  });

  test.each([
    "http://169.254.169.254/latest/meta-data",
    "http://[::ffff:169.254.169.254]/",
    "http://0xa9fea9fe/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://[2002:a9fe:a9fe::]/",
    "http://[fe80::1]/",
  ])("%s is never allowed, whatever a deployment opens [url-private]", async (value) => {
    expect(await refusalOf({ url: value })).toBe("URL not allowed");
  });

  test("may have 2,048 characters, and is returned as it was sent [url-length, url-shown]", async () => {
    const long = `https://media.example/ü/${"x".repeat(2048)}`.slice(0, 2048);
    expect((await showJob(await createJob({ url: long }))).url).toBe(long);
  });

  test("must be a string [field-types]", async () => {
    expect(await refusalOf({ url: 5 })).toBe("url must be a string");
  });
});

describe("fields", () => {
  test.each([
    ["format", "Invalid format (allowed: mp4, mkv, webm, mov, mp3)"],
    ["video_codec", "Invalid video_codec (allowed: copy, h264, h265, vp9)"],
    ["audio_codec", "Invalid audio_codec (allowed: copy, aac, opus, mp3)"],
    ["audio_bitrate", "Invalid audio_bitrate (allowed: 64k, 128k, 192k, 256k, 320k)"],
    ["quality_preset", "Invalid quality_preset (allowed: highest, high, medium, low, lowest)"],
  ])(
    "%s is one of a list [format, video-codec, audio-codec, audio-bitrate, quality-preset]",
    async (field, error) => {
      expect(await refusalOf({ [field]: "nonsense" })).toBe(error);
      expect(await refusalOf({ [field]: 7 })).toBe(`${field} must be a string`);
    },
  );

  test("video_quality is an integer from 0 to 51 [video-quality]", async () => {
    const sentence = "video_quality must be an integer from 0 to 51";
    for (const value of [-1, 52]) expect(await refusalOf({ video_quality: value })).toBe(sentence);
    for (const value of [1.5, "23"])
      expect(await refusalOf({ video_quality: value })).toMatch(/^video_quality must be an integer/);
    for (const value of [0, 51]) await createJob({ url, video_quality: value });
  });

  test.each(["audio_only", "download_subtitles", "download_thumbnail"])(
    "%s is a boolean [switches]",
    async (field) => {
      expect(await refusalOf({ [field]: "true" })).toBe(`${field} must be a boolean`);
      const { options } = await showJob(await createJob({ url, [field]: true }));
      expect(options[field]).toBe(true);
    },
  );

  test.each([
    ["a".repeat(201), "Folder name too long (max 200 characters)"],
    ["a/../b", "Folder must not contain .."],
    ["/a", "Folder must not start with /"],
    ["a\\b", "Invalid folder"],
    ["a\u0007", "Invalid folder"],
    ["a//b", "Invalid folder"],
    ["a/./b", "Invalid folder"],
  ])(
    "folder %j is refused [folder-length, folder-parent, folder-root, folder-invalid]",
    async (folder, error) => {
      expect(await refusalOf({ folder })).toBe(error);
    },
  );

  test("folder may have 200 characters of any script, and one trailing slash is removed [folder-characters, folder-slash]", async () => {
    const folder = "ü".repeat(199);
    const { options } = await showJob(await createJob({ url, folder: `${folder}/` }));
    expect(options.folder).toBe(folder);
    await createJob({ url, folder: "𝄞".repeat(200) });
  });

  test.each(["nonsense", "ftp://client.example/", "http://169.254.169.254/", "https://a:b@client.example/"])(
    "webhook_url %s is refused [webhook-url]",
    async (value) => {
      expect(await refusalOf({ webhook_url: value })).toBe("Invalid webhook_url");
    },
  );
});

test.each([
  [{ format: "webm", video_codec: "h264" }, "Format webm does not support video_codec h264"],
  [{ format: "webm", video_codec: "h265" }, "Format webm does not support video_codec h265"],
  [{ format: "webm", audio_codec: "aac" }, "Format webm does not support audio_codec aac"],
  [{ format: "webm", audio_codec: "mp3" }, "Format webm does not support audio_codec mp3"],
  [{ format: "mov", video_codec: "vp9" }, "Format mov does not support video_codec vp9"],
  [{ format: "mov", audio_codec: "opus" }, "Format mov does not support audio_codec opus"],
  [{ format: "mp3", video_codec: "h264" }, "Format mp3 does not support video_codec h264"],
  [{ format: "mp3", audio_codec: "aac" }, "Format mp3 does not support audio_codec aac"],
  [{ format: "mp4", audio_only: true, audio_codec: "opus" }, "Format mp4 does not support audio_codec opus"],
  [{ format: "mov", audio_only: true, audio_codec: "mp3" }, "Format mov does not support audio_codec mp3"],
])("%j is impossible [impossible-options]", async (fields, error) => {
  expect(await refusalOf(fields)).toBe(error);
});

test("a rejected request creates and counts nothing [refused-counts-nothing]", async () => {
  await accountAtRest();
  const before = [(await ask("GET", "/usage")).body, (await ask("GET", "/jobs")).body.total];
  await refusalOf({ url: "nonsense" });
  await ask("POST", "/jobs/bulk", { json: { jobs: [{ url }, { url: "nonsense" }] } });
  expect([(await ask("GET", "/usage")).body, (await ask("GET", "/jobs")).body.total]).toEqual(before);
});
