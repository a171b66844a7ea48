import { pricesApi } from '@tatami/contract/dues/prices'
import { type App, serve } from '../../http/serve.ts'
import { reducedPricesIn, setSiblingPriceRule, siblingPriceRuleOf } from './prices.ts'

export const pricesRoutes = (app: App) =>
  serve(app, pricesApi, {
    rule: ({ tx }) => siblingPriceRuleOf(tx),
    setRule: ({ tx, caller, body }) => setSiblingPriceRule(tx, caller, body),
    reduced: async ({ tx, caller, query }) =>
      (await reducedPricesIn(tx, caller.dojoId, [query]))[0]!,
  })
