import { dashboardApi } from '@tatami/contract/dashboard/dashboard'
import { type App, serve } from '../http/serve.ts'
import { readAnalytics } from './analytics.ts'
import { listBirthdays, readDashboardStats } from './dashboard.ts'

export const dashboardRoutes = (app: App) =>
  serve(app, dashboardApi, {
    stats: ({ tx }) => readDashboardStats(tx),
    birthdays: ({ tx }) => listBirthdays(tx),
    analytics: { onReplica: ({ tx, caller }) => readAnalytics(tx, caller.dojoId) },
  })
