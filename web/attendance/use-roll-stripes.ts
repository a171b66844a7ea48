import { type Belts, beltsApi, type Style } from '@tatami/contract/belts/belts'
import type { HeldRank } from '@tatami/contract/lib/ranks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCan } from '../lib/current-user.ts'
import { today } from '../lib/dates.ts'
import { useOldestCopyTime } from '../lib/offline.ts'
import { endpointQuery } from '../lib/query.ts'

/** A stripe that was given on this roll. `name` is the student's. Undo reverses the act. */
export type GivenStripe = { actId: string; name: string; rank: HeldRank }

/** Finds the style that a class teaches. A class without a style teaches the main style. */
const findStyleOfClass = ({ styles }: Belts, classId: string) =>
  styles.find(({ class_ids }) => class_ids.includes(classId)) ??
  styles.find(({ is_main }) => is_main)

const hasStripes = ({ ladders }: Style) =>
  ladders.some(({ ranks }) => ranks.some(({ stripes }) => stripes > 0))

/** A stripe always gets today's date and needs a network, so only today's roll offers stripes. The
 *  style must have a belt with stripes. */
function useStripedStyle(classId: string, day: string): Style | undefined {
  const canGiveStripes = useCan()(['belts.grade', 'belts.promote'])
  const isOffline = useOldestCopyTime() !== undefined
  const isOffered = canGiveStripes && !isOffline && classId !== '' && day === today()
  const { data: belts } = useQuery({ ...endpointQuery(beltsApi.show), enabled: isOffered })
  const style = isOffered && belts ? findStyleOfClass(belts, classId) : undefined
  return style && hasStripes(style) ? style : undefined
}

export function useRollStripes(classId: string, day: string) {
  const style = useStripedStyle(classId, day)
  const [isOpen, setOpen] = useState(false)
  const [stripesByKey, setStripesByKey] = useState<ReadonlyMap<string, GivenStripe>>(new Map())
  const [lastStripe, setLastStripe] = useState<GivenStripe | undefined>()
  const stripeKey = (studentId: string) => `${style?.id} ${studentId}`
  return {
    style,
    isOpen: isOpen && style !== undefined,
    setOpen,
    lastStripe,
    findGivenStripe: (studentId: string) => stripesByKey.get(stripeKey(studentId)),
    /** `stripe` is undefined after an undo. */
    recordStripe: (studentId: string, stripe: GivenStripe | undefined) => {
      setLastStripe(stripe)
      setStripesByKey((stripes) => {
        const changedStripes = new Map(stripes)
        if (stripe) changedStripes.set(stripeKey(studentId), stripe)
        else changedStripes.delete(stripeKey(studentId))
        return changedStripes
      })
    },
  }
}
export type RollStripes = ReturnType<typeof useRollStripes>
