import { ledgerApi } from '@tatami/contract/ledger'
import { paymentsApi } from '@tatami/contract/payments'
import { type App, serve } from '../http/serve.ts'
import { accountOf } from './account.ts'
import { balancesOf } from './balances.ts'
import { markPayment, markPayments, resetMonth } from './marks.ts'
import { chargeStudents, pay, refund, writeOff } from './payment-acts.ts'
import { paymentRecordsIn, paymentStatistics } from './payments.ts'
import { undoAct } from './undo.ts'

export const paymentsRoutes = (app: App) =>
  serve(app, paymentsApi, {
    statistics: ({ tx, caller, query }) => paymentStatistics(tx, caller.dojoId, query),
    list: ({ tx, caller, query }) => paymentRecordsIn(tx, caller.dojoId, query),
    mark: ({ tx, caller, body }) => markPayment(tx, caller, body),
    reset: ({ tx, caller, body }) => resetMonth(tx, caller, body),
  })

export const ledgerRoutes = (app: App) =>
  serve(app, ledgerApi, {
    balances: ({ tx, caller }) => balancesOf(tx, caller.dojoId),
    account: ({ tx, caller, params }) => accountOf(tx, caller.dojoId, params.id),
    markAll: ({ tx, caller, body }) => markPayments(tx, caller, body),
    pay: ({ tx, caller, body }) => pay(tx, caller, body),
    charge: ({ tx, caller, body }) => chargeStudents(tx, caller, body),
    writeOff: ({ tx, caller, params, body }) => writeOff(tx, caller, params.id, body),
    refund: ({ tx, caller, body }) => refund(tx, caller, body),
    undo: ({ tx, caller, params }) => undoAct(tx, caller, params.id),
  })
