import { expect, test } from 'vitest'
import { listPlanTerms } from './plan-facts.ts'

const plan = {
  ...{ kind: 'renewing' as const, cycle_unit: 'month' as const, cycle_count: 1 },
  ...{ minimum_months: 6, renews_for_months: 6, notice_days: 0 },
  ...{ entry_limit: null, entry_limit_per: null, valid_days: null },
  ...{ sign_up_fee: 0, yearly_fee: 0, yearly_fee_month: null, early_end_fee: 0 },
}

test.each([
  ['6 months, then renews for 6 months', plan],
  ['6 months, then renews for 1 month', { ...plan, renews_for_months: 1 }],
  ['6 months, then month by month', { ...plan, renews_for_months: 0 }],
  ['At least 6 months', { ...plan, kind: 'open' as const }],
  ['Ends after 6 months', { ...plan, kind: 'term' as const }],
])('describes the term of a plan: %s', (words, terms) => {
  expect(listPlanTerms(terms)).toEqual([words])
})
