import { promotionsApi } from '@tatami/contract/promotions'
import { readinessApi, type ReadyList, type ReadyStudent } from '@tatami/contract/readiness'
import { useRef, useState } from 'react'
import { errorMessage } from '../lib/api.ts'
import { rankName } from '../ui/rank-belt.tsx'
import { pluralize } from '../lib/text.ts'
import { useRankMutation } from './belts-data.ts'
import { placesOf, type Places, waivedOf } from './ready-groups.ts'
import type { RankAct } from './rank-undo-bar.tsx'

/** As long as a second tap of a double tap may take. */
export const SHIELD_MS = 700
const pause = () => new Promise((resolve) => setTimeout(resolve, SHIELD_MS))

type Kept = {
  list: string
  places: Places
  /** What those who were promoted have now. */
  promoted: ReadonlyMap<string, string>
}
type Done = RankAct & { ids: readonly string[] }

/**
 * What one does on the list of who is ready. After the first act everybody keeps their place until another `list` is shown, so that no
 * row moves under the finger.
 */
export function useReadyActs(list: string, ready: ReadyList | undefined) {
  const [kept, setKept] = useState<Kept | null>(null)
  const [done, setDone] = useState<Done | null>(null)
  // The second tap of a double tap finds them here.
  const underWay = useRef(new Set<string>())
  const promotion = useRankMutation(promotionsApi.promote)
  const stripes = useRankMutation(promotionsApi.giveStripes)
  const approval = useRankMutation(readinessApi.approve)
  const students = ready?.students ?? []
  const now = kept?.list === list ? kept : null
  const keep = (change: (promoted: Map<string, string>) => void = () => {}) =>
    setKept((before) => {
      const same =
        before?.list === list
          ? before
          : { list, places: placesOf(students), promoted: new Map<string, string>() }
      const promoted = new Map(same.promoted)
      change(promoted)
      return { ...same, promoted }
    })
  const failed = (words: string) => (error: unknown) => alert(errorMessage(error, words))
  /** Does something with students whom nothing is being done with; the others are left out. */
  const once = async (
    some: readonly ReadyStudent[],
    act: (free: readonly ReadyStudent[]) => Promise<unknown>,
  ) => {
    const free = some.filter(({ student_id }) => !underWay.current.has(student_id))
    if (free.length === 0) return
    for (const { student_id } of free) underWay.current.add(student_id)
    keep()
    await Promise.all([act(free), pause()])
    for (const { student_id } of free) underWay.current.delete(student_id)
  }
  return {
    /** Null until something has been done with this list. */
    places: now?.places ?? null,
    promoted: now?.promoted ?? NOBODY,
    done,
    forget: () => setDone(null),
    /** All or none, with one call. Ends when the server has answered, whether or not it agreed. */
    promote: (some: readonly ReadyStudent[]) =>
      once(some, async (free) => {
        const promotions = free.flatMap((student) =>
          student.next
            ? [
                {
                  student_id: student.student_id,
                  rank_id: student.next.id,
                  waived: waivedOf(student),
                },
              ]
            : [],
        )
        const reply = await promotion
          .mutateAsync({ body: { promotions } })
          .catch(failed('Nobody was promoted. Please try again.'))
        if (!reply) return
        keep((promoted) => {
          for (const { student_id, rank } of reply.students)
            promoted.set(student_id, `Now ${rankName(rank, 'white')}`)
        })
        const [first] = reply.students
        const who =
          reply.students.length === 1
            ? `${first!.name}: ${rankName(first!.rank, 'white')}`
            : `${pluralize(reply.students.length, 'student')} promoted`
        setDone({
          actId: reply.act_id,
          words: who,
          ids: reply.students.map(({ student_id }) => student_id),
        })
      }),
    giveStripe: (student: ReadyStudent) =>
      once([student], async () => {
        const body = {
          student_ids: [student.student_id],
          ...(ready && { style_id: ready.style_id }),
        }
        const reply = await stripes
          .mutateAsync({ body })
          .catch(failed('The stripe was not given. Please try again.'))
        const [given] = reply?.students ?? []
        if (reply && given)
          setDone({
            actId: reply.act_id,
            words: `${given.name}: ${rankName(given.rank, 'white')}`,
            ids: [],
          })
      }),
    approve: (student: ReadyStudent) => {
      if (!student.next || approval.isPending) return
      keep()
      const params = { id: student.student_id, rankId: student.next.id }
      approval.mutate(
        { params, body: { approved: !student.is_approved } },
        { onError: failed('That was not saved. Please try again.') },
      )
    },
    /** Those of the act that was taken back stand where they stood, as they were. */
    undone: () => {
      const ids = done?.ids ?? []
      keep((promoted) => {
        for (const id of ids) promoted.delete(id)
      })
    },
  }
}
export type ReadyActs = ReturnType<typeof useReadyActs>

const NOBODY: ReadonlyMap<string, string> = new Map()
