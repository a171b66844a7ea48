import { classEntriesApi } from '@tatami/contract/plans/class-entries'
import { plansApi } from '@tatami/contract/plans/plans'
import { type App, serve } from '../http/serve.ts'
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

export const plansRoutes = (app: App) =>
  serve(app, plansApi, {
    list: ({ tx, caller }) => listPlans(tx, caller.dojoId),
    create: ({ tx, caller, body }) => addPlan(tx, caller, body),
    change: ({ tx, caller, params, body }) => changePlan(tx, caller, params.id, body),
    retire: ({ tx, caller, params }) => retirePlan(tx, caller, params.id),
    restore: ({ tx, caller, params }) => restorePlan(tx, caller, params.id),
    announcePrice: ({ tx, caller, params, body }) => announcePrice(tx, caller, params.id, body),
    rules: ({ tx }) => readPlanRules(tx),
    setRules: ({ tx, caller, body }) => setPlanRules(tx, caller, body),
  })

export const classEntriesRoutes = (app: App) =>
  serve(app, classEntriesApi, {
    list: ({ tx, caller, query }) => listClassEntries(tx, caller.dojoId, query),
  })
