import { formatDecimal, parseMoney } from '@tatami/contract/lib/money'
import {
  mayBePublic,
  type Plan,
  planChange,
  type PlanForm,
  type PlanKind,
} from '@tatami/contract/plans/plans'
import { useSchemaForm } from '../lib/form.ts'

/** A plan, or a template of one. */
export type PlanDetails = Readonly<Pick<Plan, keyof PlanForm | 'revision'>> | PlanForm
export type PlanCategory = 'membership' | 'pack' | 'drop_in'
type Term = 'open' | 'term' | 'renewing'

export type PlanValues = {
  category: PlanCategory
  name: string
  price: string
  cycle_count: string
  cycle_unit: PlanForm['cycle_unit']
  visits: string
  valid_days: string
  entry_limit_per: NonNullable<PlanForm['entry_limit_per']> | ''
  entry_limit: string
  term: Term
  minimum_months: string
  renews_for_months: string
  notice_days: string
  sign_up_fee: string
  early_end_fee: string
  yearly_fee: string
  yearly_fee_month: string
  hold_billing: PlanForm['hold_billing']
  hold_fee: string
  age_from: string
  age_until: string
  class_ids: string[]
  is_public: boolean
  is_add_on: boolean
  description: string
  terms: string
  /** Of the plan that is edited, as the user saw it. Null for a new one. */
  revision: number | null
}

const EMPTY: PlanValues = {
  category: 'membership',
  name: '',
  price: '',
  cycle_count: '1',
  cycle_unit: 'month',
  visits: '10',
  valid_days: '',
  entry_limit_per: '',
  entry_limit: '',
  term: 'open',
  minimum_months: '',
  renews_for_months: '',
  notice_days: '',
  sign_up_fee: '',
  early_end_fee: '',
  yearly_fee: '',
  yearly_fee_month: '',
  hold_billing: 'prorated',
  hold_fee: '',
  age_from: '',
  age_until: '',
  class_ids: [],
  is_public: false,
  is_add_on: false,
  description: '',
  terms: '',
  revision: null,
}

const numberText = (value: number | null) => (value === null ? '' : String(value))
/** The field is empty for 0, which means that there is none. */
const optionalNumberText = (value: number) => (value === 0 ? '' : String(value))
const optionalMoneyText = (amount: number | null) => (amount ? formatDecimal(amount) : '')

const categoryOf = (kind: PlanKind): PlanCategory =>
  kind === 'pack' || kind === 'drop_in' ? kind : 'membership'
const termOf = (kind: PlanKind): Term => (kind === 'pack' || kind === 'drop_in' ? 'open' : kind)

export function toPlanValues(plan: PlanDetails | null): PlanValues {
  if (plan === null) return EMPTY
  return {
    category: categoryOf(plan.kind),
    name: plan.name,
    price: formatDecimal(plan.price),
    cycle_count: String(plan.cycle_count),
    cycle_unit: plan.cycle_unit,
    visits: numberText(plan.visits),
    valid_days: numberText(plan.valid_days),
    entry_limit_per: plan.entry_limit_per ?? '',
    entry_limit: numberText(plan.entry_limit),
    term: termOf(plan.kind),
    minimum_months: optionalNumberText(plan.minimum_months),
    renews_for_months: optionalNumberText(plan.renews_for_months),
    notice_days: optionalNumberText(plan.notice_days),
    sign_up_fee: optionalMoneyText(plan.sign_up_fee),
    early_end_fee: optionalMoneyText(plan.early_end_fee),
    yearly_fee: optionalMoneyText(plan.yearly_fee),
    yearly_fee_month: numberText(plan.yearly_fee_month),
    hold_billing: plan.hold_billing,
    hold_fee: optionalMoneyText(plan.hold_fee),
    age_from: numberText(plan.age_from),
    age_until: numberText(plan.age_until),
    class_ids: plan.class_ids ?? [],
    is_public: plan.is_public,
    is_add_on: plan.is_add_on,
    description: plan.description ?? '',
    terms: plan.terms ?? '',
    revision: 'revision' in plan ? plan.revision : null,
  }
}

const toNumber = (text: string) => (text === '' ? null : Number(text))
/** An amount or a number that is 0 if it is left empty. */
const toAmount = (text: string) => parseMoney(text) ?? 0

const termBody = (values: PlanValues) => ({
  kind: values.term,
  cycle_unit: values.cycle_unit,
  cycle_count: toNumber(values.cycle_count),
  minimum_months: toAmount(values.minimum_months),
  renews_for_months: values.term === 'renewing' ? toAmount(values.renews_for_months) : 0,
  notice_days: toAmount(values.notice_days),
  hold_billing: values.hold_billing,
  hold_fee: toAmount(values.hold_fee),
  sign_up_fee: toAmount(values.sign_up_fee),
  early_end_fee: toAmount(values.early_end_fee),
  yearly_fee: toAmount(values.yearly_fee),
  yearly_fee_month: toAmount(values.yearly_fee) === 0 ? null : toNumber(values.yearly_fee_month),
  entry_limit: values.entry_limit_per === '' ? null : toNumber(values.entry_limit),
  entry_limit_per: values.entry_limit_per || null,
  is_add_on: values.is_add_on,
  visits: null,
  valid_days: null,
})

/** A pack or a single class has no term, no limit and no other fees. */
const visitsBody = (values: PlanValues) => ({
  ...termBody(EMPTY),
  kind: values.category,
  visits: values.category === 'pack' ? toNumber(values.visits) : null,
  valid_days: values.category === 'pack' ? toNumber(values.valid_days) : null,
})

export const canBePublic = ({ category, term, is_add_on }: PlanValues): boolean =>
  mayBePublic(
    category === 'membership' ? { kind: term, is_add_on } : { kind: category, is_add_on: false },
  )

export const toPlanBody = (values: PlanValues) => ({
  name: values.name,
  price: parseMoney(values.price),
  ...(values.category === 'membership' ? termBody(values) : visitsBody(values)),
  age_from: toNumber(values.age_from),
  age_until: toNumber(values.age_until),
  class_ids: values.class_ids.length === 0 ? null : values.class_ids,
  is_public: values.is_public && canBePublic(values),
  description: values.description,
  terms: values.terms,
  ...(values.revision !== null && { revision: values.revision }),
})

export const usePlanForm = (initial: PlanValues) =>
  useSchemaForm(planChange, initial, toPlanBody, (path) => (path === 'kind' ? 'term' : path))
export type PlanFormState = ReturnType<typeof usePlanForm>

/** The first fields of the form. An error in any other one opens "More options". */
const FIRST_FIELDS = new Set([
  ...['category', 'name', 'price', 'cycle_count', 'cycle_unit'],
  ...['visits', 'valid_days', 'entry_limit', 'entry_limit_per'],
])
export const hasHiddenError = (errors: Record<string, unknown>): boolean =>
  Object.keys(errors).some((path) => !FIRST_FIELDS.has(path.split('.')[0] ?? ''))

export const isPriceChanged = (plan: Plan, { price }: PlanValues): boolean =>
  price !== '' && parseMoney(price) !== plan.price
