import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Request,
} from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { system } from "./system.ts";

interface Opening {
  /** The part of the URL after `#`. */
  readonly at?: string;
  /** Null: signed out. */
  readonly key?: string | null;
  readonly context?: BrowserContextOptions;
  /** Runs before the page is opened. */
  readonly before?: (page: Page) => Promise<unknown>;
}

/** Responses that a test causes on purpose, which the browser logs as errors. */
const expectedNote =
  /^Failed to load resource: (?:the server responded with a status of 4|net::ERR_(?:FAILED|INTERNET))/;

/**
 * Returns a function that opens the dashboard in a browser context of its own. After each test it is an error if any page
 * logged an error, requested anything from another origin, or put the key into a URL.
 */
export function useDashboard(): (opening?: Opening) => Promise<Page> {
  let browser: Browser;
  let contexts: BrowserContext[] = [];
  let complaints: string[] = [];

  beforeAll(async () => {
    browser = await chromium.connect(system.browser);
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    await Promise.all(contexts.map((context) => context.close()));
    const found = complaints;
    contexts = [];
    complaints = [];
    expect(found).toEqual([]);
  });

  function judge(request: Request): void {
    const url = request.url();
    const isKnown = [system.url, system.storageUrl].some((origin) => url.startsWith(`${origin}/`));
    if (!isKnown) complaints.push(`asked ${url}`);
    if (url.includes(system.apiKey)) complaints.push(`the key is in ${url}`);
  }

  return async ({ at = "", key = system.apiKey, context: options = {}, before } = {}) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(45_000);
    page.on("pageerror", (error) => complaints.push(`threw ${error.message}`));
    page.on("console", (message) => {
      const isComplaint = message.type() === "error" || message.type() === "warning";
      if (isComplaint && !expectedNote.test(message.text())) complaints.push(`logged ${message.text()}`);
    });
    page.on("request", judge);
    if (key !== null) {
      await context.addInitScript((kept) => {
        if (sessionStorage.getItem("opened") === null) localStorage.setItem("ferry-api-key", kept);
        sessionStorage.setItem("opened", "yes");
      }, key);
    }
    await before?.(page);
    await page.goto(`${system.url}/dashboard${at === "" ? "" : `#${at}`}`);
    return page;
  };
}

/** Resolves once the page shows the text. */
export async function untilShown(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text).first().waitFor();
}

/** Makes the page believe that its tab is hidden or visible. */
export async function setVisibility(page: Page, state: "hidden" | "visible"): Promise<void> {
  await page.evaluate((wanted) => {
    Object.defineProperty(document, "visibilityState", { value: wanted, configurable: true });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  }, state);
}
