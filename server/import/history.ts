import { firstDayOf, monthOfDate } from '@tatami/contract/lib/calendar-day'
import { nearestPaidThrough } from '@tatami/contract/import/history'
import { sumDollars } from '@tatami/contract/lib/money'
import type { ImportPlan } from '@tatami/contract/import/import-plan'
import { leavingDay } from './former-students.ts'
import { isMerged, type Plan, type PlannedStudent } from './plan.ts'

/** A new student's columns about the time before the school used Tatami. */
export const historyColumns = ({ person }: PlannedStudent, { paidThrough, today }: Plan) => ({
  joined_on: person.joined_on,
  // A trial student owes nothing yet. The first month after the trial is charged in full.
  paid_through: person.is_trial
    ? null
    : firstDayOf(monthOfDate(nearestPaidThrough(person.paid_through ?? paidThrough, today))),
})

/** Without a promotion date, a beginner has been a white belt since joining. */
export function startingRank({ id, person, departure }: PlannedStudent, { today }: Plan) {
  const { belt_level, rank_id, joined_on, promoted_on, stripes, classes_in_rank } = person
  const lastDay = departure === null ? today : leavingDay(departure, joined_on, today)
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
  const balances = openingBalances(plan).map(({ balance }) => balance)
  const debts = balances.filter((balance) => balance > 0)
  const credits = balances.filter((balance) => balance < 0)
  return {
    owing_students: debts.length,
    owed: sumDollars(debts),
    students_with_credit: credits.length,
    credit: 0 - sumDollars(credits),
    repeated: listBalances(plan).filter(({ isRepeated }) => isRepeated).length,
    unclear_amount: plan.unclearBalance,
  }
}

const paysFees = ({ person, departure }: PlannedStudent) =>
  (person.monthly_payment_amount ?? 0) > 0 && !person.is_trial && departure === null

/** Students whose row does not say through which month they have paid. */
export const countPayingStudents = ({ students }: Plan): number =>
  students.filter(
    (student) => !isMerged(student) && paysFees(student) && student.person.paid_through === null,
  ).length
