import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    retry: process.env.CI ? 1 : 0,
    // The server's tests wait for the database more than they work: more of them at once than there are processors.
    maxWorkers: 4,
    projects: [
      { test: { name: 'contract', include: ['contract/**/*.test.ts'] } },
      { test: { name: 'postgres', include: ['postgres/**/*.test.ts'], testTimeout: 20_000, hookTimeout: 60_000 } },
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          globalSetup: 'server/test/cluster.ts',
          // Argon2 and a database of their own make these slower than a plain function's tests.
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
      { test: { name: 'web', include: ['web/**/*.test.{ts,tsx}'] } },
      { test: { name: 'scripts', include: ['scripts/**/*.test.ts'] } },
    ],
  },
})
