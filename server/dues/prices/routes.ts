import { pricesApi } from '@tatami/contract/dues/prices'
import { type App, serve } from '../../http/serve.ts'
import { firstRow } from '../../lib/rows.ts'
import { reducedPricesIn, setSiblingPriceRule, siblingPriceRuleOf } from './prices.ts'

export const pricesRoutes = (app: App) =>
  serve(app, pricesApi, {
    rule: ({ tx }) => siblingPriceRuleOf(tx),
    setRule: ({ tx, caller, body }) => setSiblingPriceRule(tx, caller, body),
    reduced: async ({ tx, caller, query }) =>
      firstRow(await reducedPricesIn(tx, caller.dojoId, [query])),
  })
