import { describeMissing } from '@tatami/contract/belts/eligibility'
import type { Greeting } from '@tatami/contract/kiosk/kiosk'
import { formatMonthAndDay } from '../lib/dates.ts'
import { rankName } from '../ui/rank-name.ts'

const rankInSentence = (name: string) => (/\bbelt\b/i.test(name) ? name.toLowerCase() : name)

/** "34 classes since yellow belt", or null if it is unknown since when */
export function progressWords({ progress }: Greeting): string | null {
  if (!progress) return null
  const { classes, rank, belt_level } = progress
  const classCount = `${classes} ${classes === 1 ? 'class' : 'classes'}`
  return `${classCount} since ${rankInSentence(rankName(rank, belt_level))}`
}

/** "Still missing for orange belt: 2 classes, approval" */
export function missingForNext({
  next,
  missing,
  is_ready,
  instructor_decides,
}: Greeting): string | null {
  if (!next) return null
  if (instructor_decides) return `Next: ${rankName(next)}. Your instructor decides when`
  const name = rankInSentence(rankName(next))
  if (missing.length > 0)
    return `Still missing for ${name}: ${describeMissing(missing, formatMonthAndDay)}`
  return is_ready ? `Ready for ${name}` : null
}

const list = (names: readonly string[]) =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

export const welcomeWords = (names: readonly string[]): string =>
  names.length > 0 ? `Welcome, ${list(names)}!` : 'Welcome!'
