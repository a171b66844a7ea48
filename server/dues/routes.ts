import { ledgerApi } from '@tatami/contract/ledger/ledger'
import { owingApi } from '@tatami/contract/dues/owing'
import { paymentsApi } from '@tatami/contract/dues/payments'
import { type App, serve, SUCCESS } from '../http/serve.ts'
import { accountOf } from './account.ts'
import { markPayment, markPayments, resetMonth } from './marks.ts'
import { balancesOf } from './balances.ts'
import { chargeStudents, pay, payTogether, refund, writeOff } from './payment-acts.ts'
import { monthDuesIn, paymentRecordsIn, paymentStatistics } from './payments.ts'
import {
  endPromise,
  makePromise,
  openPromises,
  reopenPromises,
  settlePromises,
} from './promises.ts'
import { chargeLateFees, lateFeeRuleOf, lateFeesOf, setLateFeeRule } from './late-fees.ts'
import { owingFamilies } from './owing.ts'
import { undoLedgerAct } from './undo.ts'

export const paymentsRoutes = (app: App) =>
  serve(app, paymentsApi, {
    statistics: ({ tx, caller, query }) => paymentStatistics(tx, caller.dojoId, query),
    list: ({ tx, caller, query }) => paymentRecordsIn(tx, caller.dojoId, query),
    dues: ({ tx, caller, query }) => monthDuesIn(tx, caller.dojoId, query),
    mark: async ({ tx, caller, body }) =>
      settlePromises(tx, caller.dojoId, await markPayment(tx, caller, body)),
    reset: ({ tx, caller, body }) => resetMonth(tx, caller, body),
  })

export const ledgerRoutes = (app: App) =>
  serve(app, ledgerApi, {
    balances: ({ tx, caller }) => balancesOf(tx, caller.dojoId),
    account: ({ tx, caller, params }) => accountOf(tx, caller.dojoId, params.id),
    markAll: async ({ tx, caller, body }) =>
      settlePromises(tx, caller.dojoId, await markPayments(tx, caller, body)),
    pay: async ({ tx, caller, body }) =>
      settlePromises(tx, caller.dojoId, await pay(tx, caller, body)),
    payTogether: async ({ tx, caller, body }) =>
      settlePromises(tx, caller.dojoId, await payTogether(tx, caller, body)),
    charge: ({ tx, caller, body }) => chargeStudents(tx, caller, body),
    writeOff: async ({ tx, caller, params, body }) =>
      settlePromises(tx, caller.dojoId, await writeOff(tx, caller, params.id, body)),
    refund: ({ tx, caller, body }) => refund(tx, caller, body),
    undo: async ({ tx, caller, params }) => {
      const reply = await undoLedgerAct(tx, caller, params.id)
      await reopenPromises(tx, params.id)
      return settlePromises(tx, caller.dojoId, reply)
    },
  })

export const owingRoutes = (app: App) =>
  serve(app, owingApi, {
    list: ({ tx, caller }) => owingFamilies(tx, caller.dojoId),
    promises: ({ tx }) => openPromises(tx),
    promise: ({ tx, caller, body }) => makePromise(tx, caller, body),
    endPromise: async ({ tx, caller, params }) => {
      await endPromise(tx, caller, params.id)
      return SUCCESS
    },
    lateFeeRule: ({ tx }) => lateFeeRuleOf(tx),
    setLateFeeRule: ({ tx, caller, body }) => setLateFeeRule(tx, caller, body),
    lateFees: ({ tx, caller, query }) => lateFeesOf(tx, caller.dojoId, query),
    chargeLateFees: ({ tx, caller, body }) => chargeLateFees(tx, caller, body),
  })
