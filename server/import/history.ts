import { firstDayOf, monthOfDate } from '@tatami/contract/lib/calendar-day'
import { currentMonthKey, nearestPaidThrough } from '@tatami/contract/import/history'
import { sumDollars } from '@tatami/contract/lib/money'
import type { ImportPlan } from '@tatami/contract/import/import-plan'
import { pluck } from '../lib/rows.ts'
import { findLeavingDay } from './former-students.ts'
import { isMerged, type Plan, type PlannedStudent } from './plan.ts'

type Fees = Pick<Plan, 'paidThrough' | 'today'>

const hasDebt = ({ person: { balance } }: PlannedStudent) => (balance ?? 0) > 0

/** The last month that is paid according to the row or to the instructor: "2026-11". */
const lastPaidMonth = ({ person }: PlannedStudent, { paidThrough, today }: Fees): string =>
  nearestPaidThrough(person.paid_through ?? paidThrough, today)

/** A debt that includes the fee of this month already makes the student owe it. */
function lastSettledMonth(student: PlannedStudent, plan: Plan): string {
  const month = lastPaidMonth(student, plan)
  const thisMonth = currentMonthKey(plan.today)
  return plan.debtsIncludeThisMonth && hasDebt(student) && month < thisMonth ? thisMonth : month
}

/** A new student's columns about the time before the school used Tatami. */
export const historyColumns = (student: PlannedStudent, plan: Plan) => ({
  joined_on: student.person.joined_on,
  // A trial student owes nothing yet. The first month after the trial is charged in full.
  paid_through: student.person.is_trial
    ? null
    : firstDayOf(monthOfDate(lastSettledMonth(student, plan))),
})

/** Without a promotion date, a beginner has been a white belt since joining. */
export function startingRank({ id, person, departure }: PlannedStudent, { today }: Plan) {
  const { belt_level, rank_id, joined_on, promoted_on, stripes, classes_in_rank } = person
  const lastDay = departure === null ? today : findLeavingDay(departure.left_on, person, today)
  const isBeginner = belt_level === null || belt_level === 'white'
  return {
    id,
    belt_level: belt_level ?? ('white' as const),
    ...(rank_id && { rank_id }),
    history: {
      given_on: promoted_on ?? (isBeginner ? joined_on : null) ?? lastDay,
      stripes: stripes ?? 0,
      classes_before: classes_in_rank ?? 0,
    },
  }
}

type Balance = { student_id: string; balance: number; isRepeated: boolean }

/** Leaves out students who are already in Tatami: their balance here stays as it is. */
function listBalances({ students }: Plan): Balance[] {
  const keys = new Set<string>()
  return students
    .filter((student) => !isMerged(student))
    .flatMap(({ id, payerId, person: { balance } }) => {
      if (balance === null) return []
      const key = `${payerId ?? id} ${balance}`
      const isRepeated = keys.has(key)
      keys.add(key)
      return [{ student_id: id, balance, isRepeated }]
    })
}

/** Some software repeats a family's balance beside each child. We count it once, unless the school
 *  tells us to count each. */
export const openingBalances = (plan: Plan): Balance[] =>
  listBalances(plan).filter(({ isRepeated }) => plan.repeatsBalances || !isRepeated)

export function summarizeBalances(plan: Plan): ImportPlan['balances_in_sheet'] {
  const balances = openingBalances(plan)
  const debts = balances.filter(({ balance }) => balance > 0)
  const credits = balances.map(({ balance }) => balance).filter((balance) => balance < 0)
  const debtors = plan.students.filter((student) => owesThisMonth(student, plan))
  const chargedDebtors = plan.debtsIncludeThisMonth ? [] : debtors
  return {
    owing_students: new Set([...pluck(debts, 'student_id'), ...pluck(chargedDebtors, 'id')]).size,
    owed: sumDollars([
      ...pluck(debts, 'balance'),
      ...chargedDebtors.map(({ person }) => person.monthly_payment_amount ?? 0),
    ]),
    students_with_credit: credits.length,
    credit: 0 - sumDollars(credits),
    debts_with_open_month: debtors.length,
    repeated: listBalances(plan).filter(({ isRepeated }) => isRepeated).length,
    unclear_amount: plan.unclearBalance,
  }
}

const paysFees = ({ person, departure }: PlannedStudent) =>
  (person.monthly_payment_amount ?? 0) > 0 && !person.is_trial && departure === null

/** Students with a debt for whom this month is not paid. Nobody owes it while on vacation. */
const owesThisMonth = (student: PlannedStudent, plan: Plan): boolean =>
  !isMerged(student) &&
  hasDebt(student) &&
  paysFees(student) &&
  !student.person.on_vacation &&
  lastPaidMonth(student, plan) < currentMonthKey(plan.today)

/** Students whose row does not say through which month they have paid. */
export const countPayingStudents = ({ students }: Plan): number =>
  students.filter(
    (student) => !isMerged(student) && paysFees(student) && student.person.paid_through === null,
  ).length

/** Students of whom it is true that their fee is paid through the month of the import. */
export const countPaidStudents = (plan: Plan): number =>
  plan.students.filter(
    (student) =>
      !isMerged(student) &&
      paysFees(student) &&
      !hasDebt(student) &&
      !student.person.on_vacation &&
      lastPaidMonth(student, plan) === plan.paidThrough,
  ).length
