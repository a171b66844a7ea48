import { z } from 'zod'
import {
  calendarDate,
  clearable,
  emptyAsUndefined,
  flag,
  oneOf,
  singleLineText,
} from '../lib/fields.ts'
import { MONEY_RIGHTS, hiddenWithout } from '../rights.ts'

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

export const LAST_DAY_IN_FUTURE = 'The last day must not be after today'

export const leaving = z.object({
  left_on: calendarDate('Last day'),
  reason: oneOf('Reason', LEAVE_REASONS),
  note: clearable(singleLineText('Note', 200)),
  /** Unless this is true, the student still owes their debts. */
  writes_off_debts: emptyAsUndefined(flag('Write off')),
})
export type Leaving = z.output<typeof leaving>

/** Refuses a last day in the future. Only the caller knows today's date in the dojo. */
export const leavingWithLatestDay = (today: string) =>
  leaving.refine(({ left_on }) => left_on <= today, {
    error: LAST_DAY_IN_FUTURE,
    path: ['left_on'],
    // Checks the last day even if another field is invalid.
    when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
  })

const idAndName = z.object({ id: z.uuid(), name: z.string() })

const planOnLeaving = idAndName.extend({
  /** The last day of a minimum term that leaving breaks. */
  bound_until: z.string().nullable(),
  /** What is due last and not paid yet. */
  last_payment: hiddenWithout(
    MONEY_RIGHTS,
    z.object({ due_on: z.string(), amount: z.number() }).nullable(),
    null,
  ),
  /** What was paid for later days. It becomes credit. */
  credit: hiddenWithout(MONEY_RIGHTS, z.number(), 0),
})
export type PlanOnLeaving = z.output<typeof planOnLeaving>

export const leavingDay = z.object({
  /** The last day. Left out, today. */
  left_on: calendarDate('Last day').optional(),
})

/** What ends when a student leaves, and what remains. Amounts are in dollars. */
export const leavingImpact = z.object({
  classes: z.array(idAndName),
  /** The plans that end. A student has at most one that is no add-on at a time. */
  plans: z.array(planOnLeaving),
  /** Planned belt tests from which the student is removed. */
  gradings: z.array(idAndName),
  /** The number of upcoming class dates with a place or a waitlist entry of the student. */
  places: z.number(),
  has_pin: z.boolean(),
  /** `ends`: the student can no longer log in. `stays`: they still can, as a guardian. */
  log_in: z.enum(['none', 'ends', 'stays']),
  /** Guardians with a login and no other student. They can still log in. */
  guardians: z.array(idAndName),
  /** Siblings whose monthly price changes next month. */
  sibling_prices: hiddenWithout(
    MONEY_RIGHTS,
    z.array(idAndName.extend({ before: z.number(), after: z.number() })),
    [],
  ),
  /** What the student owes already. Leaving this month adds `owed_this_month`. */
  owed: hiddenWithout(MONEY_RIGHTS, z.number(), 0),
  owed_this_month: hiddenWithout(MONEY_RIGHTS, z.number(), 0),
  credit: hiddenWithout(MONEY_RIGHTS, z.number(), 0),
  /** `ends`: autopay ends with the payer's last student. `goes_on`: it pays for other students. */
  autopay: hiddenWithout(MONEY_RIGHTS, z.enum(['none', 'ends', 'goes_on']), 'none'),
})
export type LeavingImpact = z.output<typeof leavingImpact>
