import { dashboardApi } from '@tatami/contract/dashboard/dashboard'
import { type App, serve } from '../http/serve.ts'
import { analyticsOf } from './analytics.ts'
import { birthdays, dashboardStats } from './dashboard.ts'

export const dashboardRoutes = (app: App) =>
  serve(app, dashboardApi, {
    stats: ({ tx }) => dashboardStats(tx),
    birthdays: ({ tx }) => birthdays(tx),
    analytics: { onReplica: ({ tx, caller }) => analyticsOf(tx, caller.dojoId) },
  })
