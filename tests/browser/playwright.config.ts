import { defineConfig } from "@playwright/test";

// `cargo xtask test` sets the URL of the built page and the browser. Without it, `npx playwright test` starts a server and
// uses an installed Chrome.
const url = process.env.EVALCHECK_URL;
const chromium = process.env.EVALCHECK_CHROMIUM;
const ownPort = 8765;

export default defineConfig({
  testDir: ".",
  testMatch: "**/*.spec.ts",
  outputDir: "../../target/browser/results",
  forbidOnly: Boolean(process.env.CI),
  fullyParallel: true,
  // A flaky test is a failure.
  retries: 0,
  workers: 2,
  timeout: 60_000,
  globalTimeout: 30 * 60_000,
  expect: { timeout: 10_000 },
  reporter: [["list"]],
  use: {
    // Tests open "./", so that the page is tested below any path.
    baseURL: url ?? `http://127.0.0.1:${ownPort}/`,
    // Recording one takes a third of the time; `npx playwright test --trace on` does.
    trace: "off",
    screenshot: "only-on-failure",
    headless: true,
    // A service worker would hide requests; offline.spec.ts allows it.
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
