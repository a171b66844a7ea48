import {
  firstDayOf,
  lastDayOf,
  type Month,
  monthOfDate,
  nextMonth,
  yearOf,
} from '@tatami/contract/lib/calendar-day'
import { sumDollars, toDollars } from '@tatami/contract/lib/money'
import { withAddedTax, findSalesTax } from '@tatami/contract/ledger/sales-tax'
import type {
  FigureLists,
  FigureRow,
  MembershipFigures,
} from '@tatami/contract/memberships/membership-figures'
import { holdOnDay } from '@tatami/contract/plans/billed-holds'
import { toMonthlyCents } from '@tatami/contract/plans/periods'
import { and, asc, between, eq, gte, isNull, or, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { monthDues } from '../dues/month-dues.ts'
import { feeIn, siblingPricesOfFees } from '../dues/prices/prices.ts'
import { readTaxSettings } from '../ledger/sales-taxes.ts'
import { getOrThrow, groupRows, pick, pluck } from '../lib/rows.ts'
import { findSubscriptions, readPlanRules, type StudentSubscription } from '../plans/plans.ts'
import { holds, plans, subscriptions } from '../plans/tables.ts'
import { enrolledOn, students } from '../students/tables.ts'
import { findOwnCharges, type OwnCharge, ownChargesUntil } from '../dues/plans/own-charges.ts'

const NO_LISTS: FigureLists = {
  ...{ members: [], joining: [], ending: [], holds_ending: [], next_month: [] },
}

/** Without plans there is nothing to show, so nothing is read. */
export async function membershipFigures(tx: Tx, dojoId: string): Promise<MembershipFigures> {
  const today = await todayOf(tx, dojoId)
  const month = monthOfDate(today)
  const lists = (await tx.$count(plans)) === 0 ? NO_LISTS : await listFigures(tx, dojoId, today)
  return {
    ...month,
    recurring_revenue: sumDollars(amountsOf(lists.members)),
    by_plan: sumByPlan(lists.members),
    joining: lists.joining.length,
    ending: lists.ending.length,
    holds_ending: lists.holds_ending.length,
    next_month: sumDollars(amountsOf(lists.next_month)),
    lists,
  }
}

const amountsOf = (rows: readonly FigureRow[]): number[] => rows.map(({ amount }) => amount ?? 0)

async function listFigures(tx: Tx, dojoId: string, today: string): Promise<FigureLists> {
  const month = monthOfDate(today)
  const memberships = await readMemberships(tx, month)
  return {
    members: await listMembers(tx, dojoId, memberships, today),
    joining: listJoining(memberships, month),
    ending: listEnding(memberships, month),
    holds_ending: await listHoldsEnding(tx, memberships, month),
    next_month: await listDueIn(tx, dojoId, memberships, nextMonth(month)),
  }
}

type MemberRow = Awaited<ReturnType<typeof readStudents>>[number]
type Memberships = {
  students: MemberRow[]
  /** Of students who pay, including plans that ended this month or are to come. The first plan ends
   *  a trial. */
  subscriptions: StudentSubscription[]
}

const readStudents = (tx: Tx) =>
  tx
    .select({
      ...pick(students, 'id', 'is_trial', 'left_on', 'on_vacation', 'monthly_payment_amount'),
      ...pick(students, 'former_fee', 'former_fee_month'),
      ...pick(students, 'paid_through', 'joined_on', 'returned_on'),
      enrolled_on: sql<string>`${enrolledOn}::text`,
    })
    .from(students)
    .where(
      and(
        or(eq(students.is_trial, false), eq(students.has_subscription, true)),
        eq(students.awaits_approval, false),
      ),
    )

async function readMemberships(tx: Tx, month: Month): Promise<Memberships> {
  const payingStudents = await readStudents(tx)
  const payingIds = new Set(pluck(payingStudents, 'id'))
  const isOfThisMonth = or(
    isNull(subscriptions.closed_on),
    gte(subscriptions.ends_on, firstDayOf(month)),
  )
  const rows = isOfThisMonth ? await findSubscriptions(tx, isOfThisMonth) : []
  return {
    students: payingStudents,
    subscriptions: rows.filter(({ student_id }) => payingIds.has(student_id)),
  }
}

const isInForce = ({ starts_on, lastDay }: StudentSubscription, day: string): boolean =>
  starts_on <= day && (lastDay === null || day <= lastDay)

/** What a subscription brings in a month at today's price. On a free hold it brings nothing. */
function recurringCents({ billing }: StudentSubscription, today: string): number {
  const price = billing.prices.findLast(({ from }) => from <= today) ?? billing.prices[0]
  const hold = holdOnDay(billing.holds, today)
  if (hold?.billing === 'fee') return toMonthlyCents(hold.fee_cents, billing.cycle)
  return hold && hold.billing !== 'full' ? 0 : toMonthlyCents(price?.cents ?? 0, billing.cycle)
}

type PlanFigures = MembershipFigures['by_plan'][number]

function sumByPlan(members: readonly FigureRow[]): PlanFigures[] {
  const groups = [...Map.groupBy(members, ({ plan_id }) => plan_id)]
  return groups
    .map(([plan_id, rows]) => ({
      plan_id,
      plan_name: rows[0]?.plan_name ?? '',
      members: rows.length,
      recurring_revenue: sumDollars(amountsOf(rows)),
    }))
    .toSorted(
      (a, b) => b.recurring_revenue - a.recurring_revenue || a.plan_name.localeCompare(b.plan_name),
    )
}

const planRow = (
  { student_id, plan_id, plan_name }: StudentSubscription,
  { day = null, cents }: { day?: string | null; cents?: number },
): FigureRow => ({
  ...{ student_id, plan_id, plan_name, day },
  amount: cents === undefined ? null : toDollars(cents),
})

/** What each plan and monthly fee brings in a month, with family discounts. Add-ons have none. */
async function listMembers(
  tx: Tx,
  dojoId: string,
  memberships: Memberships,
  today: string,
): Promise<FigureRow[]> {
  const runningPlans = memberships.subscriptions.filter((plan) => isInForce(plan, today))
  const toRow = (plan: StudentSubscription) => planRow(plan, { cents: recurringCents(plan, today) })
  const baseRows = [
    ...runningPlans.filter(({ is_add_on }) => !is_add_on).map(toRow),
    ...feeMembers(memberships, today),
  ]
  const addOnRows = runningPlans.filter(({ is_add_on }) => is_add_on).map(toRow)
  const feeById = new Map(baseRows.map(({ student_id, amount }) => [student_id, amount ?? 0]))
  const prices = await siblingPricesOfFees(tx, dojoId, monthOfDate(today), feeById)
  const priceById = new Map(prices.map(({ student_id, amount }) => [student_id, amount]))
  const discountedRows = baseRows.map((row) => ({
    ...row,
    amount: priceById.get(row.student_id) ?? row.amount,
  }))
  return [...discountedRows, ...addOnRows]
}

/** Students without a plan of their own. After a plan ended, its price is no monthly fee. */
function feeMembers(memberships: Memberships, today: string): FigureRow[] {
  const studentsWithPlan = new Set(
    memberships.subscriptions
      .filter(({ is_add_on, starts_on }) => !is_add_on && starts_on <= today)
      .map(({ student_id }) => student_id),
  )
  return memberships.students.flatMap((student) => {
    const fee = feeIn(monthOfDate(today), student) ?? 0
    const paysFee = !student.is_trial && student.left_on === null && fee > 0
    if (!paysFee || studentsWithPlan.has(student.id)) return []
    return [{ ...feeRow(student.id), amount: student.on_vacation ? 0 : fee }]
  })
}

const feeRow = (student_id: string) => ({
  ...{ student_id, plan_id: null, plan_name: 'Monthly fee', day: null },
})

const isIn = (day: string | null, month: Month): boolean =>
  day !== null && day >= firstDayOf(month) && day <= lastDayOf(month)

/** The plans that are no add-ons and have at least a day, by student. */
const basePlansByStudent = ({ subscriptions: rows }: Memberships) =>
  groupRows(
    rows.filter(
      ({ is_add_on, starts_on, ends_on }) =>
        !is_add_on && (ends_on === null || ends_on >= starts_on),
    ),
    ({ student_id }) => student_id,
  )

/** Whose first plan starts this month. Whoever changes plans, gets a plan instead of the monthly
 *  fee, or was imported, was a member before. */
function listJoining(memberships: Memberships, month: Month): FigureRow[] {
  const formerMembers = memberships.students.filter((student) => wasMemberBefore(student, month))
  const formerIds = new Set(pluck(formerMembers, 'id'))
  return [...basePlansByStudent(memberships).values()].flatMap(([firstPlan]) => {
    const { student_id, starts_on, replaces, feeBeforePlanCents } = firstPlan
    const isNew = replaces === null && feeBeforePlanCents === 0 && !formerIds.has(student_id)
    return isNew && isIn(starts_on, month) ? [planRow(firstPlan, { day: starts_on })] : []
  })
}

/** Only imported students have months that were paid before the school used Tatami. */
const wasMemberBefore = (
  { paid_through, joined_on, returned_on }: MemberRow,
  month: Month,
): boolean => paid_through !== null && !isIn(joined_on, month) && !isIn(returned_on, month)

/** Whose last plan ends this month, also because the student leaves. */
const listEnding = (memberships: Memberships, month: Month): FigureRow[] =>
  [...basePlansByStudent(memberships).values()].flatMap((basePlans) => {
    const lastPlan = basePlans.at(-1) ?? basePlans[0]
    return isIn(lastPlan.lastDay, month) ? [planRow(lastPlan, { day: lastPlan.lastDay })] : []
  })

/** One for each student: holds of several plans that end are one pause. */
async function listHoldsEnding(
  tx: Tx,
  memberships: Memberships,
  month: Month,
): Promise<FigureRow[]> {
  const rows = await tx
    .select(pick(holds, 'student_id', 'ends_on'))
    .from(holds)
    .where(between(holds.ends_on, firstDayOf(month), lastDayOf(month)))
    .orderBy(asc(holds.ends_on), asc(holds.id))
  const lastDays = new Map(rows.map(({ student_id, ends_on }) => [student_id, ends_on]))
  const basePlans = basePlansByStudent(memberships)
  return memberships.students.flatMap(({ id, left_on }) => {
    const day = lastDays.get(id)
    if (day === undefined || left_on !== null) return []
    const plan = basePlans.get(id)?.at(-1)
    return plan ? [planRow(plan, { day })] : [{ ...feeRow(id), day, amount: null }]
  })
}

/** The prices of the month, and what plans charge besides. With an added sales tax. */
async function listDueIn(
  tx: Tx,
  dojoId: string,
  memberships: Memberships,
  month: Month,
): Promise<FigureRow[]> {
  const dues = await monthDues(tx, dojoId, month)
  const { taxes } = await readTaxSettings(tx)
  const basePlans = basePlansByStudent(memberships)
  const monthRows = [...dues].flatMap(([id, { cost }]) => {
    const plan = basePlans.get(id)?.findLast(({ starts_on }) => starts_on <= lastDayOf(month))
    const row = plan ? planRow(plan, {}) : feeRow(id)
    return cost > 0 ? [{ ...row, amount: toDollars(cost) }] : []
  })
  const ownCharges = await findOwnChargesDue(tx, memberships, month)
  const subscriptionById = new Map(memberships.subscriptions.map((row) => [row.id, row]))
  const ownRows = ownCharges.map(({ subscription_id, cents, kind, charged_on }) =>
    planRow(getOrThrow(subscriptionById, subscription_id), {
      day: charged_on,
      cents: withAddedTax(cents, findSalesTax(taxes, kind, charged_on)),
    }),
  )
  return [...monthRows, ...ownRows]
}

/** Add-ons, and sign-up and yearly fees. A student pays one yearly fee in a calendar year. */
async function findOwnChargesDue(
  tx: Tx,
  memberships: Memberships,
  month: Month,
): Promise<OwnCharge[]> {
  const rules = await readPlanRules(tx)
  const dueCharges = memberships.subscriptions
    .flatMap((subscription) => ownChargesUntil(subscription, lastDayOf(month), rules))
    .filter(({ charged_on }) => isIn(charged_on, month))
  const storedCharges = await findOwnCharges(tx, pluck(dueCharges, 'student_id'))
  const yearlyFees = new Set(
    storedCharges
      .filter(({ kind, period_from }) => kind === 'yearly' && isInYearOf(period_from, month))
      .map(({ student_id }) => student_id),
  )
  return dueCharges.filter(({ kind, student_id }) => {
    if (kind !== 'yearly') return true
    const isFirst = !yearlyFees.has(student_id)
    yearlyFees.add(student_id)
    return isFirst
  })
}

const isInYearOf = (day: string | null, { year }: Month): boolean =>
  day !== null && yearOf(day) === year
