import type { PromotionPreview } from '@tatami/contract/belts/promotions'
import { pluralize } from '../lib/text.ts'

const MAX_NAMES = 6

/** "Will be notified in the app: Ken, Ann. No one will be notified about 2 students." */
export function describeNotified({ students }: PromotionPreview): string {
  const namesByStudent = students.map(({ told }) => told)
  const names = [...new Set(namesByStudent.flat())]
  if (names.length === 0) return 'No one will be notified.'
  const listedNames = names.slice(0, MAX_NAMES).join(', ')
  const moreText = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ''
  const unnotifiedCount = namesByStudent.filter(({ length }) => length === 0).length
  const unnotifiedText =
    unnotifiedCount > 0
      ? ` No one will be notified about ${pluralize(unnotifiedCount, 'student')}.`
      : ''
  return `Will be notified in the app: ${listedNames}${moreText}.${unnotifiedText}`
}
