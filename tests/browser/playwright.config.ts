import { defineConfig } from "@playwright/test";

// `cargo xtask test` sets the URL of the built page and the browser. Without it, `npx playwright test` starts a server and
// uses an installed Chrome.
const url = process.env.EVALCHECK_URL;
const chromium = process.env.EVALCHECK_CHROMIUM;
const ownPort = 8765;

// With every window Chromium opens two pages for suggestions of its address bar, which take a second of the processor. Of two such
// arguments the last counts, so the first line is that of Playwright.
const DISABLED_FEATURES = [
  "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,TcpPortRandomizationWin,OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch",
  "WebUIOmniboxPopup,WebUIOmniboxAimPopup",
];

export default defineConfig({
  testDir: ".",
  testMatch: "**/*.spec.ts",
  outputDir: "../../target/browser/results",
  forbidOnly: Boolean(process.env.CI),
  fullyParallel: true,
  // A flaky test is a failure.
  retries: 0,
  workers: 2,
  // Nothing is measured by these: they end what hangs, on a busy machine too.
  timeout: 300_000,
  globalTimeout: 40 * 60_000,
  // A page that does nothing fails every test.
  maxFailures: 25,
  expect: { timeout: 60_000 },
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
        `--disable-features=${DISABLED_FEATURES}`,
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
