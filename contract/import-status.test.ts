import { expect, test } from 'vitest'
import { readPresence } from './import-presence.ts'
import { rowReader } from './import-row-reader.ts'
import { parseStatus } from './import-status.ts'

const TODAY = '2026-11-22'

test.each(
  [
    'Not active, No longer active, Non-member, Past student, Previous student, Not enrolled, Moved away, Passed away, Never enrolled, Active until 2019',
    'Inactive, Cancelled, Canceled, Former, Former student, Ex-member, Alumni, Left, Left the program, Quit, Dropped, Dropped out, Withdrawn, Terminated, Expired, Lapsed',
    'Deceased, Died, Archived, Deleted, Deactivated, Closed, Graduated, Transferred, Resigned, Unenrolled, Not a member, No membership, Not currently enrolled, Isn’t active',
    'Did not renew, Never joined, Did not join, Not interested, Lead, Prospect, Inactive since 2020, Cancelled 3/4/2020, Membership ended 12/31/2019, Expired 2019, Trial expired',
    'In-active, In active, Past trial, Old trial, Trial over, Trial - no sale, Failed trial, Trial not converted, Completed trial, Free trial used, Trial finished',
    'inaktiv, ehemalig, gekündigt, ausgetreten, inactivo, ancien, kein Mitglied, nicht aktiv, PASSED AWAY, not-active, Past, Nonmember, Member until 2019, No longer a member',
  ].flatMap((line) => line.split(', ')),
)('%s has left', (text) => {
  expect(parseStatus(text, TODAY)).toBe('left')
})

test.each(
  'On hold, Frozen, Freeze, Vacation, Paused, Suspended, On leave, Medical leave, Leave of absence, Away, Hiatus'.split(
    ', ',
  ),
)('%s is on vacation', (text) => {
  expect(parseStatus(text, TODAY)).toBe('vacation')
})

test.each(
  'Active, active member, Current, Current student, Member, Student, Enrolled, Regular, Paying, Yes, Full member, Active since 2019, Member since 3/4/2020, Active until 2030, Active through 12/31/2026, aktiv, Active (monthly), In good standing, Full-time student'.split(
    ', ',
  ),
)('%s trains', (text) => {
  expect(parseStatus(text, TODAY)).toBe('active')
})

test.each(['Trial', 'Trial member', 'Intro', 'Active trial', 'On trial'])(
  '%s is on trial',
  (text) => {
    expect(parseStatus(text, TODAY)).toBe('trial')
  },
)

test.each(
  '1, 0, A, I, No, Pending, Pending cancellation, Cancellation requested, Past due, Overdue, Collections, Guest, Waitlist, Active until 2026, Active until summer, Temporarily inactive, Inactive (on hold), Gold, ?!, Active?? maybe, See notes, Frozen forever, Suspended permanently, Permanent hold, Paused - quitting'.split(
    ', ',
  ),
)('%s is not clear', (text) => {
  expect(parseStatus(text, TODAY)).toBeNull()
})

test.each([
  'Active - past student of month',
  'Active, moved to adult class',
  'Active (former instructor)',
  'Currently enrolled, transferred from Austin',
  'Cancelled - active',
  'Not paying, active',
  'Non-paying active member',
])('%s says two things, and is asked about', (text) => {
  expect(parseStatus(text, TODAY)).toBeNull()
})

test.each([
  'Stopped training',
  'Quit attending',
  'Not an active member',
  'No longer in training',
  'Has never been a member',
  'Inactive student, moved away',
])('%s has left beyond doubt', (text) => {
  expect(parseStatus(text, TODAY)).toBe('left')
})

const departureOf = (field: 'has_left' | 'left_on' | 'is_active', text: string) =>
  readPresence(rowReader([field], [text], []), { order: 'month-first', today: TODAY }).departure

test('somebody has left by the day itself, and not before', () => {
  expect(departureOf('left_on', '11/22/2026')).toBe('Left on: 11/22/2026')
  expect(departureOf('left_on', '25.12.2020')).not.toBeNull()
  for (const day of ['11/23/2026', '12/31/9999', '0000-00-00', '1/1/1900', 'never', ''])
    expect(departureOf('left_on', day)).toBeNull()
})

test.each(['Yes', 'x', 'last summer', '2021'])(
  'a day of leaving that says %s is asked about',
  (text) => {
    const reader = rowReader(['left_on'], [text], ['Cancel Date'])
    expect(readPresence(reader, { order: 'month-first', today: TODAY }).departure).toBeNull()
    expect(reader.problems).toMatchObject([{ field: 'left_on' }])
  },
)
