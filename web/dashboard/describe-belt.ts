import { BELTS, type Belt } from '@tatami/contract/lib/ranks'
import { formatDate } from '../lib/dates.ts'
import { capitalize, pluralize } from '../lib/text.ts'

/** "Green belt since May 3, 2027, 24 classes; next is blue", or "Green belt, next is blue" */
export function describeBelt(
  belt: Belt,
  progress: { since: string; classes: number } | null,
): string {
  const next = BELTS[BELTS.indexOf(belt) + 1]
  const name = `${capitalize(belt)} belt`
  if (!progress) return `${name}${next ? `, next is ${next}` : ''}`
  const { since, classes } = progress
  const classCount = pluralize(classes, 'class', 'classes')
  return `${name} since ${formatDate(since)}, ${classCount}${next ? `; next is ${next}` : ''}`
}
