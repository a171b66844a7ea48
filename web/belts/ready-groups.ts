import {
  describeMissing,
  type MissingRule,
  type RankRule,
} from '@tatami/contract/belts/eligibility'
import type { Readiness, ReadyStudent } from '@tatami/contract/belts/readiness'
import { formatDate, formatMonthAndDay } from '../lib/dates.ts'
import { joinNonEmpty } from '../lib/text.ts'

/** In the order on the screen. The first three groups are open, and the others are collapsed. */
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

/** Finds the day on which the student will be ready. Returns null if anything but time
 *  is missing. */
export function findReadyDay(missingRules: readonly MissingRule[]): string | null {
  const days = missingRules.map(({ until }) => until)
  return days.every((day) => day !== null) ? (days.toSorted().at(-1) ?? null) : null
}

/** "2 classes, 1 skill", or "11 days, from Mar 12, 2026" if only time is missing. */
export function describeMissingRules(missingRules: readonly MissingRule[]): string {
  const day = findReadyDay(missingRules)
  const requirements = describeMissing(missingRules)
  return day === null ? requirements : `${requirements}, from ${formatDate(day)}`
}

/** Returns the number of missing classes, or undefined if something else is missing. */
const countMissingClasses = ({ missing }: ReadyStudent): number | undefined => {
  const [rule, ...otherRules] = missing
  return rule?.rule === 'classes' && otherRules.length === 0 ? (rule.short_by ?? 0) : undefined
}

/** "Ready by March 12: 9. Only missing classes: 4 (1 to 3). Missing something else: 6." */
export function describeForecast(students: readonly ReadyStudent[], day: string): string {
  const countIn = (readiness: Readiness) =>
    students.filter((student) => student.readiness === readiness).length
  const undecidedCount = countIn('instructor_decides')
  const classCounts = students
    .filter(({ readiness }) => readiness === 'short')
    .flatMap((student) => countMissingClasses(student) ?? [])
  const minClasses = Math.min(...classCounts)
  const maxClasses = Math.max(...classCounts)
  const range = minClasses === maxClasses ? minClasses : `${minClasses} to ${maxClasses}`
  const otherCount = countIn('short') - classCounts.length
  return joinNonEmpty(
    [
      `Ready by ${formatMonthAndDay(day)}: ${countIn('ready')}.`,
      undecidedCount > 0 && `You decide: ${undecidedCount}.`,
      classCounts.length > 0 && `Only missing classes: ${classCounts.length} (${range}).`,
      otherCount > 0 && `Missing something else: ${otherCount}.`,
    ],
    ' ',
  )
}

export const listWaivedRules = ({ missing }: Pick<ReadyStudent, 'missing'>): RankRule[] => [
  ...new Set(missing.map(({ rule }) => rule)),
]

export type RowPositions = ReadonlyMap<string, { group: Readiness; position: number }>
export const findRowPositions = (students: readonly ReadyStudent[]): RowPositions =>
  new Map(
    students.map(({ student_id, readiness }, position) => [
      student_id,
      { group: readiness, position },
    ]),
  )

/** Groups students. Rows keep their positions, so that taps hit the right row. New and promoted
 *  students come last. */
export function groupByReadiness(
  students: readonly ReadyStudent[],
  rowPositions: RowPositions | null,
): Record<Readiness, ReadyStudent[]> {
  const positionedStudents = students.map((student, index) => {
    const newPosition = { group: student.readiness, position: (rowPositions?.size ?? 0) + index }
    const oldPosition =
      student.readiness === 'promoted' ? undefined : rowPositions?.get(student.student_id)
    return { student, ...(oldPosition ?? newPosition) }
  })
  const sortedStudents = positionedStudents.toSorted((a, b) => a.position - b.position)
  return Object.fromEntries(
    GROUPS.map((group) => [
      group,
      sortedStudents
        .filter((positionedStudent) => positionedStudent.group === group)
        .map(({ student }) => student),
    ]),
  ) as Record<Readiness, ReadyStudent[]>
}

/** Returns true if the next rank requires an approval, whether or not the student has it. */
export const hasApprovalRule = ({
  missing,
  is_approved,
}: Pick<ReadyStudent, 'missing' | 'is_approved'>): boolean =>
  is_approved || missing.some(({ rule }) => rule === 'approval')
