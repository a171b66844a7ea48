import type { PromotionPreview } from '@tatami/contract/belts/promotions'
import { pluralize } from '../lib/text.ts'

const MAX_NAMES = 6

/** "Will be notified in the app: Ken Adams, Anna Adams. Nobody is notified about 2 students." */
export function describeNotified({ students }: PromotionPreview): string {
  const names = [...new Set(students.flatMap(({ told }) => told))]
  if (names.length === 0) return 'Nobody is notified.'
  const firstNames = names.slice(0, MAX_NAMES).join(', ')
  const moreNames = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ''
  const silentCount = students.filter(({ told }) => told.length === 0).length
  const exception =
    silentCount > 0 ? ` Nobody is notified about ${pluralize(silentCount, 'student')}.` : ''
  return `Will be notified in the app: ${firstNames}${moreNames}.${exception}`
}
