import type { PromotionPreview } from '@tatami/contract/belts/promotions'
import { pluralize } from '../lib/text.ts'

const MAX_NAMES = 6

/** Who gets a notice, by name: "Will be notified in the app: Ken Adams, Anna Adams. Nobody is notified about 2 students." */
export function toldWords({ students }: PromotionPreview): string {
  const names = [...new Set(students.flatMap(({ told }) => told))]
  const untold = students.filter(({ told }) => told.length === 0).length
  if (names.length === 0) return 'Nobody is notified.'
  const listedNames = names.slice(0, MAX_NAMES).join(', ')
  const moreWords = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ''
  const untoldWords = untold > 0 ? ` Nobody is notified about ${pluralize(untold, 'student')}.` : ''
  return `Will be notified in the app: ${listedNames}${moreWords}.${untoldWords}`
}
