import { defineConfig } from 'vitest/config'

/** For what hangs: two cores that run several test files may hold each up for seconds, and the long run does more at once. */
const TEST_TIMEOUT_MS = process.env.LONG ? 60_000 : 20_000,
  HOOK_TIMEOUT_MS = 3 * TEST_TIMEOUT_MS

const SERVER = {
  globalSetup: 'server/test/cluster.ts',
  setupFiles: 'server/test/reset-clock.ts',
  testTimeout: TEST_TIMEOUT_MS,
  hookTimeout: HOOK_TIMEOUT_MS,
}
/** Files that this run leaves out; the command's --exclude does not reach the projects. */
const LEFT_OUT = process.env.TEST_EXCLUDE?.split(':') ?? []

/** These replace modules. The others share them, because importing the server takes longer than most files' tests. */
const MOCKING = [
  'server/kiosk/drawn-pins.test.ts',
  'server/profile/meanwhile.test.ts',
  'server/http/fair-queue.test.ts',
  'server/accounts/password-queue.test.ts',
]

export default defineConfig({
  test: {
    retry: process.env.CI ? 1 : 0,
    // The server's tests wait for the database more than they work: more of them at once than there are processors.
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
          exclude: [...MOCKING, ...LEFT_OUT],
          isolate: false,
        },
      },
      { test: { ...SERVER, name: 'server-isolated', include: MOCKING } },
      { test: { name: 'web', include: ['web/**/*.test.{ts,tsx}'], testTimeout: TEST_TIMEOUT_MS } },
      {
        test: { name: 'scripts', include: ['scripts/**/*.test.ts'], testTimeout: TEST_TIMEOUT_MS },
      },
    ],
  },
})
