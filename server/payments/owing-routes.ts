import { owingApi } from '@tatami/contract/owing'
import { type App, SUCCESS, serve } from '../http/serve.ts'
import { chargeLateFees, lateFeeRuleOf, lateFeesOf, setLateFeeRule } from './late-fees.ts'
import { owingFamilies } from './owing.ts'
import { endPromise, makePromise, openPromises } from './promises.ts'

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
