import { z } from 'zod'
import {
  calendarDate,
  clearable,
  emptyAsUndefined,
  flag,
  oneOf,
  singleLineText,
} from '../lib/fields.ts'

export const LEAVE_REASONS = [
  'moved_away',
  'cost',
  'schedule',
  'injury_or_health',
  'lost_interest',
  'another_school',
  'other',
] as const
export type LeaveReason = (typeof LEAVE_REASONS)[number]

export const LEAVE_REASON_LABELS: Record<LeaveReason, string> = {
  moved_away: 'Moved away',
  cost: 'Cost',
  schedule: 'Schedule',
  injury_or_health: 'Injury or health',
  lost_interest: 'Lost interest',
  another_school: 'Another school',
  other: 'Other',
}

export const LEAVES_AFTER_TODAY = 'The last day must not be after today'

export const leaving = z.object({
  left_on: calendarDate('Last day'),
  reason: oneOf('Reason', LEAVE_REASONS),
  note: clearable(singleLineText('Note', 200)),
  /** Without it, the student goes on owing what they owe. */
  writes_off_debts: emptyAsUndefined(flag('Write off')),
})
export type Leaving = z.output<typeof leaving>

/** Adds the rule that nobody leaves in the future. Only the caller knows the dojo's today. */
export const leavingUntil = (today: string) =>
  leaving.refine(({ left_on }) => left_on <= today, {
    error: LEAVES_AFTER_TODAY,
    path: ['left_on'],
    when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
  })

const namedRow = z.object({ id: z.uuid(), name: z.string() })

/** What ends when a student leaves, and what stays. Amounts are in dollars. */
export const leavingImpact = z.object({
  classes: z.array(namedRow),
  /** Planned belt tests from which the student is removed. */
  gradings: z.array(namedRow),
  /** Dates on which the student has a place or waits for one. */
  places: z.number(),
  has_pin: z.boolean(),
  /** `ends`: the student can no longer log in. `stays`: they still do, as a guardian. */
  log_in: z.enum(['none', 'ends', 'stays']),
  /** Guardians with a login and no other student. They can still log in. */
  guardians: z.array(namedRow),
  /** Siblings whose monthly price changes next month. */
  sibling_prices: z.array(namedRow.extend({ before: z.number(), after: z.number() })),
  /** What stays owed. The current month is owed as well if the student leaves in it. */
  owed: z.number(),
  owed_this_month: z.number(),
  credit: z.number(),
})
export type LeavingImpact = z.output<typeof leavingImpact>
