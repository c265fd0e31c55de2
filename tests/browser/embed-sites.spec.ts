// The built example sites of the embed, below a path and with a strict content security policy.

import { full } from "./support/app.ts";
import { DOCUMENT_EXAMPLE, WRONG_ROLE_ON_LINE_12 } from "./support/files.ts";
import { Embed, expect, isBuilt, test } from "./support/embed.ts";

const open = (site: string, path: string, host: { url: string }) => {
  test.skip(!isBuilt(site), `target/examples/${site} is not built: the step \`examples\``);
  return `${host.url}docs/${site}/${path}`;
};

test("plain HTML: two embeds, and the site uses the report", full(), async ({ page, host, watched }) => {
  await page.goto(open("plain", "", host));
  const [first, second] = [new Embed(page, "#submission"), new Embed(page, "#mistakes")];
  await first.ready();
  const pages = () => watched.requests.filter((path) => path.includes("index.html")).length;
  expect(pages()).toBe(1);
  await first.choose("robin.jsonl", WRONG_ROLE_ON_LINE_12);
  await first.expectVerdict("invalid");
  await expect(page.locator("#verdict")).toHaveText("robin.jsonl would not be judged: 1 of 12 conversations do not load.");
  await second.element.scrollIntoViewIfNeeded();
  await second.expectVerdict("invalid");
  expect(pages()).toBe(2);
  expect(await second.height()).toBe(760);
  await expect(page.locator("#verdict")).toContainText("robin.jsonl");
});

test("MkDocs Material: the embed has the theme of the site", full(), async ({ page, host }) => {
  await page.goto(open("mkdocs", "upload.html", host));
  const embed = new Embed(page);
  await expect(embed.frame.locator(".drop-zone")).toContainText("Tencent");
  await page.getByTitle("Switch to dark mode").click();
  await expect(embed.frame.locator("html")).toHaveAttribute("data-theme", "dark");
  await embed.choose("questions.jsonl", DOCUMENT_EXAMPLE);
  await embed.expectVerdict("invalid");
  await expect.poll(() => embed.height()).toBeGreaterThan(500);
});

test("VitePress: the embed works after client-side navigation and has the theme of the site", full(), async ({ page, host }) => {
  await page.goto(open("vitepress", "guide.html", host));
  await page.getByRole("link", { name: "Check it" }).click();
  const embed = new Embed(page);
  await expect(embed.frame.locator(".drop-zone")).toContainText("Every Eval Ever");
  await page.locator(".VPSwitchAppearance").filter({ visible: true }).first().click();
  await expect(embed.frame.locator("html")).toHaveAttribute("data-theme", "dark");
  await embed.choose("run.jsonl", DOCUMENT_EXAMPLE);
  await embed.expectVerdict("invalid");
  await expect.poll(() => embed.height()).toBeGreaterThan(500);
  await page.getByRole("link", { name: "Guide" }).first().click();
  await expect(embed.element).toHaveCount(0);
});
