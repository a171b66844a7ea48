import {
  OUTCOME_DAYS,
  RETURN_DAYS,
  type SlippingAway,
  type SlippingList,
  type SlippingStudent,
} from '@tatami/contract/slipping-away/slipping-away'
import { formatDate } from '../lib/dates.ts'
import { pluralize } from '../lib/text.ts'

export const LIST_LABELS: Record<SlippingList, string> = {
  days_7_to_14: '7–14 days',
  days_15_to_21: '15–21 days',
  days_22_to_30: '22–30 days',
  over_30_days: 'Over 30 days',
  coming_less: 'Coming less',
  trial: 'Trial',
}

/** "Jun 20, 2026 · 10 days", or "Never came in 10 days", counted since the student joined */
export const describeLastClass = ({ last_class_on, days }: SlippingStudent) =>
  last_class_on
    ? `${formatDate(last_class_on)} · ${pluralize(days, 'day')}`
    : `Never came in ${pluralize(days, 'day')}`

/** "8 → 5 classes (−38%)", only for students who come less often */
export function describeAttendanceDrop({
  lists,
  classes_before,
  classes_since,
}: SlippingStudent): string | undefined {
  if (!lists.includes('coming_less')) return undefined
  const percent = Math.round(((classes_before - classes_since) / classes_before) * 100)
  return `${classes_before} → ${classes_since} classes (−${percent}%)`
}

/** "Of 12 students texted, 7 came back within 14 days. 2 still have time." */
export function describeOutcome({
  texted,
  came_back,
  still_open,
}: SlippingAway['outcome']): string {
  const openText =
    still_open === 0 ? '' : ` ${still_open} still ${still_open === 1 ? 'has' : 'have'} time.`
  return `Of ${pluralize(texted, 'student')} texted, ${came_back} came back within ${RETURN_DAYS} days.${openText}`
}
export const OUTCOME_NOTE = `Over the last ${OUTCOME_DAYS} days.`

/** Suggests a text to send. The server replaces {name}. */
export function suggestText(students: readonly SlippingStudent[], dojoName: string | null): string {
  const atDojo = dojoName ? ` at ${dojoName}` : ''
  if (students.every(({ lists }) => lists.includes('trial')))
    return `Hi {name}, would you like to come to a class${atDojo} this week? We’d love to see you.`
  return `Hi {name}, we have missed you${atDojo}. Will we see you in class this week?`
}
