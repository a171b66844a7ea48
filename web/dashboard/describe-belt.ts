import { BELTS, type Belt, type HeldRank } from '@tatami/contract/lib/ranks'
import { formatDate } from '../lib/dates.ts'
import { capitalize, pluralize } from '../lib/text.ts'
import { rankName } from '../ui/rank-name.ts'

/** Returns for example "Green belt since May 3, 2027, 24 classes; next is blue", or without
 *  progress "Green belt, next is blue". */
export function describeBelt(
  belt: Belt,
  progress: { since: string; classes: number } | null,
): string {
  const nextBelt = BELTS[BELTS.indexOf(belt) + 1]
  const name = `${capitalize(belt)} belt`
  if (!progress) return nextBelt ? `${name}, next is ${nextBelt}` : name
  const startDate = formatDate(progress.since)
  const classCount = pluralize(progress.classes, 'class', 'classes')
  const text = `${name} since ${startDate}, ${classCount}`
  return nextBelt ? `${text}; next is ${nextBelt}` : text
}

/** Returns for example "Ken now wears the orange belt" or "Ken now holds 8th kyu". */
export function describeNewBelt(givenName: string, rank: HeldRank): string {
  const name = rankName(rank)
  return name.endsWith(' belt')
    ? `${givenName} now wears the ${name.charAt(0).toLowerCase()}${name.slice(1)}`
    : `${givenName} now holds ${name}`
}
