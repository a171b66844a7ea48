import {
  describeMissing,
  type MissingRule,
  type RankRule,
} from '@tatami/contract/belts/eligibility'
import type { Readiness, ReadyStudent } from '@tatami/contract/belts/readiness'
import { formatDate, formatMonthAndDay } from '../lib/dates.ts'
import { joinNonEmpty } from '../lib/text.ts'

/** In the order of the screen. The first three are open, the others folded. */
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
  outgrown: 'Too old for their ladder',
  top: 'At the top',
}

/** The day on which the student is ready if only time is missing; null otherwise. */
export function readyFrom(missingRules: readonly MissingRule[]): string | null {
  const days = missingRules.map(({ until }) => until)
  return days.every((day) => day !== null) ? (days.toSorted().at(-1) ?? null) : null
}

/** "2 classes, 1 skill"; if only time is missing, "11 days, from Mar 12, 2026". */
export function missingText(missingRules: readonly MissingRule[]): string {
  const day = readyFrom(missingRules)
  const words = describeMissing(missingRules)
  return day === null ? words : `${words}, from ${formatDate(day)}`
}

/** The number of missing classes if nothing else is missing. */
const missingClasses = ({ missing }: ReadyStudent): number | undefined => {
  const [rule, ...otherRules] = missing
  return rule?.rule === 'classes' && otherRules.length === 0 ? (rule.short_by ?? 0) : undefined
}

/** "Ready by March 12: 9. Only missing classes: 4 (1 to 3). Missing something else: 6." */
export function forecastWords(students: readonly ReadyStudent[], day: string): string {
  const countOf = (readiness: Readiness) =>
    students.filter((student) => student.readiness === readiness).length
  const undecidedCount = countOf('instructor_decides')
  const classCounts = students
    .filter(({ readiness }) => readiness === 'short')
    .flatMap((student) => missingClasses(student) ?? [])
  const [minClasses, maxClasses] = [Math.min(...classCounts), Math.max(...classCounts)]
  const range = minClasses === maxClasses ? minClasses : `${minClasses} to ${maxClasses}`
  const otherCount = countOf('short') - classCounts.length
  return joinNonEmpty(
    [
      `Ready by ${formatMonthAndDay(day)}: ${countOf('ready')}.`,
      undecidedCount > 0 && `You decide: ${undecidedCount}.`,
      classCounts.length > 0 && `Only missing classes: ${classCounts.length} (${range}).`,
      otherCount > 0 && `Missing something else: ${otherCount}.`,
    ],
    ' ',
  )
}

/** The rules that a promotion would waive, each once. */
export const waivedOf = ({ missing }: Pick<ReadyStudent, 'missing'>): RankRule[] => [
  ...new Set(missing.map(({ rule }) => rule)),
]

export type Places = ReadonlyMap<string, { group: Readiness; position: number }>
export const findPlaces = (students: readonly ReadyStudent[]): Places =>
  new Map(
    students.map(({ student_id, readiness }, position) => [
      student_id,
      { group: readiness, position },
    ]),
  )

/**
 * Students keep their earlier places, so that no row moves under the finger; those promoted since
 * leave theirs. New students come last.
 */
export function groupByReadiness(
  students: readonly ReadyStudent[],
  places: Places | null,
): Record<Readiness, ReadyStudent[]> {
  const placedStudents = students.map((student, index) => {
    const newPlace = { group: student.readiness, position: (places?.size ?? 0) + index }
    const oldPlace = student.readiness === 'promoted' ? undefined : places?.get(student.student_id)
    return { student, ...(oldPlace ?? newPlace) }
  })
  const sortedStudents = placedStudents.toSorted((a, b) => a.position - b.position)
  return Object.fromEntries(
    GROUPS.map((group) => [
      group,
      sortedStudents
        .filter((placedStudent) => placedStudent.group === group)
        .map(({ student }) => student),
    ]),
  ) as Record<Readiness, ReadyStudent[]>
}

/** True if the next rank needs an instructor's approval, given or not. */
export const asksApproval = ({
  missing,
  is_approved,
}: Pick<ReadyStudent, 'missing' | 'is_approved'>): boolean =>
  is_approved || missing.some(({ rule }) => rule === 'approval')
