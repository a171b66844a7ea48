import { type PromotionResult, promotionsApi } from '@tatami/contract/belts/promotions'
import { readinessApi, type ReadyList, type ReadyStudent } from '@tatami/contract/belts/readiness'
import { useRef, useState } from 'react'
import { alertFailure } from '../lib/alert-failure.ts'
import { errorMessage } from '../lib/api.ts'
import { rankName } from '../ui/rank-belt.tsx'
import { pluralize } from '../lib/text.ts'
import { useRankMutation } from './belts-data.ts'
import { findRowPositions, type RowPositions } from './ready-groups.ts'
import type { RankAct } from './rank-undo-bar.tsx'

type ReadyAct = RankAct & { promotedIds: readonly string[] }
type FrozenList = { listKey: string; positions: RowPositions; promotedIds: ReadonlySet<string> }

/** Keeps the order from the first action on, so that no row moves under the user's finger. */
function useFrozenList(listKey: string, students: readonly ReadyStudent[]) {
  const [frozenList, setFrozenList] = useState<FrozenList | null>(null)
  const freeze = (changePromoted: (promotedIds: Set<string>) => void = () => {}) =>
    setFrozenList((previousList) => {
      const list = previousList?.listKey === listKey ? previousList : null
      const promotedIds = new Set(list?.promotedIds)
      changePromoted(promotedIds)
      return { listKey, positions: list?.positions ?? findRowPositions(students), promotedIds }
    })
  return { frozenList: frozenList?.listKey === listKey ? frozenList : null, freeze }
}

const DOUBLE_TAP_MS = 700

/** Ignores a second tap for the same student within DOUBLE_TAP_MS. */
function useSingleAction() {
  const busyIds = useRef(new Set<string>())
  return async (id: string, action: () => Promise<unknown>) => {
    if (busyIds.current.has(id)) return
    busyIds.current.add(id)
    await Promise.all([action(), new Promise((resolve) => setTimeout(resolve, DOUBLE_TAP_MS))])
    busyIds.current.delete(id)
  }
}

const createFailureAlert = (message: string) => (error: unknown) =>
  alertFailure(errorMessage(error, message))

const NO_IDS: ReadonlySet<string> = new Set()

export function useReadyActions(listKey: string, ready: ReadyList | undefined) {
  const [lastAct, setLastAct] = useState<ReadyAct | null>(null)
  const { frozenList, freeze } = useFrozenList(listKey, ready?.students ?? [])
  const runOnce = useSingleAction()
  const stripes = useRankMutation(promotionsApi.giveStripes)
  const approval = useRankMutation(readinessApi.approve)
  async function giveStripe({ student_id }: ReadyStudent) {
    freeze()
    const body = { student_ids: [student_id], ...(ready && { style_id: ready.style_id }) }
    const reply = await stripes
      .mutateAsync({ body })
      .catch(createFailureAlert('The stripe was not given. Please try again.'))
    const [student] = reply?.students ?? []
    if (reply && student)
      setLastAct({
        actId: reply.act_id,
        name: `${student.name}:`,
        message: rankName(student.rank),
        promotedIds: [],
      })
  }
  return {
    rowPositions: frozenList?.positions ?? null,
    promotedIds: frozenList?.promotedIds ?? NO_IDS,
    lastAct,
    dismissNotice: () => setLastAct(null),
    giveStripe: (student: ReadyStudent) => runOnce(student.student_id, () => giveStripe(student)),
    onPromoted: ({ act_id, students }: PromotionResult) => {
      const ids = students.map(({ student_id }) => student_id)
      freeze((promotedIds) => ids.forEach((id) => promotedIds.add(id)))
      const [firstStudent] = students
      const notice =
        firstStudent && students.length === 1
          ? { name: `${firstStudent.name}:`, message: rankName(firstStudent.rank) }
          : { message: `${pluralize(students.length, 'student')} promoted` }
      setLastAct({
        actId: act_id,
        ...notice,
        promotedIds: ids,
        hasCertificates: true,
        newRanks: students.map(({ rank }) => rank),
      })
    },
    approve: (student: ReadyStudent) => {
      if (!student.next || approval.isPending) return
      freeze()
      const params = { id: student.student_id, rankId: student.next.id }
      approval.mutate(
        { params, body: { approved: !student.is_approved } },
        { onError: createFailureAlert('That was not saved. Please try again.') },
      )
    },
    onUndone: () => {
      const ids = lastAct?.promotedIds ?? []
      freeze((promotedIds) => ids.forEach((id) => promotedIds.delete(id)))
    },
  }
}
export type ReadyActions = ReturnType<typeof useReadyActions>
