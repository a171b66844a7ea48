import { defineConfig } from 'vitest/config'

/** Long, because several test files share two cores and may delay each other for seconds. */
const TEST_TIMEOUT_MS = process.env.LONG ? 60_000 : 20_000,
  HOOK_TIMEOUT_MS = 3 * TEST_TIMEOUT_MS

const SERVER = {
  globalSetup: 'server/test/cluster.ts',
  setupFiles: 'server/test/reset-clock.ts',
  testTimeout: TEST_TIMEOUT_MS,
  hookTimeout: HOOK_TIMEOUT_MS,
}
/** Test files to leave out. The command's --exclude does not apply to projects. */
const EXCLUDED_FILES = process.env.TEST_EXCLUDE?.split(':') ?? []

/** Tests that replace modules, or that need an HTTP client which no other test has changed. All
 *  others share their modules, because importing the server takes longer than most tests. */
const ISOLATED = [
  'server/main.test.ts',
  'server/kiosk/drawn-pins.test.ts',
  'server/profile/during-hashing.test.ts',
  'server/http/fair-queue.test.ts',
  'server/accounts/password-queue.test.ts',
]

export default defineConfig({
  test: {
    retry: process.env.CI ? 1 : 0,
    // More workers than processors, because the server tests mostly wait for the database.
    maxWorkers: 4,
    projects: [
      {
        test: {
          name: 'contract',
          include: ['contract/**/*.test.ts'],
          testTimeout: TEST_TIMEOUT_MS,
          isolate: false,
        },
      },
      {
        test: {
          name: 'postgres',
          include: ['postgres/**/*.test.ts'],
          testTimeout: TEST_TIMEOUT_MS,
          hookTimeout: HOOK_TIMEOUT_MS,
        },
      },
      {
        test: {
          ...SERVER,
          name: 'server',
          include: ['server/**/*.test.ts'],
          exclude: [...ISOLATED, ...EXCLUDED_FILES],
          isolate: false,
        },
      },
      { test: { ...SERVER, name: 'server-isolated', include: ISOLATED } },
      { test: { name: 'web', include: ['web/**/*.test.{ts,tsx}'], testTimeout: TEST_TIMEOUT_MS } },
      {
        test: { name: 'scripts', include: ['scripts/**/*.test.ts'], testTimeout: TEST_TIMEOUT_MS },
      },
    ],
  },
})
