import { dashboardApi } from '@tatami/contract/dashboard/dashboard'
import { type App, serve } from '../http/serve.ts'
import { readAnalytics } from './analytics.ts'
import { listBirthdays, readDashboardStats } from './dashboard.ts'

export const dashboardRoutes = (app: App) =>
  serve(app, dashboardApi, {
    stats: ({ tx, caller }) => readDashboardStats(tx, caller.dojoId),
    birthdays: ({ tx }) => listBirthdays(tx),
    analytics: { onReplica: ({ tx, caller }) => readAnalytics(tx, caller.dojoId) },
  })
