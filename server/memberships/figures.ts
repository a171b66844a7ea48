import {
  firstDayOf,
  lastDayOf,
  type Month,
  monthOfDate,
  nextMonth,
  yearOf,
} from '@tatami/contract/lib/calendar-day'
import { sumCents, toCents, toDollars } from '@tatami/contract/lib/money'
import { withAddedTax, findSalesTax } from '@tatami/contract/ledger/sales-tax'
import type { MembershipFigures } from '@tatami/contract/memberships/membership-figures'
import { holdOnDay } from '@tatami/contract/plans/billed-holds'
import { monthlyCents } from '@tatami/contract/plans/periods'
import { and, between, eq, gte, isNull, or, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { monthDues } from '../dues/month-dues.ts'
import { feeIn } from '../dues/prices/prices.ts'
import { readTaxSettings } from '../ledger/sales-taxes.ts'
import { pick, pluck } from '../lib/rows.ts'
import { findSubscriptions, readPlanRules, type StudentSubscription } from '../plans/plans.ts'
import { holds, plans, subscriptions } from '../plans/tables.ts'
import { enrolledOn, students } from '../students/tables.ts'
import { findOwnCharges, type OwnCharge, ownChargesUntil } from './own-charges.ts'

const NO_FIGURES = {
  recurring_revenue: 0,
  by_plan: [],
  joining: 0,
  ending: 0,
  holds_ending: 0,
  next_month: 0,
}

/** Without plans there is nothing to show, so nothing is read. */
export async function membershipFigures(tx: Tx, dojoId: string): Promise<MembershipFigures> {
  const today = await todayOf(tx, dojoId)
  const month = monthOfDate(today)
  if ((await tx.$count(plans)) === 0) return { ...month, ...NO_FIGURES }
  const memberships = await readMemberships(tx, month)
  const by_plan = sumByPlan(memberships, today)
  return {
    ...month,
    recurring_revenue: toDollars(sumCents(by_plan.map((plan) => toCents(plan.recurring_revenue)))),
    by_plan,
    joining: findJoining(memberships, month).size,
    ending: findEnding(memberships, month).size,
    holds_ending: await countHoldsEnding(tx, month),
    next_month: toDollars(await centsDueIn(tx, dojoId, memberships, nextMonth(month))),
  }
}

type MemberRow = Awaited<ReturnType<typeof readStudents>>[number]
type Memberships = {
  students: MemberRow[]
  /** Of students who pay, including plans that ended this month or are to come. */
  subscriptions: StudentSubscription[]
}

const readStudents = (tx: Tx) =>
  tx
    .select({
      ...pick(students, 'id', 'left_on', 'on_vacation', 'monthly_payment_amount'),
      ...pick(students, 'former_fee', 'former_fee_month'),
      enrolled_on: sql<string>`${enrolledOn}::text`,
    })
    .from(students)
    .where(and(eq(students.is_trial, false), eq(students.awaits_approval, false)))

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
  if (hold?.billing === 'fee') return monthlyCents(hold.fee_cents, billing.cycle)
  return hold && hold.billing !== 'full' ? 0 : monthlyCents(price?.cents ?? 0, billing.cycle)
}

type PlanFigures = MembershipFigures['by_plan'][number]
type Member = { plan_id: string | null; plan_name: string; cents: number }

function sumByPlan(memberships: Memberships, today: string): PlanFigures[] {
  const members = [...planMembers(memberships, today), ...feeMembers(memberships, today)]
  const groups = [...Map.groupBy(members, ({ plan_id }) => plan_id)]
  return groups
    .map(([plan_id, group]) => ({
      plan_id,
      plan_name: group[0]?.plan_name ?? '',
      members: group.length,
      recurring_revenue: toDollars(sumCents(pluck(group, 'cents'))),
    }))
    .toSorted(
      (a, b) => b.recurring_revenue - a.recurring_revenue || a.plan_name.localeCompare(b.plan_name),
    )
}

const planMembers = (memberships: Memberships, today: string): Member[] =>
  memberships.subscriptions
    .filter((subscription) => isInForce(subscription, today))
    .map((subscription) => ({
      ...pick(subscription, 'plan_id', 'plan_name'),
      cents: recurringCents(subscription, today),
    }))

/** Students without a plan of their own. After a plan ended, its price is no monthly fee. */
function feeMembers(memberships: Memberships, today: string): Member[] {
  const studentsWithPlan = new Set(
    memberships.subscriptions
      .filter(({ is_add_on, starts_on }) => !is_add_on && starts_on <= today)
      .map(({ student_id }) => student_id),
  )
  return memberships.students.flatMap((student) => {
    const cents = toCents(feeIn(monthOfDate(today), student) ?? 0)
    if (student.left_on !== null || studentsWithPlan.has(student.id) || cents === 0) return []
    return { plan_id: null, plan_name: 'Monthly fee', cents: student.on_vacation ? 0 : cents }
  })
}

const isIn = (day: string | null, month: Month): boolean =>
  day !== null && day >= firstDayOf(month) && day <= lastDayOf(month)

/** Who becomes a member this month. A student who changes plans was one before. */
function findJoining(memberships: Memberships, month: Month): Set<string> {
  const newStudents = memberships.students.filter(
    ({ enrolled_on, left_on }) => left_on === null && isIn(enrolled_on, month),
  )
  const newPlans = memberships.subscriptions.filter(
    ({ is_add_on, starts_on, replaces, feeBeforeCents }) =>
      !is_add_on && replaces === null && feeBeforeCents === 0 && isIn(starts_on, month),
  )
  return new Set([...pluck(newStudents, 'id'), ...pluck(newPlans, 'student_id')])
}

/** Whose last plan ends this month, or who leaves. */
function findEnding(memberships: Memberships, month: Month): Set<string> {
  const basePlans = memberships.subscriptions.filter(({ is_add_on }) => !is_add_on)
  const endingPlans = basePlans.filter(
    ({ student_id, lastDay }) =>
      lastDay !== null &&
      isIn(lastDay, month) &&
      !basePlans.some((plan) => plan.student_id === student_id && plan.starts_on > lastDay),
  )
  const leavingStudents = memberships.students.filter(({ left_on }) => isIn(left_on, month))
  return new Set([...pluck(endingPlans, 'student_id'), ...pluck(leavingStudents, 'id')])
}

const countHoldsEnding = (tx: Tx, month: Month): Promise<number> =>
  tx.$count(holds, between(holds.ends_on, firstDayOf(month), lastDayOf(month)))

/** The prices of the month, and what plans charge besides. With an added sales tax. */
async function centsDueIn(
  tx: Tx,
  dojoId: string,
  memberships: Memberships,
  month: Month,
): Promise<number> {
  const dues = await monthDues(tx, dojoId, month)
  const { taxes } = await readTaxSettings(tx)
  const ownCents = (await findOwnChargesDue(tx, memberships, month)).map(
    ({ cents, kind, charged_on }) => withAddedTax(cents, findSalesTax(taxes, kind, charged_on)),
  )
  return sumCents([...pluck([...dues.values()], 'cost'), ...ownCents])
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
