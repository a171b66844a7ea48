import {
  addMonths,
  firstDayOf,
  type Month,
  monthOfDate,
  monthsFrom,
} from '@tatami/contract/lib/calendar-day'
import { type SalesTax, withAddedTax } from '@tatami/contract/ledger/sales-tax'
import { eq } from 'drizzle-orm'
import type { Tx } from '../../db/database.ts'
import { currentMonthOf, todayOf } from '../../dojos/dojos.ts'
import { monthOfStudent, pricesIn } from '../month-prices.ts'
import { newAct } from '../new-act.ts'
import { linesWithinBounds } from '../../ledger/bounds.ts'
import {
  type Charge,
  chargedOf,
  chargesById,
  chargesOfStudent,
  findOrCreateMonthCharges,
  hasAmount,
  owedOf,
  studentMonthKey,
} from '../../ledger/charges.ts'
import { creditLines, creditsOf } from '../../ledger/credit.ts'
import {
  type Act,
  type LockedStudent,
  lockStudent,
  type NewLine,
  systemAct,
} from '../../ledger/ledger.ts'
import { readTaxSettings } from '../../ledger/sales-taxes.ts'
import { writeLines } from '../../ledger/write-lines.ts'
import { pluck } from '../../lib/rows.ts'
import {
  findSubscriptions,
  planMonthOf,
  readPlanRules,
  type StudentSubscription,
} from '../../plans/plans.ts'
import { subscriptions } from '../../plans/tables.ts'
import {
  addMissingCharges,
  findOwnCharges,
  type OwnCharge,
  ownChargeKey,
  ownChargesUntil,
} from './own-charges.ts'
import { updateStudentFee } from './student-fees.ts'

/** The payer and the student are no staff, and act as the schedule does. */
export type PlanCaller = { id: string; dojoId: string; isStaff: boolean }
/** Who changes the ledger: a member of staff, or the schedule. */
type LedgerCaller = { dojoId: string } & ({ id: string; isStaff: true } | { isStaff: false })

export const findSubscriptionsOf = (tx: Tx, studentId: string): Promise<StudentSubscription[]> =>
  findSubscriptions(tx, eq(subscriptions.student_id, studentId))

/**
 * Changes the plans of a student, and then the ledger by as much as this changes prices: months and
 * periods that were charged get a correction, and what is due today is charged. Past months that
 * were free before, such as those of a hold that was a mistake, are charged. Months before
 * `firstDay` keep their price. `usesCredit`: credit pays what is owed. Returns the id of the act, or
 * null if it wrote nothing.
 */
export async function changePlansOf<T>(
  tx: Tx,
  caller: LedgerCaller,
  studentId: string,
  firstDay: string,
  change: (student: LockedStudent) => Promise<T>,
  { chargesMissedMonths = false, usesCredit = true } = {},
): Promise<{ result: T; actId: string | null }> {
  const { dojoId } = caller
  const today = await todayOf(tx, dojoId)
  const student = await lockStudent(tx, studentId)
  const firstMonth = firstDayOf(monthOfDate(firstDay))
  const monthCharges = (await chargesOfStudent(tx, studentId)).filter(
    (charge) =>
      charge.kind === 'month' && hasAmount(charge) && firstDayOf(monthOf(charge)) >= firstMonth,
  )
  const monthsBefore = await readMonthPrices(tx, dojoId, student, monthCharges)
  const dueBefore = await readDueCharges(tx, studentId, today)
  const result = await change(student)
  await updateStudentFee(tx, await findSubscriptionsOf(tx, studentId), today)
  const changedStudent = await lockStudent(tx, studentId)
  const monthsAfter = await readMonthPrices(tx, dojoId, changedStudent, monthCharges)
  const dueAfter = await readDueCharges(tx, studentId, today)
  const corrections = [
    ...monthCorrections(monthCharges, monthsBefore, monthsAfter),
    ...(await ownCorrections(tx, studentId, dueBefore, dueAfter)),
  ]
  const recordedDay = await findRecordedDay(tx, studentId)
  const wasFree = (month: Month) =>
    recordedDay !== null &&
    firstDayOf(month) >= recordedDay &&
    planMonthOf(student.base_plans, month)?.cents === 0
  const missedMonths = (await findMissedMonths(tx, dojoId, changedStudent, firstDay)).filter(
    (month) => chargesMissedMonths || wasFree(month),
  )
  const newLines = [
    ...(await chargeMonths(tx, dojoId, changedStudent, missedMonths)),
    ...(await addMissingCharges(tx, [...dueAfter.values()])),
  ]
  const actId = await writeChanges(tx, caller, studentId, { corrections, newLines, usesCredit })
  return { result, actId }
}

/** The first day of the month since which plans of the student are charged. Earlier months were
 *  paid elsewhere, for example before an import. Null without a plan. */
async function findRecordedDay(tx: Tx, studentId: string): Promise<string | null> {
  const basePlans = (await findSubscriptionsOf(tx, studentId)).filter((plan) => !plan.is_add_on)
  const days = basePlans.map(({ charges_from, created_at }) => charges_from ?? created_at)
  return days.map((day) => firstDayOf(monthOfDate(day))).toSorted()[0] ?? null
}

/** The months from `firstDay` to the last one in which plans of the student cost something. */
async function findMissedMonths(
  tx: Tx,
  dojoId: string,
  { paid_through, base_plans }: LockedStudent,
  firstDay: string,
): Promise<Month[]> {
  const lastMonth = addMonths(await currentMonthOf(tx, dojoId), -1)
  return monthsFrom(monthOfDate(firstDay), lastMonth).filter(
    (month) =>
      (paid_through === null || firstDayOf(month) > paid_through) &&
      planMonthOf(base_plans, month)?.cents,
  )
}

/** Charges those of the months that have no charge yet. */
async function chargeMonths(
  tx: Tx,
  dojoId: string,
  student: LockedStudent,
  months: readonly Month[],
): Promise<NewLine[]> {
  if (months.length === 0) return []
  const priceOf = await pricesIn(tx, dojoId, months, undefined, [student])
  const chargeByMonth = await findOrCreateMonthCharges(
    tx,
    months.map((month) => monthOfStudent(student, month)),
  )
  return months.flatMap((month): NewLine[] => {
    const charge = chargeByMonth.get(studentMonthKey({ ...month, student_id: student.id }))
    if (!charge || hasAmount(charge)) return []
    const { cents, reason } = priceOf(student, month)
    return [{ student_id: student.id, charge_id: charge.id, kind: 'charge', cents, reason }]
  })
}

const monthOf = ({ year, month }: Pick<Charge, 'year' | 'month'>): Month => ({
  year: year ?? 0,
  month: month ?? 0,
})

type MonthPrice = { cents: number; isOfPlan: boolean }

/** By the id of the charge. */
async function readMonthPrices(
  tx: Tx,
  dojoId: string,
  student: LockedStudent,
  monthCharges: readonly Charge[],
): Promise<Map<string, MonthPrice>> {
  const months = monthCharges.map(monthOf)
  const { taxes } = await readTaxSettings(tx)
  const priceOf = await pricesIn(tx, dojoId, months, undefined, [student])
  return new Map(
    monthCharges.map((charge) => {
      const isOfPlan = planMonthOf(student.base_plans, monthOf(charge)) !== null
      const { untaxedCents } = priceOf(student, monthOf(charge))
      return [charge.id, { cents: withAddedTax(untaxedCents, frozenTax(taxes, charge)), isOfPlan }]
    }),
  )
}

async function readDueCharges(
  tx: Tx,
  studentId: string,
  today: string,
): Promise<Map<string, OwnCharge>> {
  const rules = await readPlanRules(tx)
  const dueCharges = (await findSubscriptionsOf(tx, studentId)).flatMap((subscription) =>
    ownChargesUntil(subscription, today, rules),
  )
  return new Map(dueCharges.map((charge) => [ownChargeKey(charge), charge]))
}

/** The tax that was charged. A rate that was entered later does not change it. */
function frozenTax(taxes: readonly SalesTax[], { kind, lines }: Charge): SalesTax | undefined {
  const percent = lines.findLast((line) => line.kind === 'charge')?.tax_percent ?? null
  return percent === null
    ? undefined
    : taxes.find((tax) => tax.kind === kind && tax.percent === percent)
}

/** The difference, but never more than was charged. The price that an instructor typed stays. */
function correctionLine(charge: Charge, difference: number): NewLine[] {
  const cents = Math.max(difference, 0 - chargedOf(charge))
  if (cents === 0) return []
  return [{ student_id: charge.student_id, charge_id: charge.id, kind: 'charge', cents }]
}

const monthCorrections = (
  monthCharges: readonly Charge[],
  pricesBefore: ReadonlyMap<string, MonthPrice>,
  pricesAfter: ReadonlyMap<string, MonthPrice>,
): NewLine[] =>
  monthCharges.flatMap((charge) => {
    const priceBefore = pricesBefore.get(charge.id)
    const priceAfter = pricesAfter.get(charge.id)
    if (!priceBefore || !priceAfter) return []
    if (!priceBefore.isOfPlan && !priceAfter.isOfPlan) return []
    return correctionLine(charge, priceAfter.cents - priceBefore.cents)
  })

async function ownCorrections(
  tx: Tx,
  studentId: string,
  dueBefore: ReadonlyMap<string, OwnCharge>,
  dueAfter: ReadonlyMap<string, OwnCharge>,
): Promise<NewLine[]> {
  const ownCharges = await findOwnCharges(tx, [studentId])
  const { taxes } = await readTaxSettings(tx)
  const chargeById = new Map(
    (await chargesById(tx, pluck(ownCharges, 'id'))).map((charge) => [charge.id, charge]),
  )
  const priceOf = (dueCharge: OwnCharge | undefined, charge: Charge) =>
    dueCharge ? withAddedTax(dueCharge.cents, frozenTax(taxes, charge)) : 0
  return ownCharges.flatMap((row) => {
    const charge = chargeById.get(row.id)
    if (!charge || !hasAmount(charge)) return []
    const key = ownChargeKey(row)
    const priceBefore = priceOf(dueBefore.get(key), charge)
    return correctionLine(charge, priceOf(dueAfter.get(key), charge) - priceBefore)
  })
}

type LedgerChanges = { corrections: NewLine[]; newLines: NewLine[]; usesCredit: boolean }

/** Credit then pays what it can, as for every new charge. What the end of a plan gives back stays
 *  credit, so that it can be refunded, and so that taking the end back restores each charge. */
async function writeChanges(
  tx: Tx,
  caller: LedgerCaller,
  studentId: string,
  { corrections, newLines, usesCredit }: LedgerChanges,
): Promise<string | null> {
  if (corrections.length + newLines.length === 0) return null
  const act = caller.isStaff
    ? await newAct(tx, caller)
    : systemAct(await todayOf(tx, caller.dojoId))
  const correctedIds = corrections.flatMap(({ charge_id }) => charge_id ?? [])
  const lines = [...corrections, ...newLines].map((line) => ({ ...line, follows_plan: true }))
  await writeLines(tx, act, lines, {
    findFollowingLines: () => linesWithinBounds(tx, correctedIds, [studentId]),
  })
  if (usesCredit) await payWithCredit(tx, act, studentId)
  return act.id
}

async function payWithCredit(tx: Tx, act: Act, studentId: string): Promise<void> {
  const credit = (await creditsOf(tx, [studentId])).get(studentId) ?? 0
  const owedCharges = (await chargesOfStudent(tx, studentId)).filter((charge) => owedOf(charge) > 0)
  const lines = creditLines(credit, owedCharges)
  if (lines.length > 0) await writeLines(tx, act, lines)
}
