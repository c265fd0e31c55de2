import { defineConfig } from "@playwright/test";

// `cargo xtask test` says where the built page is and which browser to use. Without it, a server is started here
// and Playwright's "chrome" channel finds an installed Chrome: `npx playwright test` works while a test is written.
const url = process.env.EVALCHECK_URL;
const chromium = process.env.EVALCHECK_CHROMIUM;
const ownPort = 8765;

export default defineConfig({
  testDir: ".",
  testMatch: "**/*.spec.ts",
  outputDir: "../../target/browser/results",
  forbidOnly: Boolean(process.env.CI),
  fullyParallel: true,
  // A test that passes at the second attempt is not a test that passes.
  retries: 0,
  workers: 2,
  timeout: 60_000,
  globalTimeout: 12 * 60_000,
  expect: { timeout: 10_000 },
  reporter: [["list"]],
  use: {
    // It ends with a slash: tests open "./", so that the page is tested below any path.
    baseURL: url ?? `http://127.0.0.1:${ownPort}/`,
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
    headless: true,
    // What it keeps is tested where it is meant to be there (offline.spec.ts); elsewhere it would hide requests.
    serviceWorkers: "block",
    ...(chromium ? {} : { channel: "chrome" }),
    launchOptions: {
      ...(chromium ? { executablePath: chromium } : {}),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
      ],
    },
  },
  webServer: url
    ? undefined
    : {
        command: `cargo xtask serve --no-build --port ${ownPort}`,
        cwd: "../..",
        url: `http://127.0.0.1:${ownPort}/`,
        reuseExistingServer: true,
      },
});
