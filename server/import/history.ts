import { firstDayOf, monthOfDate } from '@tatami/contract/lib/calendar-day'
import { currentMonthKey, nearestPaidThrough } from '@tatami/contract/import/history'
import { sumDollars } from '@tatami/contract/lib/money'
import type { ImportPlan } from '@tatami/contract/import/import-plan'
import { pluck } from '../lib/rows.ts'
import { findLeavingDay } from './former-students.ts'
import { isMerged, type Plan, type PlannedStudent } from './plan.ts'

type PaidMonths = Pick<Plan, 'paidThrough' | 'today'>

const hasDebt = ({ person: { balance } }: PlannedStudent) => (balance ?? 0) > 0

/** Returns the last paid month from the row, or else the instructor's answer: "2026-11". */
const findLastPaidMonth = (
  { person }: PlannedStudent,
  { paidThrough, today }: PaidMonths,
): string => nearestPaidThrough(person.paid_through ?? paidThrough, today)

/** This month counts as settled if a debt already includes its fee. */
function findLastSettledMonth(student: PlannedStudent, plan: Plan): string {
  const month = findLastPaidMonth(student, plan)
  const thisMonth = currentMonthKey(plan.today)
  return plan.debtsIncludeThisMonth && hasDebt(student) && month < thisMonth ? thisMonth : month
}

/** Returns a new student's columns about the time before the school used Tatami. */
export const toHistoryColumns = (student: PlannedStudent, plan: Plan) => ({
  joined_on: student.person.joined_on,
  // A trial student owes nothing yet. The first month after the trial is charged in full.
  paid_through: student.person.is_trial
    ? null
    : firstDayOf(monthOfDate(findLastSettledMonth(student, plan))),
})

/** Without a promotion date, a beginner has been a white belt since joining. */
export function toStartingRank({ id, person, departure }: PlannedStudent, { today }: Plan) {
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

/** `isRepeated` is true if a sibling before this student has the same balance. */
type StudentBalance = { student_id: string; balance: number; isRepeated: boolean }

/** Leaves out existing students, because their balance in Tatami does not change. */
function listBalances({ students }: Plan): StudentBalance[] {
  const familyBalances = new Set<string>()
  return students
    .filter((student) => !isMerged(student))
    .flatMap(({ id, payerId, person: { balance } }) => {
      if (balance === null) return []
      const familyBalance = `${payerId ?? id} ${balance}`
      const isRepeated = familyBalances.has(familyBalance)
      familyBalances.add(familyBalance)
      return [{ student_id: id, balance, isRepeated }]
    })
}

/** Some software shows a family's balance for each child. We count it once, unless the school says
 *  that each child owes it. */
export const listOpeningBalances = (plan: Plan): StudentBalance[] =>
  listBalances(plan).filter(({ isRepeated }) => plan.repeatsBalances || !isRepeated)

export function summarizeBalances(plan: Plan): ImportPlan['balances_in_sheet'] {
  const balances = listOpeningBalances(plan)
  const debts = balances.filter(({ balance }) => balance > 0)
  const credits = balances.map(({ balance }) => balance).filter((balance) => balance < 0)
  const debtorsWithOpenMonth = plan.students.filter((student) => owesThisMonth(student, plan))
  // Their debts do not include this month's fee, so they owe it as well.
  const studentsOwingFee = plan.debtsIncludeThisMonth ? [] : debtorsWithOpenMonth
  return {
    owing_students: new Set([...pluck(debts, 'student_id'), ...pluck(studentsOwingFee, 'id')]).size,
    owed: sumDollars([
      ...pluck(debts, 'balance'),
      ...studentsOwingFee.map(({ person }) => person.monthly_payment_amount ?? 0),
    ]),
    students_with_credit: credits.length,
    credit: 0 - sumDollars(credits),
    debts_with_open_month: debtorsWithOpenMonth.length,
    repeated: listBalances(plan).filter(({ isRepeated }) => isRepeated).length,
    unclear_amount: plan.unclearBalance,
  }
}

const paysFees = ({ person, departure }: PlannedStudent) =>
  (person.monthly_payment_amount ?? 0) > 0 && !person.is_trial && departure === null

/** True for a student with a debt who has not paid this month. A student on vacation owes no fee.
 *  */
const owesThisMonth = (student: PlannedStudent, plan: Plan): boolean =>
  !isMerged(student) &&
  hasDebt(student) &&
  paysFees(student) &&
  !student.person.on_vacation &&
  findLastPaidMonth(student, plan) < currentMonthKey(plan.today)

/** Counts students whose row does not say through which month they have paid. */
export const countPayingStudents = ({ students }: Plan): number =>
  students.filter(
    (student) => !isMerged(student) && paysFees(student) && student.person.paid_through === null,
  ).length

/** Counts students without a debt who have paid exactly through the month chosen for the import. */
export const countPaidStudents = (plan: Plan): number =>
  plan.students.filter(
    (student) =>
      !isMerged(student) &&
      paysFees(student) &&
      !hasDebt(student) &&
      !student.person.on_vacation &&
      findLastPaidMonth(student, plan) === plan.paidThrough,
  ).length
