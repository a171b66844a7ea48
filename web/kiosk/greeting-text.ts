import { describeMissing } from '@tatami/contract/belts/eligibility'
import type { Greeting } from '@tatami/contract/kiosk/kiosk'
import { formatMonthAndDay } from '../lib/dates.ts'
import { rankName } from '../ui/rank-name.ts'

/** Turns "Yellow Belt" into "yellow belt", but leaves "1st Dan" as it is. */
const toLowerCaseBelt = (name: string) => (/\bbelt\b/i.test(name) ? name.toLowerCase() : name)

/** Returns for example "34 classes since yellow belt", or null if the date of the belt is
 *  unknown. */
export function describeProgress({ progress }: Greeting): string | null {
  if (!progress) return null
  const { classes, rank, belt_level } = progress
  const classCount = `${classes} ${classes === 1 ? 'class' : 'classes'}`
  return `${classCount} since ${toLowerCaseBelt(rankName(rank, belt_level))}`
}

/** Returns for example "Still missing for orange belt: 2 classes, approval". */
export function describeNextRank({
  next,
  missing,
  is_ready,
  instructor_decides,
}: Greeting): string | null {
  if (!next) return null
  if (instructor_decides) return `Next: ${rankName(next)}. Your instructor decides when it’s time.`
  const name = toLowerCaseBelt(rankName(next))
  if (missing.length > 0)
    return `Still missing for ${name}: ${describeMissing(missing, formatMonthAndDay)}`
  return is_ready ? `Ready for ${name}` : null
}

const joinNames = (names: readonly string[]) =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

export const formatWelcome = (names: readonly string[]): string =>
  names.length > 0 ? `Welcome, ${joinNames(names)}!` : 'Welcome!'
