import type { Followup } from '@tatami/contract/followups/followups'
import { PLAN_DAYS } from '@tatami/contract/followups/plan-day'
import type { StepCondition, StepKind } from '@tatami/contract/followups/steps'
import { formatDate } from '../lib/dates.ts'
import { joinNonEmpty } from '../lib/text.ts'

export const KIND_NAMES: Record<StepKind, string> = {
  look: 'In class',
  call: 'Call',
  text: 'Automatic text',
  note: 'Note',
}

export const CONDITION_NAMES: Record<StepCondition, string> = {
  always: 'Always',
  few_classes: 'After fewer than 3 classes',
  away: 'After a week without a class',
}

export const describePlanDay = (day: number): string => `Day ${day} of ${PLAN_DAYS}`

/** "Done Mar 3, 2026 by Aiko", or why a step was skipped. Open steps have no text. */
export function describeClosing(step: Followup): string {
  const { state, closed_on, closed_by_name, skipped_why } = step
  if (state === 'open') return step.is_due ? 'Due' : ''
  const doneText = step.kind === 'text' ? 'Sent' : 'Done'
  return joinNonEmpty(
    [
      joinNonEmpty([state === 'done' ? doneText : 'Skipped', closed_on && formatDate(closed_on)]),
      closed_by_name && `by ${closed_by_name}`,
      skipped_why,
    ],
    ' · ',
  )
}
