import { describe, expect, test } from "vitest";
import { answerTo } from "../../client/ferry-client.ts";
import { mediaFiles } from "../../scripts/origin/make-media.ts";
import { untilShown, useDashboard } from "./support/dashboard.ts";
import { ferry, media, system } from "./support/system.ts";

const openDashboard = useDashboard();

describe("the form for a new job", () => {
  test("creates one with every option, and opens it", async () => {
    const page = await openDashboard();
    await page.getByRole("link", { name: "New job" }).first().click();
    await page.getByLabel("URL", { exact: true }).fill(media(mediaFiles.mp4));
    await page.getByLabel("File name").fill("By form");
    await page.getByLabel("Folder").fill("forms");
    await page.getByLabel("Format").selectOption("mkv");
    await page.getByLabel("Quality", { exact: true }).selectOption("low");
    await page.getByLabel("Subtitles too").check();
    await page.getByLabel("Thumbnail too").check();
    await page.getByText("Encoding").click();
    await page.getByLabel("Video codec").selectOption("copy");
    await page.getByLabel("Video quality (CRF)").fill("31");
    await page.getByLabel("Audio codec").selectOption("opus");
    await page.getByLabel("Audio bitrate").selectOption("64k");
    await page.getByLabel("Webhook URL").fill(`${system.receiver}/form`);
    await page.getByRole("button", { name: "Create job" }).click();
    await page.waitForURL(/#\/jobs\//);
    const id = page.url().split("/").at(-1) ?? "";
    const { options } = await answerTo(ferry.GET("/jobs/{id}", { params: { path: { id } } }));
    expect(options).toEqual({
      format: "mkv",
      video_codec: "copy",
      audio_codec: "opus",
      audio_bitrate: "64k",
      video_quality: 31,
      filename: "By form",
      folder: "forms",
      webhook_url: `${system.receiver}/form`,
      audio_only: false,
      download_subtitles: true,
      download_thumbnail: true,
      quality_preset: "low",
    });
  });

  test("shows the service's messages next to the fields, and focuses the first", async () => {
    const page = await openDashboard({ at: "/new" });
    await page.getByLabel("URL", { exact: true }).fill("ftp://media.example/x");
    await page.getByLabel("Folder").fill("../up");
    await page.getByText("Encoding").click();
    await page.getByLabel("Video quality (CRF)").fill("best");
    await page.getByLabel("Webhook URL").fill("nowhere");
    await page.getByRole("button", { name: "Create job" }).click();
    await untilShown(page, "Invalid URL");
    const sentenceAt = async (label: string) => {
      const field = page.getByLabel(label, { exact: true });
      const id = ((await field.getAttribute("aria-describedby")) ?? "")
        .split(" ")
        .find((one) => one.endsWith("-problem"));
      return page.locator(`#${id}`).textContent();
    };
    expect(await sentenceAt("URL")).toBe("Invalid URL");
    expect(await sentenceAt("Folder")).toBe("Folder must not contain ..");
    expect(await sentenceAt("Video quality (CRF)")).toBe("video_quality must be an integer from 0 to 51");
    expect(await sentenceAt("Webhook URL")).toBe("Invalid webhook_url");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("url");
    // The input is kept, and a message disappears once its field is valid.
    await page.getByLabel("URL", { exact: true }).fill(media(mediaFiles.mp3));
    await page.getByRole("button", { name: "Create job" }).click();
    await page.getByText("Invalid URL").waitFor({ state: "detached" });
    expect(await sentenceAt("Folder")).toBe("Folder must not contain ..");
  });

  test("opens the hidden options if their combination is impossible", async () => {
    const page = await openDashboard({ at: "/new" });
    await page.getByLabel("URL", { exact: true }).fill(media(mediaFiles.mp4));
    await page.getByText("Encoding").click();
    await page.getByLabel("Video codec").selectOption("h264");
    await page.getByText("Encoding").click();
    await page.getByLabel("Format").selectOption("webm");
    await page.getByRole("button", { name: "Create job" }).click();
    await page.getByText("Format webm does not support video_codec h264").waitFor();
  });

  test("creates nothing twice if a response is lost", async () => {
    const page = await openDashboard({ at: "/new" });
    const url = media(`${mediaFiles.mp3}?lost=${Date.now()}`);
    await page.route(
      "**/jobs",
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await page.getByLabel("URL", { exact: true }).fill(url);
    await page.getByRole("button", { name: "Create job" }).click();
    await page.getByRole("alert").getByText("Ferry did not respond").waitFor();
    await page.getByRole("button", { name: "Create job" }).click();
    await page.waitForURL(/#\/jobs\//);
    const { total } = await answerTo(ferry.GET("/jobs", { params: { query: { search: url } } }));
    expect(total).toBe(1);
  });
});

test("the form for several files creates a batch, and shows which URL is invalid", async () => {
  const page = await openDashboard({ at: "/new/list" });
  await page.getByLabel("URLs").fill(`${media(mediaFiles.mp3)}\n\nfile:///etc/passwd\n`);
  await page.getByRole("button", { name: "Create jobs" }).click();
  await untilShown(page, "URL 2: Invalid URL");
  await page.getByLabel("URLs").fill(`${media(mediaFiles.mp3)}\n${media(mediaFiles.m4a)}`);
  await page.getByLabel("Folder").fill("several");
  await page.getByRole("button", { name: "Create jobs" }).click();
  await page.waitForURL(/#\/batches\//);
  await page.getByRole("heading", { name: "several" }).waitFor();
  await untilShown(page, "2 of 2");
  expect(await page.locator("table.jobs tbody tr").count()).toBe(2);
});
