import { defineConfig } from '@playwright/test'
import { chromiumPath, findHeadlessShell } from './scripts/chromium.mjs'

// Stored in the environment, because each worker reads this file and would search again.
process.env.HEADLESS_SHELL_PATH ??= findHeadlessShell() ?? ''
process.env.CHROMIUM_PATH ??= chromiumPath()

const isRoot = process.getuid?.() === 0
/** Without these, Chromium's own requests would wait for a network that may not exist. */
const WITHOUT_BACKGROUND_NETWORK = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
/** The pages of a context share a process, which compiles the app only once. */
const SHARE_PROCESS = '--process-per-site'
/** `npm test` runs each test in only one layout: the one for which the full name of the test, which
 *  begins with the layout, has an even number of characters. Tests tagged `@both` run in both
 *  layouts. `npm run test:long` runs all tests in both layouts, also those tagged `@long`. */
const SAMPLE = { grep: [/@both/, /^(?:..)*$/su], grepInvert: /@long/ }

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  globalSetup: './e2e/server.ts',
  reporter: 'list',
  fullyParallel: true,
  ...(process.env.E2E_SAMPLE && SAMPLE),
  // More than the two processors of a small computer, because a worker often waits for the server.
  workers: 3,
  // In CI, a busy machine may fail a test once. A developer should see every failure.
  retries: process.env.CI ? 1 : 0,
  globalTimeout: (process.env.E2E_SAMPLE ? 30 : 60) * 60_000,
  // Long, because tests must not fail on a busy computer.
  timeout: 60_000,
  expect: { timeout: 20_000 },
  use: {
    launchOptions: {
      executablePath: process.env.HEADLESS_SHELL_PATH || process.env.CHROMIUM_PATH,
      args: [...(isRoot ? ['--no-sandbox'] : []), ...WITHOUT_BACKGROUND_NETWORK, SHARE_PROCESS],
    },
    contextOptions: { reducedMotion: 'reduce' },
    // A service worker would hide calls from the tests. offline.spec.ts and push.spec.ts allow it.
    serviceWorkers: 'block',
    locale: 'en-US',
    timezoneId: 'America/Chicago',
    screenshot: 'only-on-failure',
    actionTimeout: 15_000,
  },
  projects: [
    {
      name: 'mobile',
      use: {
        viewport: { width: 390, height: 844 },
        deviceScaleFactor: process.env.E2E_SAMPLE ? 1 : 2,
        isMobile: true,
        hasTouch: true,
      },
    },
    { name: 'desktop', use: { viewport: { width: 1440, height: 900 } } },
  ],
})
