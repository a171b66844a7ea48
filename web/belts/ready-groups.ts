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
export function readyFrom(missing: readonly MissingRule[]): string | null {
  const days = missing.map(({ until }) => until)
  return days.length > 0 && days.every((day) => day !== null) ? days.toSorted().at(-1)! : null
}

/** "2 classes, 1 skill", and from when on nothing is where only time is missing: "11 days, from Mar 12, 2026". Empty where nothing is. */
export function missingText(missing: readonly MissingRule[]): string {
  const from = readyFrom(missing)
  return from === null
    ? missingWords(missing)
    : `${missingWords(missing)}, from ${formatDate(from)}`
}

const isShortOfClasses = ({ readiness, missing }: ReadyStudent) =>
  readiness === 'short' && missing.length === 1 && missing[0]!.rule === 'classes'

/** "Ready by March 12: 9. Short of classes alone: 4, by 1 to 3. Something else is missing: 6." */
export function forecastWords(students: readonly ReadyStudent[], on: string): string {
  const ready = students.filter(({ readiness }) => readiness === 'ready').length
  const close = students.filter(isShortOfClasses)
  const others = students.filter(
    (student) => student.readiness === 'short' && !isShortOfClasses(student),
  ).length
  const by = close.map(({ missing }) => missing[0]!.short_by ?? 0)
  const [least, most] = [Math.min(...by), Math.max(...by)]
  const undecided = students.filter(({ readiness }) => readiness === 'instructor_decides').length
  return joinWords(
    [
      `Ready by ${formatMonthAndDay(on)}: ${ready}.`,
      undecided > 0 && `You decide: ${undecided}.`,
      close.length > 0 &&
        `Short of classes alone: ${close.length}, by ${least === most ? least : `${least} to ${most}`}.`,
      others > 0 && `Something else is missing: ${others}.`,
    ],
    ' ',
  )
}

/** The rules that a promotion of somebody who is not ready waives, each once. */
export const waivedOf = ({ missing }: Pick<ReadyStudent, 'missing'>): RankRule[] => [
  ...new Set(missing.map(({ rule }) => rule)),
]

export type Places = ReadonlyMap<string, { group: Readiness; at: number }>
export const placesOf = (students: readonly ReadyStudent[]): Places =>
  new Map(students.map(({ student_id, readiness }, at) => [student_id, { group: readiness, at }]))

/**
 * The students by list. Whoever had a place keeps it, so that no row moves under the finger; whoever was promoted leaves it. Those without one
 * come after them, in the order of the answer.
 */
export function groupStudents(
  students: readonly ReadyStudent[],
  places: Places | null,
): Record<Readiness, ReadyStudent[]> {
  const placed = students.map((student, index) => {
    const here = { group: student.readiness, at: (places?.size ?? 0) + index }
    const kept = places?.get(student.student_id)
    return { student, ...(student.readiness === 'promoted' ? here : (kept ?? here)) }
  })
  const sorted = placed.toSorted((a, b) => a.at - b.at)
  return Object.fromEntries(
    GROUPS.map((group) => [
      group,
      sorted.filter((one) => one.group === group).map(({ student }) => student),
    ]),
  ) as Record<Readiness, ReadyStudent[]>
}

/** Whether an instructor's yes is asked for: it is missing, or was given. */
export const asksApproval = ({
  missing,
  is_approved,
}: Pick<ReadyStudent, 'missing' | 'is_approved'>): boolean =>
  is_approved || missing.some(({ rule }) => rule === 'approval')
