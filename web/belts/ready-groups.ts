import { missingWords, type MissingRule, type RankRule } from '@tatami/contract/belts/eligibility'
import type { Readiness, ReadyStudent } from '@tatami/contract/belts/readiness'
import { formatDate, formatMonthAndDay } from '../lib/dates.ts'
import { joinWords } from '../lib/text.ts'

/** The lists of the screen, in its order. The first three stand open, the others are folded. */
export const GROUPS = [
  'ready',
  'instructor_decides',
  'short',
  'promoted',
  'trial',
  'vacation',
  'outgrown',
  'top',
] as const satisfies readonly Readiness[]
export const GROUP_TITLES: Record<Readiness, string> = {
  ready: 'Ready',
  instructor_decides: 'You decide',
  short: 'Not yet',
  promoted: 'Promoted today',
  trial: 'On trial',
  vacation: 'On vacation',
  outgrown: 'Past the age of their ladder',
  top: 'At the top',
}

/** The day on which nothing is missing any more, where time alone brings it; null where something else is missing as well. */
export function readyFrom(missingRules: readonly MissingRule[]): string | null {
  const days = missingRules.map(({ until }) => until)
  return days.length > 0 && days.every((day) => day !== null) ? days.toSorted().at(-1)! : null
}

/** "2 classes, 1 skill", and from when on nothing is where only time is missing: "11 days, from Mar 12, 2026". Empty where nothing is. */
export function missingText(missingRules: readonly MissingRule[]): string {
  const readyDay = readyFrom(missingRules)
  return readyDay === null
    ? missingWords(missingRules)
    : `${missingWords(missingRules)}, from ${formatDate(readyDay)}`
}

const isShortOfClasses = ({ readiness, missing }: ReadyStudent) =>
  readiness === 'short' && missing.length === 1 && missing[0]!.rule === 'classes'

/** "Ready by March 12: 9. Short of classes alone: 4, by 1 to 3. Something else is missing: 6." */
export function forecastWords(students: readonly ReadyStudent[], day: string): string {
  const ready = students.filter(({ readiness }) => readiness === 'ready').length
  const close = students.filter(isShortOfClasses)
  const otherCount = students.filter(
    (student) => student.readiness === 'short' && !isShortOfClasses(student),
  ).length
  const missingClasses = close.map(({ missing }) => missing[0]!.short_by ?? 0)
  const [minClasses, maxClasses] = [Math.min(...missingClasses), Math.max(...missingClasses)]
  const undecidedCount = students.filter(
    ({ readiness }) => readiness === 'instructor_decides',
  ).length
  return joinWords(
    [
      `Ready by ${formatMonthAndDay(day)}: ${ready}.`,
      undecidedCount > 0 && `You decide: ${undecidedCount}.`,
      close.length > 0 &&
        `Short of classes alone: ${close.length}, by ${minClasses === maxClasses ? minClasses : `${minClasses} to ${maxClasses}`}.`,
      otherCount > 0 && `Something else is missing: ${otherCount}.`,
    ],
    ' ',
  )
}

/** The rules that a promotion of somebody who is not ready waives, each once. */
export const waivedOf = ({ missing }: Pick<ReadyStudent, 'missing'>): RankRule[] => [
  ...new Set(missing.map(({ rule }) => rule)),
]

export type Places = ReadonlyMap<string, { group: Readiness; at: number }>
export const findPlaces = (students: readonly ReadyStudent[]): Places =>
  new Map(
    students.map(({ student_id, readiness }, index) => [
      student_id,
      { group: readiness, at: index },
    ]),
  )

/**
 * The students by list. Whoever had a place keeps it, so that no row moves under the finger; whoever was promoted leaves it. Those without one
 * come after them, in the order of the answer.
 */
export function groupByReadiness(
  students: readonly ReadyStudent[],
  places: Places | null,
): Record<Readiness, ReadyStudent[]> {
  const placedStudents = students.map((student, index) => {
    const newPlace = { group: student.readiness, at: (places?.size ?? 0) + index }
    const oldPlace = places?.get(student.student_id)
    return { student, ...(student.readiness === 'promoted' ? newPlace : (oldPlace ?? newPlace)) }
  })
  const sortedStudents = placedStudents.toSorted((a, b) => a.at - b.at)
  return Object.fromEntries(
    GROUPS.map((group) => [
      group,
      sortedStudents
        .filter((placedStudent) => placedStudent.group === group)
        .map(({ student }) => student),
    ]),
  ) as Record<Readiness, ReadyStudent[]>
}

/** Whether an instructor's yes is asked for: it is missing, or was given. */
export const asksApproval = ({
  missing,
  is_approved,
}: Pick<ReadyStudent, 'missing' | 'is_approved'>): boolean =>
  is_approved || missing.some(({ rule }) => rule === 'approval')
