import { addDays, daysBetween } from '../lib/calendar-day.ts'

/** A pause of a subscription, as far as it changes what is owed:
 *  - `free` and `prorated`: the days on hold cost nothing,
 *  - `fee`: the days on hold cost their part of `fee_cents` instead of the price,
 *  - `full`: the full price stays due.
 *  `until` is the last day, or null while nobody knows it. */
export type BilledHold = {
  from: string
  until: string | null
  billing: 'free' | 'prorated' | 'full' | 'fee'
  fee_cents: number
  /** The subscription ends later, by the days of the hold. */
  moves_end: boolean
}

/** Both days belong to it. */
export type DayRange = { from: string; until: string }

export const countDays = ({ from, until }: DayRange): number =>
  Math.max(0, daysBetween(from, until) + 1)

/** True if a day on hold costs its part of the price all the same. */
export const isPaidOnHold = ({ billing }: BilledHold): boolean => billing === 'full'

export const coversDay = (
  { from, until }: Pick<BilledHold, 'from' | 'until'>,
  day: string,
): boolean => from <= day && (until === null || day <= until)

export const overlaps = (hold: BilledHold, { from, until }: DayRange): boolean =>
  hold.from <= until && (hold.until === null || from <= hold.until)

/** Splits days where a hold starts or ends, so that each part is on the same holds throughout. */
export function splitByHolds(
  holds: readonly Pick<BilledHold, 'from' | 'until'>[],
  { from: firstDay, until: lastDay }: DayRange,
): DayRange[] {
  const changeDays = holds
    .flatMap((hold) => (hold.until === null ? hold.from : [hold.from, addDays(hold.until, 1)]))
    .filter((day) => day > firstDay && day <= lastDay)
  const firstDays = [...new Set([firstDay, ...changeDays])].toSorted()
  return firstDays.map((day, index) => {
    const nextDay = firstDays[index + 1]
    return { from: day, until: nextDay === undefined ? lastDay : addDays(nextDay, -1) }
  })
}

/** If holds overlap, the one that is best for the member applies. */
const BEST_FIRST = ['prorated', 'free', 'fee', 'full'] as const

export function holdOnDay(holds: readonly BilledHold[], day: string): BilledHold | null {
  const holdsOnDay = holds.filter((hold) => coversDay(hold, day))
  holdsOnDay.sort(
    (a, b) =>
      BEST_FIRST.indexOf(a.billing) - BEST_FIRST.indexOf(b.billing) || a.fee_cents - b.fee_cents,
  )
  return holdsOnDay[0] ?? null
}

/** The last day of a subscription after its holds have moved it, unless it is final. Null if it
 *  has no end, or if a hold that moves it has no end yet. A day that belongs to two holds counts
 *  once. */
export function endAfterHolds({
  starts_on,
  ends_on,
  end_is_final,
  holds,
}: {
  starts_on: string
  ends_on: string | null
  end_is_final?: boolean
  holds: readonly Pick<BilledHold, 'from' | 'until' | 'moves_end'>[]
}): string | null {
  if (ends_on === null || end_is_final) return ends_on
  const movingHolds = holds
    .filter(({ moves_end, until }) => moves_end && (until === null || until >= starts_on))
    .toSorted((a, b) => (a.from < b.from ? -1 : 1))
  let end = ends_on
  let nextUncountedDay = starts_on
  for (const hold of movingHolds) {
    if (hold.from > end) break
    if (hold.until === null) return null
    const firstDay = hold.from > nextUncountedDay ? hold.from : nextUncountedDay
    const heldDays = countDays({ from: firstDay, until: hold.until })
    if (heldDays === 0) continue
    end = addDays(end, heldDays)
    nextUncountedDay = addDays(hold.until, 1)
  }
  return end
}
