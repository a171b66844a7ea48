import { type PromotionResult, promotionsApi } from '@tatami/contract/belts/promotions'
import { readinessApi, type ReadyList, type ReadyStudent } from '@tatami/contract/belts/readiness'
import { useRef, useState } from 'react'
import { errorMessage } from '../lib/api.ts'
import { rankName } from '../ui/rank-belt.tsx'
import { pluralize } from '../lib/text.ts'
import { useRankMutation } from './belts-data.ts'
import { findPlaces, type Places } from './ready-groups.ts'
import type { RankAct } from './rank-undo-bar.tsx'

/** As long as a second tap of a double tap may take. */
const SHIELD_MS = 700
const pause = () => new Promise((resolve) => setTimeout(resolve, SHIELD_MS))

type KeptPlaces = {
  list: string
  places: Places
  promotedIds: ReadonlySet<string>
}
type ReadyAct = RankAct & { ids: readonly string[] }

/**
 * What one does on the list of who is ready. After the first act everybody keeps their place until another `list` is shown, so that no
 * row moves under the finger.
 */
export function useReadyActs(list: string, ready: ReadyList | undefined) {
  const [keptPlaces, setKept] = useState<KeptPlaces | null>(null)
  const [lastAct, setDone] = useState<ReadyAct | null>(null)
  // The second tap of a double tap finds them here.
  const underWay = useRef(new Set<string>())
  const stripes = useRankMutation(promotionsApi.giveStripes)
  const approval = useRankMutation(readinessApi.approve)
  const students = ready?.students ?? []
  const now = keptPlaces?.list === list ? keptPlaces : null
  const keep = (change: (promotedIds: Set<string>) => void = () => {}) =>
    setKept((previous) => {
      const currentPlaces =
        previous?.list === list
          ? previous
          : { list, places: findPlaces(students), promotedIds: new Set<string>() }
      const promotedIds = new Set(currentPlaces.promotedIds)
      change(promotedIds)
      return { ...currentPlaces, promotedIds }
    })
  const alertFailure = (words: string) => (error: unknown) => alert(errorMessage(error, words))
  /** Does something with students whom nothing is being done with; the others are left out. */
  const once = async (
    actStudents: readonly ReadyStudent[],
    act: (free: readonly ReadyStudent[]) => Promise<unknown>,
  ) => {
    const free = actStudents.filter(({ student_id }) => !underWay.current.has(student_id))
    if (free.length === 0) return
    for (const { student_id } of free) underWay.current.add(student_id)
    keep()
    await Promise.all([act(free), pause()])
    for (const { student_id } of free) underWay.current.delete(student_id)
  }
  return {
    /** Null until something has been done with this list. */
    places: now?.places ?? null,
    promotedIds: now?.promotedIds ?? NO_IDS,
    done: lastAct,
    forget: () => setDone(null),
    /** Takes whoever was promoted off the list, and offers to take it back. */
    notePromoted: ({ act_id, students: promotedStudents }: PromotionResult) => {
      const ids = promotedStudents.map(({ student_id }) => student_id)
      keep((promotedIds) => ids.forEach((id) => promotedIds.add(id)))
      const [first] = promotedStudents
      const words =
        first && promotedStudents.length === 1
          ? { name: `${first.name}:`, words: rankName(first.rank) }
          : { words: `${pluralize(promotedStudents.length, 'student')} promoted` }
      setDone({ actId: act_id, ...words, ids, hasCertificates: true })
    },
    giveStripe: (student: ReadyStudent) =>
      once([student], async () => {
        const body = {
          student_ids: [student.student_id],
          ...(ready && { style_id: ready.style_id }),
        }
        const reply = await stripes
          .mutateAsync({ body })
          .catch(alertFailure('The stripe was not given. Please try again.'))
        const [studentWithStripe] = reply?.students ?? []
        if (reply && studentWithStripe)
          setDone({
            actId: reply.act_id,
            name: `${studentWithStripe.name}:`,
            words: rankName(studentWithStripe.rank, 'white'),
            ids: [],
          })
      }),
    approve: (student: ReadyStudent) => {
      if (!student.next || approval.isPending) return
      keep()
      const params = { id: student.student_id, rankId: student.next.id }
      approval.mutate(
        { params, body: { approved: !student.is_approved } },
        { onError: alertFailure('That was not saved. Please try again.') },
      )
    },
    /** Those of the act that was taken back stand where they stood, as they were. */
    undone: () => {
      const ids = lastAct?.ids ?? []
      keep((promotedIds) => ids.forEach((id) => promotedIds.delete(id)))
    },
  }
}
export type ReadyActs = ReturnType<typeof useReadyActs>

const NO_IDS: ReadonlySet<string> = new Set()
