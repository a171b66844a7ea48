import type { Belts } from '@tatami/contract/belts/belts'
import type { Reply } from '@tatami/contract/lib/endpoint'
import type { ReadyStudent, readinessApi } from '@tatami/contract/belts/readiness'
import { isNearlyReady } from './grading-text.ts'

type ReadyStudents = Reply<typeof readinessApi.ready>['students']

export type SelectionChanges = {
  /** Student id → true if the instructor checked the student, false if unchecked. */
  checked: Readonly<Record<string, boolean>>
  /** Student id → id of the rank that the instructor chose. */
  rankIds: Readonly<Record<string, string>>
}
export const NO_CHANGES: SelectionChanges = { checked: {}, rankIds: {} }

export type ChoiceOptions = {
  excludedIds: ReadonlySet<string>
  /** True if students who are ready start out checked. */
  isReadySelected: boolean
}

/** `rankId` is the rank to test for. It is null until the instructor chooses one. */
export type SelectableStudent = ReadyStudent & { isSelected: boolean; rankId: string | null }

export function buildSections(
  students: ReadyStudents,
  { checked, rankIds }: SelectionChanges,
  { excludedIds, isReadySelected }: ChoiceOptions,
) {
  const allStudents = students
    .filter(({ student_id }) => !excludedIds.has(student_id))
    .map((student): SelectableStudent => {
      const { student_id, readiness, next } = student
      return {
        ...student,
        isSelected: checked[student_id] ?? (isReadySelected && readiness === 'ready'),
        rankId: rankIds[student_id] ?? next?.id ?? null,
      }
    })
  const ready = allStudents.filter(({ readiness }) => readiness === 'ready')
  const instructorDecides = allStudents.filter(
    ({ readiness }) => readiness === 'instructor_decides',
  )
  const nearlyReady = allStudents.filter(isNearlyReady)
  const listedStudents = new Set([...ready, ...instructorDecides, ...nearlyReady])
  return {
    allStudents,
    ready,
    instructorDecides,
    nearlyReady,
    addedByHand: allStudents.filter(
      (student) => student.student_id in checked && !listedStudents.has(student),
    ),
    selectedStudents: allStudents.filter(({ isSelected }) => isSelected),
  }
}

type RankOptions = { group: string; items: { value: string; label: string }[] }[]

/** Leaves out ranks below the student's rank. The student's rank stays, because Tatami may have
 *  guessed it from the color of the belt. */
export const skipLowerRanks = (options: RankOptions, heldRankId: string | undefined) =>
  options.map(({ group, items }) => {
    const heldIndex = items.findIndex(({ value }) => value === heldRankId)
    return { group, items: items.slice(Math.max(0, heldIndex)) }
  })

export function listRankOptions(
  belts: Belts | undefined,
  styleId: string | undefined,
): RankOptions {
  const style = belts?.styles.find(({ id }) => id === styleId)
  return (style?.ladders ?? [])
    .filter(({ is_retired }) => !is_retired)
    .map(({ name, ranks }) => ({
      group: name,
      items: ranks.map((rank) => ({ value: rank.id, label: rank.name })),
    }))
}
