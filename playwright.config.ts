import { defineConfig } from '@playwright/test'
import { chromiumPath, findHeadlessShell } from './scripts/chromium.mjs'

// Found once: the workers read this file again.
process.env.HEADLESS_SHELL_PATH ??= findHeadlessShell() ?? ''
process.env.CHROMIUM_PATH ??= chromiumPath()

const isRoot = process.getuid?.() === 0
/** Chromium's own errands would wait for a network that may not be there. */
const WITHOUT_BACKGROUND_NETWORK = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
/** The pages of a context share a process, which has compiled the app already. */
const SHARE_PROCESS = '--process-per-site'
/** `npm test` runs a test in one layout: in the one for which its name, which begins with the layout's, has an even number of
 *  letters. What is tagged `@both` runs in both, and `@long` only in the long run, which runs everything in both, and draws a phone's pixels
 *  as finely as a phone does. */
const SAMPLE = { grep: [/@both/, /^(?:..)*$/su], grepInvert: /@long/ }

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  globalSetup: './e2e/server.ts',
  reporter: 'list',
  fullyParallel: true,
  ...(process.env.E2E_SAMPLE && SAMPLE),
  // Each waits now and then for its browser, the server or the database.
  workers: 3,
  // A CI's machine may stand still for a moment; a developer sees every stumble.
  retries: process.env.CI ? 1 : 0,
  globalTimeout: (process.env.E2E_SAMPLE ? 30 : 60) * 60_000,
  // A pass never waits for these; a machine with other load must not fail for them.
  timeout: 60_000,
  expect: { timeout: 20_000 },
  use: {
    launchOptions: {
      executablePath: process.env.HEADLESS_SHELL_PATH || process.env.CHROMIUM_PATH,
      args: [...(isRoot ? ['--no-sandbox'] : []), ...WITHOUT_BACKGROUND_NETWORK, SHARE_PROCESS],
    },
    contextOptions: { reducedMotion: 'reduce' },
    // A page that a worker serves would hide what it asks the server for; offline.spec.ts and push.spec.ts have one.
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
