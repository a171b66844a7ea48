import type { Analytics } from '@tatami/contract/dashboard/dashboard'
import { formatPercent } from '@tatami/contract/lib/percent'
import { pluralize } from '../lib/text.ts'

/** Returns for example "+4 this month", "−1 this month" or "no change". */
export function describeChange(change: number): string {
  if (change === 0) return 'no change'
  return `${change > 0 ? '+' : '−'}${Math.abs(change)} this month`
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

export function describeGrowth(movements: Analytics['movements']): string {
  const growth = sum(movements.map(({ enrolled, departed }) => enrolled - departed))
  // A school that had no students a year ago has nothing to compare with.
  if (movements[0]?.at_start === 0)
    return growth > 0 ? `${pluralize(growth, 'student')} in your first year here` : 'No students'
  if (growth === 0) return 'Same number of students as a year ago'
  const noun = Math.abs(growth) === 1 ? 'student' : 'students'
  return `${Math.abs(growth)} ${growth > 0 ? 'more' : 'fewer'} ${noun} than a year ago`
}

export function describeMovements(movements: Analytics['movements']): string {
  const newStudents = sum(movements.map((month) => month.enrolled))
  const leavers = sum(movements.map((month) => month.departed))
  return `${pluralize(newStudents, 'student')} joined and ${leavers} left in the last 12 months`
}

export function describeFees(payments: Analytics['payments']): string {
  const month = payments.at(-1)
  if (!month || month.expected === 0) return 'No fees are due this month'
  return `${formatPercent((month.received / month.expected) * 100)} of this month’s fees are in`
}

const findMarkedClasses = (attendance: Analytics['attendance']) =>
  attendance.flatMap(({ rate, ...dojoClass }) => (rate === null ? [] : [{ ...dojoClass, rate }]))

/** Finds the classes with the smallest share of marked students who were present. */
export const findLowestAttendance = (attendance: Analytics['attendance'], count: number) =>
  findMarkedClasses(attendance)
    .toSorted((a, b) => a.rate - b.rate)
    .slice(0, count)

/** Counts marks, so a large class counts more than a small one. */
export function describeAttendance(attendance: Analytics['attendance']): string {
  const markedClasses = findMarkedClasses(attendance)
  const marks = sum(markedClasses.map((dojoClass) => dojoClass.marks))
  if (marks === 0) return 'No attendance yet'
  const presentCount = sum(markedClasses.map(({ rate, marks: classMarks }) => rate * classMarks))
  const [lowestClass] = findLowestAttendance(attendance, 1)
  const presentText = `${formatPercent((presentCount / marks) * 100)} present`
  if (markedClasses.length < 2 || !lowestClass) return presentText
  const lowestRate = formatPercent(lowestClass.rate * 100)
  return `${presentText}, lowest in ${lowestClass.class_name} (${lowestRate})`
}
