import { paymentsApi } from '@tatami/contract/payments'
import { type App, serve } from '../http/serve.ts'
import { markPaymentBy, paymentRecordsIn, paymentStatistics, resetMonth } from './payments.ts'

export const paymentsRoutes = (app: App) =>
  serve(app, paymentsApi, {
    statistics: ({ tx, caller, query }) => paymentStatistics(tx, caller.dojoId, query),
    list: ({ tx, caller, query }) => paymentRecordsIn(tx, caller.dojoId, query),
    mark: ({ tx, caller, body }) => markPaymentBy(tx, caller, body),
    reset: ({ tx, caller, body }) => resetMonth(tx, caller, body),
  })
