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

export const LEAVES_AFTER_TODAY = 'The last day must not be after today'

export const leaving = z.object({
  left_on: calendarDate('Last day'),
  reason: oneOf('Reason', LEAVE_REASONS),
  note: clearable(singleLineText('Note', 200)),
  /** Unless it is true, the student still owes what they owed before. */
  writes_off_debts: emptyAsUndefined(flag('Write off')),
})
export type Leaving = z.output<typeof leaving>

/** Adds the rule that the last day is not in the future. The caller knows the dojo's time zone. */
export const leavingNotAfter = (today: string) =>
  leaving.refine(({ left_on }) => left_on <= today, {
    error: LEAVES_AFTER_TODAY,
    path: ['left_on'],
    // Checks the day even if another field is not valid.
    when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
  })

const namedRow = z.object({ id: z.uuid(), name: z.string() })

/** What ends when a student leaves, and what remains. Amounts are in dollars. */
export const leavingImpact = z.object({
  classes: z.array(namedRow),
  /** Planned belt tests from which the student is removed. */
  gradings: z.array(namedRow),
  /** How many upcoming class dates the student has a place in, or is waiting for one. */
  places: z.number(),
  has_pin: z.boolean(),
  /** `ends`: the student can no longer log in. `stays`: they still can, as a guardian. */
  log_in: z.enum(['none', 'ends', 'stays']),
  /** Guardians with a login and no other student. They can still log in. */
  guardians: z.array(namedRow),
  /** Siblings whose monthly price changes next month. */
  sibling_prices: hiddenWithout(
    MONEY_RIGHTS,
    z.array(namedRow.extend({ before: z.number(), after: z.number() })),
    [],
  ),
  /** What the student owes already. `owed_this_month` comes on top if they leave this month. */
  owed: hiddenWithout(MONEY_RIGHTS, z.number(), 0),
  owed_this_month: hiddenWithout(MONEY_RIGHTS, z.number(), 0),
  credit: hiddenWithout(MONEY_RIGHTS, z.number(), 0),
})
export type LeavingImpact = z.output<typeof leavingImpact>
