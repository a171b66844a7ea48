import { BELTS, type Belt, type HeldRank } from '@tatami/contract/lib/ranks'
import { formatDate } from '../lib/dates.ts'
import { capitalize, pluralize } from '../lib/text.ts'
import { rankName } from '../ui/rank-name.ts'

/** "Green belt since May 3, 2027, 24 classes; next is blue", or "Green belt, next is blue" */
export function describeBelt(
  belt: Belt,
  progress: { since: string; classes: number } | null,
): string {
  const nextBelt = BELTS[BELTS.indexOf(belt) + 1]
  const name = `${capitalize(belt)} belt`
  if (!progress) return `${name}${nextBelt ? `, next is ${nextBelt}` : ''}`
  const { since, classes } = progress
  const classCount = pluralize(classes, 'class', 'classes')
  const nextText = nextBelt ? `; next is ${nextBelt}` : ''
  return `${name} since ${formatDate(since)}, ${classCount}${nextText}`
}

/** "Ken now wears the orange belt", or "Ken now holds 8th kyu" */
export function describeNewBelt(givenName: string, rank: HeldRank): string {
  const name = rankName(rank)
  return name.endsWith(' belt')
    ? `${givenName} now wears the ${name.charAt(0).toLowerCase()}${name.slice(1)}`
    : `${givenName} now holds ${name}`
}
