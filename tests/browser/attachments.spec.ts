// The files of an archive: what each is, which records refer to it, what is missing and what is unused.

import { strToU8, zipSync } from "fflate";
import { expect, test, type App } from "./support/app.ts";
import { ARCHIVE } from "./support/attachments.ts";
import { violations } from "./support/axe.ts";

async function open(app: App): Promise<void> {
  await app.open();
  await app.choose({ name: "dataset.zip", content: ARCHIVE });
  await app.expectVerdict("invalid");
  await app.page.getByTestId("tab-attachments").click();
  await expect(app.page.getByTestId("attachment-row").first()).toBeVisible();
}

test("files are listed with what is known of them, and filtered and sorted", async ({ app, page }) => {
  await open(app);
  const rows = page.getByTestId("attachment-row");
  const row = (name: string) => rows.filter({ hasText: name });
  await expect(page.getByTestId("tab-attachments")).toContainText("9");
  await expect(rows).toHaveCount(9);
  await expect(row("dot.png")).toContainText("a PNG image, 1 × 1, 70 bytes, 6 records");
  await expect(row("picture.bmp")).toContainText("900 × 600");
  await expect(row("picture.bmp")).toContainText("unused");
  await expect(row("Report.PDF").last()).toContainText("missing, 1 record");
  await expect(row("copy.txt")).toContainText("same checksum");
  expect(page.url()).toContain("list=attachments");
  expect(await violations(page)).toEqual([]);

  const filter = page.getByTestId("attachment-filter");
  await filter.selectOption({ label: "Missing (2)" });
  await expect(rows).toHaveCount(2);
  await filter.selectOption({ label: "Unused (4)" });
  await expect(rows).toHaveCount(4);
  await page.getByTestId("attachment-order").selectOption("Largest first");
  await expect(rows.first()).toContainText("picture.bmp");
  await filter.selectOption({ label: "UTF-8 text (2)" });
  await expect(rows).toHaveCount(2);
  await filter.selectOption({ label: "Same checksum (2)" });
  await expect(rows).toHaveCount(2);
  await filter.selectOption({ label: "All files (9)" });
  await expect(rows.first()).toContainText("picture.bmp");
});

test("a file is shown with the records that refer to it", async ({ app, page }) => {
  await open(app);
  const row = (name: string) => page.getByTestId("attachment-row").filter({ hasText: name });
  const detail = page.getByTestId("attachment-detail");
  const card = detail.getByTestId("attachment");

  await row("dot.png").click();
  await expect(card).toHaveAttribute("data-state", "image");
  await expect(detail.getByTestId("actual-size")).toHaveCount(0);
  await expect(detail.getByTestId("referenced-by")).toContainText("Referenced by 6 records");
  await expect(detail.getByTestId("referenced-by")).toContainText("and 3 others");
  await detail.getByRole("button", { name: "Record 2" }).click();
  await expect(page.locator(".detail-head h2")).toHaveText("Line 2");

  await row("page.html").click();
  await expect(card).toHaveAttribute("data-state", "text");
  await expect(card).toContainText("<script>");
  await expect(detail).toContainText("No record references this file.");
  expect(await page.title()).not.toContain("ran");

  await row("Report.PDF").last().click();
  await expect(card).toHaveAttribute("data-state", "missing");
  await expect(card).toContainText("Did you mean attachments/report.pdf");

  await row("copy.txt").click();
  await expect(detail).toContainText("The same checksum and size as attachments/other.txt");
});

test("a picture is shown in its own size", async ({ app, page }) => {
  await open(app);
  await page.getByTestId("attachment-row").filter({ hasText: "picture.bmp" }).click();
  const image = page.getByTestId("attachment-detail").locator("img");
  const width = () => image.evaluate((shown: HTMLImageElement) => shown.getBoundingClientRect().width);
  await expect.poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(900);
  expect(await width()).toBeLessThan(800);
  await page.getByTestId("actual-size").check();
  expect(await width()).toBeGreaterThanOrEqual(900);
});

test("a recording is played", async ({ app, page }) => {
  await open(app);
  await page.getByTestId("attachment-row").filter({ hasText: "silence.wav" }).click();
  const audio = page.getByTestId("attachment-detail").locator("audio");
  await expect(audio).toHaveAttribute("src", /^blob:/);
  await expect.poll(() => audio.evaluate((played: HTMLAudioElement) => played.duration)).toBeCloseTo(1, 1);
  expect(await violations(page)).toEqual([]);
});

test("the list has a shortcut and is shown on a narrow screen", async ({ app, page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await open(app);
  await page.getByTestId("tab-findings").click();
  await page.keyboard.press("6");
  await expect(page.getByTestId("tab-attachments")).toHaveAttribute("aria-selected", "true");
  await page.getByTestId("attachment-row").filter({ hasText: "dot.png" }).click();
  await expect(page.getByTestId("attachment-detail")).toBeVisible();
  await page.getByTestId("back").click();
  await expect(page.getByTestId("attachment-list")).toBeVisible();
});

test("an archive of a dataset alone has no such list", async ({ app, page }) => {
  await app.open();
  await app.choose({ name: "dataset.zip", content: zipSync({ "samples.jsonl": strToU8('{"input":{"messages":[{"role":"user","content":"Hi"}]}}\n') }) });
  await app.expectVerdict("valid");
  await expect(page.getByTestId("tab-records")).toBeVisible();
  await expect(page.getByTestId("tab-attachments")).toHaveCount(0);
});
