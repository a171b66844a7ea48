import { defineConfig } from 'vitest/config'

/** For what hangs: two cores that run several test files may hold each up for seconds. */
const TEST_TIMEOUT_MS = 20_000

export default defineConfig({
  test: {
    retry: process.env.CI ? 1 : 0,
    // The server's tests wait for the database more than they work: more of them at once than there are processors.
    maxWorkers: 4,
    projects: [
      { test: { name: 'contract', include: ['contract/**/*.test.ts'], testTimeout: TEST_TIMEOUT_MS } },
      { test: { name: 'postgres', include: ['postgres/**/*.test.ts'], testTimeout: TEST_TIMEOUT_MS, hookTimeout: 60_000 } },
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          globalSetup: 'server/test/cluster.ts',
          testTimeout: TEST_TIMEOUT_MS,
          hookTimeout: 60_000,
        },
      },
      { test: { name: 'web', include: ['web/**/*.test.{ts,tsx}'], testTimeout: TEST_TIMEOUT_MS } },
      { test: { name: 'scripts', include: ['scripts/**/*.test.ts'], testTimeout: TEST_TIMEOUT_MS } },
    ],
  },
})
