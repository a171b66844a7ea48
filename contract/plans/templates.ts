import type { PlanForm } from './plans.ts'

const NOTHING_SPECIAL: Omit<PlanForm, 'name' | 'kind' | 'price'> = {
  description: null,
  is_public: false,
  is_add_on: false,
  cycle_unit: 'month',
  cycle_count: 1,
  class_ids: null,
  minimum_months: 0,
  renews_for_months: 0,
  notice_days: 0,
  sign_up_fee: 0,
  yearly_fee: 0,
  yearly_fee_month: null,
  early_end_fee: 0,
  entry_limit: null,
  entry_limit_per: null,
  age_from: null,
  age_until: null,
  visits: null,
  valid_days: null,
  hold_billing: 'prorated',
  hold_fee: 0,
  terms: null,
}

/** Plans to start from. Each can be saved as it is. */
export const PLAN_TEMPLATES: readonly PlanForm[] = [
  {
    ...NOTHING_SPECIAL,
    name: 'Monthly fee',
    description: 'As many classes as you like',
    kind: 'open',
    price: 120,
  },
  {
    ...NOTHING_SPECIAL,
    name: 'Twice a week',
    description: 'Two classes each week',
    kind: 'open',
    price: 96,
    entry_limit: 2,
    entry_limit_per: 'week',
  },
  {
    ...NOTHING_SPECIAL,
    name: 'Six-week start',
    description: 'For beginners: six weeks, then decide',
    kind: 'term',
    price: 99,
    cycle_unit: 'week',
    cycle_count: 6,
  },
  {
    ...NOTHING_SPECIAL,
    name: 'Ten classes',
    description: 'Ten classes within six months',
    kind: 'pack',
    price: 150,
    visits: 10,
    valid_days: 183,
  },
]
