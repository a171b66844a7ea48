import { classEntriesApi } from '@tatami/contract/plans/class-entries'
import { plansApi } from '@tatami/contract/plans/plans'
import type { Tx } from '../db/database.ts'
import { type App, serve } from '../http/serve.ts'
import type { Email, Mailer } from '../lib/mail.ts'
import {
  addPlan,
  announcePrice,
  changePlan,
  listPlans,
  restorePlan,
  retirePlan,
} from './catalog.ts'
import { listClassEntries } from './class-entries.ts'
import { readPlanRules } from './plans.ts'
import { setPlanRules } from './rules.ts'

type Telling = {
  mail: Mailer
  /** Of the module `memberships`, which is above this one. */
  sendPriceNotices: (tx: Tx, dojoId: string, replacesPrice: boolean) => Promise<Email[]>
}

export const plansRoutes = (app: App, { mail, sendPriceNotices }: Telling) =>
  serve(app, plansApi, {
    list: ({ tx, caller }) => listPlans(tx, caller.dojoId),
    create: ({ tx, caller, body }) => addPlan(tx, caller, body),
    change: ({ tx, caller, params, body }) => changePlan(tx, caller, params.id, body),
    retire: ({ tx, caller, params }) => retirePlan(tx, caller, params.id),
    restore: ({ tx, caller, params }) => restorePlan(tx, caller, params.id),
    announcePrice: {
      withoutTransaction: async ({ caller: { dojoId, ...caller }, params, body }) => {
        const { reply, emails } = await app.db.inDojo(dojoId, async (tx) => {
          const { replacesPrice, ...announcement } = await announcePrice(
            tx,
            { ...caller, dojoId },
            params.id,
            body,
          )
          return {
            reply: announcement,
            emails: await sendPriceNotices(tx, dojoId, replacesPrice),
          }
        })
        for (const email of emails) mail.send(email)
        return reply
      },
    },
    rules: ({ tx }) => readPlanRules(tx),
    setRules: ({ tx, caller, body }) => setPlanRules(tx, caller, body),
  })

export const classEntriesRoutes = (app: App) =>
  serve(app, classEntriesApi, {
    list: ({ tx, caller, query }) => listClassEntries(tx, caller.dojoId, query),
  })
