import { beforeAll, describe, expect, it } from "vitest";
import { createTestApi } from "../support/test-api.ts";

type TestApi = Awaited<ReturnType<typeof createTestApi>>;

describe("the dashboard", () => {
  let api: TestApi;
  let page: Awaited<ReturnType<TestApi["send"]>>;
  beforeAll(async () => {
    api = await createTestApi();
    page = await api.send("GET", "/dashboard");
  });

  it("is a page that requires no key", () => {
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toContain("text/html");
    expect(page.body).toContain('<div id="app">');
  });

  it("may load files from its own origin only, and nothing inline", () => {
    const policy = Object.fromEntries(
      (page.headers.get("content-security-policy") ?? "").split("; ").map((directive) => {
        const [name = "", ...values] = directive.split(" ");
        return [name, values.join(" ")];
      }),
    );
    expect(policy).toEqual({
      "default-src": "'none'",
      "script-src": "'self'",
      "style-src": "'self'",
      "img-src": "'self'",
      "font-src": "'self'",
      "connect-src": "'self'",
      "base-uri": "'none'",
      "form-action": "'none'",
      "frame-ancestors": "'none'",
      "require-trusted-types-for": "'script'",
      "trusted-types": "'none'",
    });
    expect(page.headers.get("referrer-policy")).toBe("no-referrer");
    expect(page.body).not.toMatch(/<style|style="|\son\w+=|<script(?![^>]* src=)/);
  });

  it("is revalidated on each visit, while its files are cached forever", async () => {
    expect(page.headers.get("cache-control")).toBe("public, max-age=0, must-revalidate");
    const links = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = ""]) => link);
    expect(links.length).toBeGreaterThanOrEqual(3);
    for (const link of links) {
      expect(link).toMatch(/^\/dashboard\/assets\/[\w-]+\.(?:js|css|svg)$/);
      const file = await api.send("GET", link);
      expect([link, file.status, file.headers.get("cache-control")]).toEqual([
        link,
        200,
        "public, max-age=31536000, immutable",
      ]);
    }
  });

  it("is also found with a trailing slash", async () => {
    const { status, headers } = await api.send("GET", "/dashboard/");
    expect([status, headers.get("location")]).toEqual([302, "/dashboard"]);
  });

  it("has only the files of its build", async () => {
    const missing = await api.send("GET", "/dashboard/assets/none.js");
    expect([missing.status, missing.body.error]).toEqual([404, "Not found"]);
  });
});
