import {
  addDays,
  addMonthsToDay,
  firstDayOf,
  MONTHS,
  monthOfDate,
  yearOf,
} from '@tatami/contract/lib/calendar-day'
import type { ChargeKind } from '@tatami/contract/ledger/ledger'
import { findSalesTax, withAddedTax } from '@tatami/contract/ledger/sales-tax'
import { toCents } from '@tatami/contract/lib/money'
import { type BilledHold, type BilledPeriod, periodsUntil } from '@tatami/contract/plans/periods'
import { formatFullDay } from '@tatami/contract/plans/plan-days'
import { yearlyFeeDays } from '@tatami/contract/plans/yearly-fees'
import type { PlanRules } from '@tatami/contract/plans/plans'
import { and, sql } from 'drizzle-orm'
import { equalsAny, inChunks } from '../../db/bulk.ts'
import { newId } from '../../db/columns.ts'
import type { Tx } from '../../db/database.ts'
import type { NewLine } from '../../ledger/ledger.ts'
import { readTaxSettings } from '../../ledger/sales-taxes.ts'
import { charges } from '../../ledger/tables.ts'
import { pluck } from '../../lib/rows.ts'
import type { StudentSubscription } from '../../plans/plans.ts'

/** A charge that a plan makes besides the price of the month. */
export type OwnCharge = {
  student_id: string
  subscription_id: string
  kind: Extract<ChargeKind, 'plan' | 'sign_up' | 'yearly' | 'early_end'>
  period_from: string
  period_until: string | null
  charged_on: string
  cents: number
  reason: string | null
  note: string | null
}

/** What a plan charges on its own until a day. What fell due in a month before it was recorded is
 *  charged only if whoever recorded it wanted that. */
export function ownChargesUntil(
  subscription: StudentSubscription,
  day: string,
  rules: PlanRules,
): OwnCharge[] {
  const { starts_on, ends_on, created_at, charges_from } = subscription
  const firstDay = charges_from ?? firstDayOf(monthOfDate(created_at))
  // Of a plan that never began, only the fee for ending it early is due.
  if (ends_on !== null && ends_on < starts_on) return earlyEndCharge(subscription)
  return [
    ...signUpCharge(subscription),
    ...addOnCharges(subscription, day),
    ...yearlyCharges(subscription, day, rules),
    ...earlyEndCharge(subscription),
  ].filter(({ charged_on }) => charged_on >= firstDay && charged_on <= day)
}

const chargeOf = ({ id, student_id }: StudentSubscription) => ({
  ...{ student_id, subscription_id: id },
  ...{ period_until: null, reason: null, note: null },
})

function signUpCharge(subscription: StudentSubscription): OwnCharge[] {
  const { starts_on, sign_up_waived, terms, plan_name } = subscription
  if (sign_up_waived || terms.sign_up_fee === 0) return []
  const cents = toCents(terms.sign_up_fee)
  const days = { period_from: starts_on, charged_on: starts_on }
  return [{ ...chargeOf(subscription), ...days, kind: 'sign_up', cents, note: plan_name }]
}

function addOnCharges(subscription: StudentSubscription, day: string): OwnCharge[] {
  if (!subscription.is_add_on) return []
  return periodsUntil(subscription.billing, day)
    .filter(({ cents }) => cents > 0)
    .map((period) => addOnCharge(subscription, period))
}

export const addOnCharge = (
  subscription: StudentSubscription,
  { from, until, due_on, cents, reason }: BilledPeriod,
): OwnCharge => ({
  ...chargeOf(subscription),
  ...{ kind: 'plan', period_from: from, period_until: until, charged_on: due_on, cents, reason },
  note: `${subscription.plan_name}: ${periodName(subscription, from)}`,
})

/** "April 2026", or the first day of a period that is no calendar month. */
function periodName({ billing, terms }: StudentSubscription, firstDay: string): string {
  const isMonth = terms.cycle_unit === 'month' && terms.cycle_count === 1
  const { month, year } = monthOfDate(firstDay)
  return isMonth && billing.billing_day === 'first'
    ? `${MONTHS[month]} ${year}`
    : formatFullDay(firstDay)
}

function yearlyCharges(
  subscription: StudentSubscription,
  day: string,
  { yearly_fee_gap_days }: PlanRules,
): OwnCharge[] {
  const { starts_on, lastDay, terms, billing, plan_name, signUpDays } = subscription
  const { yearly_fee, yearly_fee_month: month } = terms
  if (yearly_fee === 0 || month === null) return []
  const lastFeeDay = lastDay !== null && lastDay < day ? lastDay : day
  const followsSignUp = (feeDay: string) =>
    signUpDays.some(
      (signUpDay) => signUpDay <= feeDay && feeDay <= addDays(signUpDay, yearly_fee_gap_days),
    )
  return yearlyFeeDays({ starts_on, month, gap_days: 0 }, starts_on, lastFeeDay)
    .filter((feeDay) => !followsSignUp(feeDay))
    .flatMap((feeDay) => {
      const charged_on = firstDayNotHeld(billing.holds, feeDay)
      // After a hold of more than a year, only the last fee is due.
      const isLast = charged_on !== null && charged_on < addMonthsToDay(feeDay, 12)
      if (!isLast || charged_on > lastFeeDay) return []
      const cents = toCents(yearly_fee)
      const days = { period_from: feeDay, charged_on }
      const note = `${plan_name}, ${yearOf(feeDay)}`
      return [{ ...chargeOf(subscription), ...days, kind: 'yearly' as const, cents, note }]
    })
}

/** A fee that falls due during a hold is due on the day after it. Null while the hold is open. */
function firstDayNotHeld(holds: readonly BilledHold[], feeDay: string): string | null {
  let day = feeDay
  const freeHolds = holds.filter(({ billing }) => billing !== 'full')
  for (const { from, until } of freeHolds.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    if (from > day || (until !== null && until < day)) continue
    if (until === null) return null
    day = addDays(until, 1)
  }
  return day
}

function earlyEndCharge(subscription: StudentSubscription): OwnCharge[] {
  const { owes_early_end, cancel_asked_on, terms, plan_name } = subscription
  if (!owes_early_end || cancel_asked_on === null || terms.early_end_fee === 0) return []
  const cents = toCents(terms.early_end_fee)
  const days = { period_from: cancel_asked_on, charged_on: cancel_asked_on }
  return [{ ...chargeOf(subscription), ...days, kind: 'early_end', cents, note: plan_name }]
}

export const ownChargeKey = ({
  subscription_id,
  kind,
  period_from,
}: {
  subscription_id: string | null
  kind: ChargeKind
  period_from: string | null
}): string => `${subscription_id} ${kind} ${period_from}`

/** Adds the charges that do not exist yet, and returns the lines that they need. The students must
 *  be locked. A charge that was undone is not charged again. */
export async function addMissingCharges(
  tx: Tx,
  dueCharges: readonly OwnCharge[],
): Promise<NewLine[]> {
  if (dueCharges.length === 0) return []
  const studentIds = [...new Set(pluck(dueCharges, 'student_id'))]
  const storedCharges = await findOwnCharges(tx, studentIds)
  const storedKeys = new Set(storedCharges.map(ownChargeKey))
  const chargedYears = new Set(
    storedCharges.filter(({ kind }) => kind === 'yearly').map(yearlyFeeKey),
  )
  const newCharges = dueCharges
    .filter((charge) => {
      if (storedKeys.has(ownChargeKey(charge))) return false
      if (charge.kind !== 'yearly') return true
      // Two plans of a student bring one yearly fee in a calendar year.
      if (chargedYears.has(yearlyFeeKey(charge))) return false
      chargedYears.add(yearlyFeeKey(charge))
      return true
    })
    .map((charge) => ({ ...charge, id: newId() }))
  await inChunks(newCharges, (chunk) =>
    tx.insert(charges).values(chunk.map(({ cents: _, reason: __, ...charge }) => charge)),
  )
  const { taxes } = await readTaxSettings(tx)
  return newCharges.map(({ id, student_id, kind, charged_on, cents, reason }) => ({
    ...{ student_id, charge_id: id, kind: 'charge', reason },
    cents: withAddedTax(cents, findSalesTax(taxes, kind, charged_on)),
  }))
}

const yearlyFeeKey = ({
  student_id,
  period_from,
}: {
  student_id: string | null
  period_from: string | null
}): string => `${student_id} ${period_from?.slice(0, 4)}`

/** All charges that the plans of these students made on their own. */
export const findOwnCharges = (tx: Tx, studentIds: string[]) =>
  tx
    .select({
      id: charges.id,
      student_id: sql<string>`${charges.student_id}`,
      subscription_id: sql<string>`${charges.subscription_id}`,
      kind: charges.kind,
      period_from: charges.period_from,
    })
    .from(charges)
    .where(
      and(equalsAny(charges.student_id, studentIds), sql`${charges.subscription_id} is not null`),
    )
