import {
  firstDayOf,
  lastDayOf,
  type Month,
  monthOfDate,
  nextMonth,
} from '@tatami/contract/lib/calendar-day'
import { prorateCents, toCents, toDollars } from '@tatami/contract/lib/money'
import {
  newFeeReason,
  type PriceInMonth,
  type SiblingPriceRule,
  siblingPricesOf,
} from '@tatami/contract/dues/prices'
import { and, asc, eq, gte, inArray, isNull, or, sql } from 'drizzle-orm'
import { auditAction } from '../../audit/audit.ts'
import { equalsAny } from '../../db/bulk.ts'
import type { Tx } from '../../db/database.ts'
import { currentMonthOf } from '../../dojos/dojos.ts'
import { dojos } from '../../dojos/tables.ts'
import { guardianships } from '../../guardians/tables.ts'
import type { DojoCaller } from '../../http/serve.ts'
import { pick, pluck } from '../../lib/rows.ts'
import {
  type BasePlans,
  findBasePlans,
  isHeldAllMonth,
  NO_PLANS,
  planMonthOf,
  usualPriceIn,
  withBasePlans,
} from '../../plans/plans.ts'
import { enrolledOn, isCurrentStudent, students } from '../../students/tables.ts'
import { siblingPrices } from './tables.ts'
import { isAwayAllMonth } from '../who-pays.ts'

export async function siblingPriceRuleOf(tx: Tx): Promise<SiblingPriceRule> {
  const rows = await tx.select().from(siblingPrices).orderBy(asc(siblingPrices.nth))
  return {
    ordered_by: rows[0]?.ordered_by ?? 'highest_fee',
    prices: rows.map(({ nth, percent, amount_off }) => ({ nth, percent, amount_off })),
  }
}

export async function setSiblingPriceRule(
  tx: Tx,
  caller: DojoCaller,
  { ordered_by, prices }: SiblingPriceRule,
): Promise<SiblingPriceRule> {
  // If two people save a rule at the same time, the later one wins.
  await tx
    .select({ id: dojos.id })
    .from(dojos)
    .where(eq(dojos.id, caller.dojoId))
    .for('no key update')
  await tx.delete(siblingPrices)
  if (prices.length > 0)
    await tx.insert(siblingPrices).values(
      prices.map(({ nth, percent, amount_off }) => ({
        nth,
        percent: percent ?? null,
        amount_off: amount_off ?? null,
        ordered_by,
      })),
    )
  await auditAction(tx, caller, 'sibling prices set', {
    details: { places: prices.length, ordered_by },
  })
  return siblingPriceRuleOf(tx)
}

type FeeColumns = Pick<
  typeof students.$inferSelect,
  'monthly_payment_amount' | 'former_fee' | 'former_fee_month'
>

/** The fee of a month in dollars. Before a raise takes effect it is the former fee. */
export const feeIn = (
  month: Month,
  { monthly_payment_amount, former_fee, former_fee_month }: FeeColumns,
): number | null =>
  former_fee_month !== null && firstDayOf(month) <= former_fee_month
    ? former_fee
    : monthly_payment_amount

function raiseReason(former_fee_month: string): string {
  const firstDay = new Date(firstDayOf(nextMonth(monthOfDate(former_fee_month))))
  const format = { timeZone: 'UTC', month: 'long', year: 'numeric' } as const
  return newFeeReason(firstDay.toLocaleDateString('en-US', format))
}

type StudentWithPlans = { id: string; monthly_payment_amount: number | null; base_plans: BasePlans }

type PricedStudents = {
  /** By default all. */
  studentIds?: readonly string[] | undefined
  /** All among them who ever had a plan, if the caller has read them. */
  studentsWithPlans?: readonly StudentWithPlans[]
  /** The students whose price the caller needs in a month. By default it needs all. */
  neededIdsIn?: (month: Month) => ReadonlySet<string>
}

/**
 * Sibling prices, former fees before a raise, and prices kept in the month in which a sibling left.
 * From `asOf` on (by default the current month), a sibling who is away or on hold all month does not
 * count.
 */
export async function reducedPricesIn(
  tx: Tx,
  dojoId: string,
  months: readonly Month[],
  asOf?: Month,
  { studentIds, studentsWithPlans: knownStudents, neededIdsIn }: PricedStudents = {},
): Promise<PriceInMonth[][]> {
  if (months.length === 0) return []
  const exceptions = await findPriceExceptions(tx, months, studentIds, !knownStudents)
  const studentsWithPlans = knownStudents ?? (await withBasePlans(tx, exceptions))
  const basePlans = new Map(studentsWithPlans.map(({ id, base_plans }) => [id, base_plans]))
  const exceptionIds = new Set(pluck(exceptions, 'id'))
  const pricedStudents = [
    ...exceptions,
    ...studentsWithPlans.filter(({ id }) => !exceptionIds.has(id)),
  ]
  const siblingOptions = { studentIds, basePlans, neededIdsIn }
  const siblingPricesOfMonth = await siblingPricesIn(tx, dojoId, asOf, siblingOptions)
  return months.map((month) => {
    const firstDay = firstDayOf(month)
    const keptStudents = exceptions.filter((student) => student.kept_price_month === firstDay)
    const keptIds = new Set(keptStudents.map(({ id }) => id))
    const prices = [
      ...siblingPricesOfMonth(month).filter(({ student_id }) => !keptIds.has(student_id)),
      ...keptStudents.flatMap((student) => keptPriceIn(month, student, basePlans) ?? []),
    ]
    const pricedIds = new Set(prices.map(({ student_id }) => student_id))
    const neededIds = neededIdsIn?.(month)
    for (const student of pricedStudents) {
      if (pricedIds.has(student.id) || neededIds?.has(student.id) === false) continue
      const price = ownPriceIn(month, student, basePlans)
      if (price) prices.push(price)
    }
    return prices
  })
}

type PriceException = FeeColumns &
  Pick<typeof students.$inferSelect, 'id' | 'kept_price' | 'kept_price_of' | 'kept_price_reason'> &
  Pick<typeof students.$inferSelect, 'kept_price_month' | 'has_subscription'>

const findPriceExceptions = (
  tx: Tx,
  months: readonly Month[],
  studentIds: readonly string[] | undefined,
  includesPlans: boolean,
): Promise<PriceException[]> => {
  const firstDay = months.map(firstDayOf).reduce((a, b) => (a < b ? a : b))
  return tx
    .select({
      ...pick(students, 'id', 'monthly_payment_amount', 'former_fee', 'former_fee_month'),
      ...pick(students, 'kept_price', 'kept_price_reason', 'kept_price_month'),
      ...pick(students, 'kept_price_of', 'has_subscription'),
    })
    .from(students)
    .where(
      and(
        or(
          gte(students.former_fee_month, firstDay),
          gte(students.kept_price_month, firstDay),
          includesPlans ? eq(students.has_subscription, true) : undefined,
        ),
        studentIds && equalsAny(students.id, [...studentIds]),
      ),
    )
}

type BasePlansByStudent = ReadonlyMap<string, BasePlans>

const planMonthOfStudent = (month: Month, id: string, basePlans: BasePlansByStudent) =>
  planMonthOf(basePlans.get(id) ?? NO_PLANS, month)

/** What a student's plans cost in the month, or else the fee. In dollars. */
function planPriceOrFee(
  month: Month,
  student: FeeColumns & { id: string },
  basePlans: BasePlansByStudent,
): number | null {
  const planMonth = planMonthOfStudent(month, student.id, basePlans)
  return planMonth ? toDollars(planMonth.cents) : feeIn(month, student)
}

/** The price stays the same. If a plan makes the month cost something else, its share does. */
function keptPriceIn(
  month: Month,
  student: PriceException,
  basePlans: BasePlansByStudent,
): PriceInMonth | undefined {
  const { id, kept_price, kept_price_of, kept_price_reason: reason } = student
  if (kept_price === null || reason === null) return undefined
  const planMonth = planMonthOfStudent(month, id, basePlans)
  const fee = planMonth ? toDollars(planMonth.cents) : (feeIn(month, student) ?? 0)
  const amount =
    planMonth && kept_price_of
      ? toDollars(prorateCents(planMonth.cents, toCents(kept_price), toCents(kept_price_of)))
      : kept_price
  if (amount >= fee) return undefined
  return { student_id: id, list_fee: student.monthly_payment_amount ?? 0, amount, reason }
}

type OwnPriceStudent = Pick<PriceException, 'id' | 'monthly_payment_amount'> & Partial<FeeColumns>

/** The price of a student whom no brother or sister makes cheaper. Undefined if it is the fee. */
function ownPriceIn(
  month: Month,
  student: OwnPriceStudent,
  basePlans: BasePlansByStudent,
): PriceInMonth | undefined {
  const planMonth = planMonthOfStudent(month, student.id, basePlans)
  if (!planMonth) return formerFeeIn(month, student)
  const list_fee = student.monthly_payment_amount ?? 0
  const amount = toDollars(planMonth.cents)
  if (amount === list_fee) return undefined
  return { student_id: student.id, list_fee, amount, reason: planMonth.reason ?? planMonth.name }
}

function formerFeeIn(
  month: Month,
  { id, monthly_payment_amount, former_fee = null, former_fee_month = null }: OwnPriceStudent,
): PriceInMonth | undefined {
  if (former_fee_month === null) return undefined
  const fee = feeIn(month, { monthly_payment_amount, former_fee, former_fee_month }) ?? 0
  const list_fee = monthly_payment_amount ?? 0
  if (fee >= list_fee) return undefined
  return { student_id: id, list_fee, amount: fee, reason: raiseReason(former_fee_month) }
}

/** What siblings pay in a month, and what they would pay without one of the students. */
export async function siblingPricesWithout(
  tx: Tx,
  dojoId: string,
  month: Month,
  studentId: string,
): Promise<{ before: PriceInMonth[]; after: PriceInMonth[] }> {
  const pricesBefore = await siblingPricesIn(tx, dojoId, undefined)
  const pricesAfter = await siblingPricesIn(tx, dojoId, undefined, { excludedId: studentId })
  return { before: pricesBefore(month), after: pricesAfter(month) }
}

/** What siblings pay if their fees in dollars are those of `feeById`. */
export async function siblingPricesOfFees(
  tx: Tx,
  dojoId: string,
  month: Month,
  feeById: ReadonlyMap<string, number>,
): Promise<PriceInMonth[]> {
  const pricesOfMonth = await siblingPricesIn(tx, dojoId, undefined, { feeById })
  return pricesOfMonth(month)
}

type PricedSiblings = Pick<PricedStudents, 'studentIds' | 'neededIdsIn'> & {
  /** Instead of what the month costs. */
  feeById?: ReadonlyMap<string, number>
  /** Plans that were read already. */
  basePlans?: BasePlansByStudent
  excludedId?: string
}

async function siblingPricesIn(
  tx: Tx,
  dojoId: string,
  asOf: Month | undefined,
  pricedSiblings: PricedSiblings = {},
): Promise<(month: Month) => PriceInMonth[]> {
  const { studentIds, basePlans: knownPlans = new Map(), excludedId, neededIdsIn } = pricedSiblings
  const { feeById } = pricedSiblings
  const rule = await siblingPriceRuleOf(tx)
  if (rule.prices.length === 0) return () => []
  const currentMonth = firstDayOf(asOf ?? (await currentMonthOf(tx, dojoId)))
  const studentsWithPayer = await findStudentsWithPayer(tx, studentIds)
  const otherStudents = studentsWithPayer.filter(({ id }) => !knownPlans.has(id))
  const basePlans = new Map([...knownPlans, ...(await findBasePlans(tx, otherStudents))])
  const countedStudents = studentsWithPayer.filter(({ id }) => id !== excludedId)
  const families = [...Map.groupBy(countedStudents, ({ payer_id }) => payer_id).values()]
  const isOnVacation = (student: StudentWithPayer, month: Month): boolean =>
    firstDayOf(month) >= currentMonth && isPausedAllMonth(month, student, basePlans)
  return (month) => {
    const neededIds = neededIdsIn?.(month)
    const lastDay = lastDayOf(month)
    return families
      .map((family) => family.filter(({ enrolled_at }) => enrolled_at <= lastDay))
      .filter((siblings) => siblings.length > 1)
      .filter((siblings) => !neededIds || siblings.some(({ id }) => neededIds.has(id)))
      .flatMap((siblings) => {
        const family = siblings.map((student) => ({
          ...toSibling(month, student, basePlans),
          ...(feeById && { fee: feeById.get(student.id) ?? null, usual_fee: null }),
          on_vacation: isOnVacation(student, month),
        }))
        return siblingPricesOf(family, rule).map((price) =>
          describeSiblingPrice(month, price, siblings, basePlans),
        )
      })
  }
}

const toSibling = (month: Month, student: StudentWithPayer, basePlans: BasePlansByStudent) => ({
  ...pick(student, 'id', 'is_trial', 'is_exempt', 'enrolled_at'),
  fee: planPriceOrFee(month, student, basePlans),
  ...usualFees(month, student, basePlans),
})

/** None for a student without a plan in the month, who is ordered by the fee. */
function usualFees(
  month: Month,
  { id }: StudentWithPayer,
  basePlans: BasePlansByStudent,
): { usual_fee?: number; new_fee?: number } {
  if (planMonthOfStudent(month, id, basePlans) === null) return {}
  const { onFirstDay, laterOn } = usualPriceIn(basePlans.get(id) ?? NO_PLANS, month)
  return { usual_fee: toDollars(onFirstDay), new_fee: toDollars(laterOn) }
}

/** The vacation of a student with a plan is a hold, which says what is paid meanwhile. */
const isPausedAllMonth = (
  month: Month,
  student: StudentWithPayer,
  basePlans: BasePlansByStudent,
): boolean =>
  planMonthOfStudent(month, student.id, basePlans) === null
    ? isAwayAllMonth(student, month)
    : isHeldAllMonth(basePlans.get(student.id) ?? NO_PLANS, month)

/** With the monthly fee of the student, and the reason why the plan's month costs less. */
function describeSiblingPrice(
  month: Month,
  price: PriceInMonth,
  siblings: readonly StudentWithPayer[],
  basePlans: BasePlansByStudent,
): PriceInMonth {
  const student = siblings.find(({ id }) => id === price.student_id)
  const planMonth = planMonthOfStudent(month, price.student_id, basePlans)
  return {
    ...price,
    list_fee: student?.monthly_payment_amount ?? price.list_fee,
    reason: planMonth?.reason ? `${planMonth.reason}, ${price.reason}` : price.reason,
  }
}

type StudentWithPayer = Awaited<ReturnType<typeof findStudentsWithPayer>>[number]

const isOfPayer = and(eq(guardianships.pays, true), isNull(guardianships.ended_at))

/** With `studentIds`, only the families of these students. */
const findStudentsWithPayer = (tx: Tx, studentIds: readonly string[] | undefined) => {
  const payers = tx
    .select({ id: guardianships.guardian_id })
    .from(guardianships)
    .where(and(isOfPayer, equalsAny(guardianships.student_id, [...(studentIds ?? [])])))
  return tx
    .select({
      payer_id: guardianships.guardian_id,
      ...pick(students, 'id', 'monthly_payment_amount', 'former_fee', 'former_fee_month'),
      ...pick(students, 'is_trial', 'on_vacation', 'vacation_from', 'vacation_until'),
      ...pick(students, 'has_subscription'),
      is_exempt: students.sibling_exempt,
      enrolled_at: sql<string>`${enrolledOn}::text`,
    })
    .from(guardianships)
    .innerJoin(students, eq(students.id, guardianships.student_id))
    .where(
      and(
        isOfPayer,
        isCurrentStudent,
        studentIds ? inArray(guardianships.guardian_id, payers) : undefined,
      ),
    )
}
