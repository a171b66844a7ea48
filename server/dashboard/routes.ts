import { dashboardApi } from '@tatami/contract/dashboard/dashboard'
import { type App, serve } from '../http/serve.ts'
import type { Texting } from '../texting/service.ts'
import { readAnalytics } from './analytics.ts'
import { listBirthdays, readDashboardStats } from './dashboard.ts'
import { readSetup, setSkippedSteps } from './setup.ts'

export const dashboardRoutes = (app: App, texting: Texting) =>
  serve(app, dashboardApi, {
    stats: async ({ tx, caller }) => ({
      ...(await readDashboardStats(tx, caller.dojoId)),
      setup: await readSetup(tx, caller.dojoId, texting),
    }),
    skipSteps: async ({ tx, caller, body }) => {
      await setSkippedSteps(tx, caller.dojoId, body.skipped_steps)
      return { setup: await readSetup(tx, caller.dojoId, texting) }
    },
    birthdays: ({ tx }) => listBirthdays(tx),
    analytics: { onReplica: ({ tx, caller }) => readAnalytics(tx, caller.dojoId) },
  })
