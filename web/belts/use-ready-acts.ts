import { type PromotionResult, promotionsApi } from '@tatami/contract/belts/promotions'
import { readinessApi, type ReadyList, type ReadyStudent } from '@tatami/contract/belts/readiness'
import { useRef, useState } from 'react'
import { errorMessage } from '../lib/api.ts'
import { rankName } from '../ui/rank-belt.tsx'
import { pluralize } from '../lib/text.ts'
import { useRankMutation } from './belts-data.ts'
import { findPlaces, type Places } from './ready-groups.ts'
import type { RankAct } from './rank-undo-bar.tsx'

type KeptPlaces = { list: string; places: Places; promotedIds: ReadonlySet<string> }

/** From the first act on, students keep their places until another list is shown. */
function useKeptPlaces(list: string, students: readonly ReadyStudent[]) {
  const [keptPlaces, setKeptPlaces] = useState<KeptPlaces | null>(null)
  const keep = (change: (promotedIds: Set<string>) => void = () => {}) =>
    setKeptPlaces((previous) => {
      const isSameList = previous?.list === list
      const promotedIds = new Set(isSameList ? previous.promotedIds : [])
      change(promotedIds)
      return { list, places: isSameList ? previous.places : findPlaces(students), promotedIds }
    })
  return { keptPlaces: keptPlaces?.list === list ? keptPlaces : null, keep }
}

/** The second tap of a double tap may come this late. */
const DOUBLE_TAP_MS = 700

/** Returns a function that ignores a student while an act for them is running. */
function useOncePerStudent() {
  const busyIds = useRef(new Set<string>())
  return async (id: string, act: () => Promise<unknown>) => {
    if (busyIds.current.has(id)) return
    busyIds.current.add(id)
    await Promise.all([act(), new Promise((resolve) => setTimeout(resolve, DOUBLE_TAP_MS))])
    busyIds.current.delete(id)
  }
}

const alertFailure = (words: string) => (error: unknown) => alert(errorMessage(error, words))

const NO_IDS: ReadonlySet<string> = new Set()

/** `list` names what is shown: a new one gives all students their new places. */
export function useReadyActs(list: string, ready: ReadyList | undefined) {
  const [lastAct, setLastAct] = useState<(RankAct & { ids: readonly string[] }) | null>(null)
  const { keptPlaces, keep } = useKeptPlaces(list, ready?.students ?? [])
  const runOnce = useOncePerStudent()
  const stripes = useRankMutation(promotionsApi.giveStripes)
  const approval = useRankMutation(readinessApi.approve)
  async function giveStripe({ student_id }: ReadyStudent) {
    keep()
    const body = { student_ids: [student_id], ...(ready && { style_id: ready.style_id }) }
    const reply = await stripes
      .mutateAsync({ body })
      .catch(alertFailure('The stripe was not given. Please try again.'))
    const [student] = reply?.students ?? []
    if (reply && student)
      setLastAct({
        actId: reply.act_id,
        name: `${student.name}:`,
        message: rankName(student.rank, 'white'),
        ids: [],
      })
  }
  return {
    /** Null before the first act on this list. */
    places: keptPlaces?.places ?? null,
    promotedIds: keptPlaces?.promotedIds ?? NO_IDS,
    done: lastAct,
    forget: () => setLastAct(null),
    giveStripe: (student: ReadyStudent) => runOnce(student.student_id, () => giveStripe(student)),
    notePromoted: ({ act_id, students }: PromotionResult) => {
      const ids = students.map(({ student_id }) => student_id)
      keep((promotedIds) => ids.forEach((id) => promotedIds.add(id)))
      const [first] = students
      const notice =
        first && students.length === 1
          ? { name: `${first.name}:`, message: rankName(first.rank) }
          : { message: `${pluralize(students.length, 'student')} promoted` }
      setLastAct({ actId: act_id, ...notice, ids, hasCertificates: true })
    },
    approve: (student: ReadyStudent) => {
      if (!student.next || approval.isPending) return
      keep()
      const params = { id: student.student_id, rankId: student.next.id }
      approval.mutate(
        { params, body: { approved: !student.is_approved } },
        { onError: alertFailure('That was not saved. Please try again.') },
      )
    },
    /** Puts the students of the undone act back in their places. */
    undone: () => {
      const ids = lastAct?.ids ?? []
      keep((promotedIds) => ids.forEach((id) => promotedIds.delete(id)))
    },
  }
}
export type ReadyActs = ReturnType<typeof useReadyActs>
