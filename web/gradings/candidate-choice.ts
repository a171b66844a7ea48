import type { Belts } from '@tatami/contract/belts/belts'
import type { Reply } from '@tatami/contract/lib/endpoint'
import type { ReadyStudent, readinessApi } from '@tatami/contract/belts/readiness'
import { isNearlyReady } from './words.ts'

type ReadyStudents = Reply<typeof readinessApi.ready>['students']

/** What was changed by hand of whom a grading begins with: who, and for which rank. */
export type Choice = {
  /** Who was checked or unchecked. */
  checked: Readonly<Record<string, boolean>>
  rankIds: Readonly<Record<string, string>>
}
export const NO_CHOICE: Choice = { checked: {}, rankIds: {} }

export type ChoiceOptions = {
  /** Who is not offered. */
  excludedIds: ReadonlySet<string>
  /** Whoever is ready is chosen without being checked. */
  selectsReady: boolean
}

/** A student with the rank that they would try for; null where an instructor has to say which. */
export type Choosable = ReadyStudent & { isChosen: boolean; toRankId: string | null }

/** The ready, those whose next rank has no requirements, those whom one or two classes keep from it, and whom somebody has added by hand. */
export function choosable(
  students: ReadyStudents,
  { checked, rankIds }: Choice,
  { excludedIds: leftOut, selectsReady: choosesReady }: ChoiceOptions,
) {
  const allStudents = students
    .filter(({ student_id }) => !leftOut.has(student_id))
    .map((student): Choosable => {
      const { student_id, readiness, next } = student
      return {
        ...student,
        isChosen: checked[student_id] ?? (choosesReady && readiness === 'ready'),
        toRankId: rankIds[student_id] ?? next?.id ?? null,
      }
    })
  const ready = allStudents.filter(({ readiness }) => readiness === 'ready')
  const withoutRules = allStudents.filter(({ readiness }) => readiness === 'instructor_decides')
  const nearlyReady = allStudents.filter(isNearlyReady)
  const listedStudents = new Set([...ready, ...withoutRules, ...nearlyReady])
  const addedByHand = allStudents.filter(
    (student) => student.student_id in checked && !listedStudents.has(student),
  )
  return {
    all: allStudents,
    ready,
    undecided: withoutRules,
    near: nearlyReady,
    added: addedByHand,
    chosen: allStudents.filter(({ isChosen }) => isChosen),
  }
}

/** The ranks of a style that somebody can try for, by ladder. */
export function rankChoices(belts: Belts | undefined, styleId: string | undefined) {
  const style = belts?.styles.find(({ id }) => id === styleId)
  return (style?.ladders ?? [])
    .filter(({ is_retired }) => !is_retired)
    .map(({ name, ranks }) => ({
      group: name,
      items: ranks.map((rank) => ({ value: rank.id, label: rank.name })),
    }))
}
