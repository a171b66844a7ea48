import { expect, test } from 'vitest'
import type { ImportField } from './import-fields.ts'
import { readRow } from './rows.ts'
import { readPresence } from './presence.ts'
import { rowReader } from './row-reader.ts'
import { parseBareStatus, parseStatus } from './status.ts'
import { splitInputs } from '../test/split-inputs.ts'

const TODAY = '2026-11-22'

test.each(
  splitInputs([
    'Not active, No longer active, Non-member, Past student, Previous student, Not enrolled',
    'Moved away, Passed away, Never enrolled, Active until 2019, Inactive, Cancelled',
    'Canceled, Former, Former student, Ex-member, Alumni, Left, Left the program, Quit',
    'Dropped, Dropped out, Withdrawn, Terminated, Expired, Lapsed, Deceased, Died, Archived',
    'Deleted, Deactivated, Closed, Graduated, Transferred, Resigned, Unenrolled, Not a member',
    'No membership, Not currently enrolled, Isn’t active, Did not renew, Never joined',
    'Did not join, Not interested, Lead, Prospect, Inactive since 2020, Cancelled 3/4/2020',
    'Membership ended 12/31/2019, Expired 2019, Trial expired, In-active, In active',
    'Past trial, Old trial, Trial over, Trial - no sale, Failed trial, Trial not converted',
    'Completed trial, Free trial used, Trial finished, inaktiv, ehemalig, gekündigt',
    'ausgetreten, inactivo, ancien, kein Mitglied, nicht aktiv, PASSED AWAY, not-active, Past',
    'Nonmember, Member until 2019, No longer a member',
  ]),
)('reads the status %s as left', (text) => {
  expect(parseStatus(text, TODAY)).toBe('left')
})

test.each(
  splitInputs([
    'On hold, Frozen, Freeze, Vacation, Paused, Suspended, On leave, Medical leave',
    'Leave of absence, Away, Hiatus',
  ]),
)('reads the status %s as on vacation', (text) => {
  expect(parseStatus(text, TODAY)).toBe('vacation')
})

test.each(
  splitInputs([
    'Active, active member, Current, Current student, Member, Student, Enrolled, Regular',
    'Paying, Yes, Full member, Active since 2019, Member since 3/4/2020, Active until 2030',
    'Active through 12/31/2026, aktiv, Active (monthly), In good standing, Full-time student',
  ]),
)('reads the status %s as active', (text) => {
  expect(parseStatus(text, TODAY)).toBe('active')
})

test.each(['Trial', 'Trial member', 'Intro', 'Active trial', 'On trial'])(
  'reads the status %s as on trial',
  (text) => {
    expect(parseStatus(text, TODAY)).toBe('trial')
  },
)

test.each(
  splitInputs([
    '1, 0, A, I, No, Pending, Pending cancellation, Cancellation requested, Past due, Overdue',
    'Collections, Guest, Waitlist, Active until 2026, Active until summer',
    'Temporarily inactive, Inactive (on hold), Gold, ?!, Active?? maybe, See notes',
    'Frozen forever, Suspended permanently, Permanent hold, Paused - quitting',
  ]),
)('reads no status from %s', (text) => {
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
])('reads no status from the contradictory %s', (text) => {
  expect(parseStatus(text, TODAY)).toBeNull()
})

test.each([
  'Stopped training',
  'Quit attending',
  'Not an active member',
  'No longer in training',
  'Has never been a member',
  'Inactive student, moved away',
])('reads the sentence %s as left', (text) => {
  expect(parseStatus(text, TODAY)).toBe('left')
})

const readDeparture = (field: 'has_left' | 'left_on' | 'is_active', text: string) =>
  readPresence(rowReader([field], [text], []), { order: 'month-first', today: TODAY }).departure

test('counts a student as gone from the leaving date on, not before', () => {
  expect(readDeparture('left_on', '11/22/2026')).toBe('Left on: 11/22/2026')
  expect(readDeparture('left_on', '25.12.2020')).not.toBeNull()
  for (const day of ['11/23/2026', '12/31/9999', '0000-00-00', '1/1/1900', 'never', ''])
    expect(readDeparture('left_on', day)).toBeNull()
})

test.each(['Yes', 'x', 'last summer', '2021'])(
  'reports a problem for the leaving date %s',
  (text) => {
    const reader = rowReader(['left_on'], [text], ['Cancel Date'])
    expect(readPresence(reader, { order: 'month-first', today: TODAY }).departure).toBeNull()
    expect(reader.problems).toMatchObject([{ field: 'left_on' }])
  },
)

test.each(
  splitInputs([
    'No longer on hold, Not on hold, Off hold, Back from vacation, Returned from leave',
    'Moved to adult class, Graduated to black belt, Left-handed, Left message',
    'left a voicemail 3/4, Cancelled - reactivated, Inactive - rejoined 2025',
    'Moved up to teens, Transferred from Dallas, Transfered from Dallas, Lost his belt',
    'Transferred to Tuesday class, Never cancelled, Has not left, Not cancelled',
    'Lead Instructor, Dropped off by mom, Dropped to basics program, Quit - came back',
    'Cancelled but returned, Promoted to Blue Belt, Graduated high school, Left side injury',
    'Moved here from Austin, Didn’t quit',
  ]),
)('reads the remark %s as neither left nor on vacation', (text) => {
  expect(parseStatus(text, TODAY)).toBeNull()
})

test.each(
  splitInputs([
    'Moved, Moved away, Moved to Dallas, Moved out of state, Graduated, Transferred',
    'Transferred to another school, Lost interest, New Lead, Leads',
  ]),
)('reads the remark %s as left', (text) => {
  expect(parseStatus(text, TODAY)).toBe('left')
})

test.each([
  ['CANCELLED 5/2024', 'left'],
  ['quit', 'left'],
  ['passed away', 'left'],
  ['Former member', 'left'],
  ['Cancelled membership 3/1/24 per mom', 'left'],
  ['Frozen', 'vacation'],
  ['Trial', 'trial'],
  ['quit smoking', null],
  ['her father is deceased', null],
  ['Former Marine', null],
  ['On hold - moving', null],
  ['Past President', null],
  ['Active', null],
  ['Monthly', null],
])('reads %j outside the status column as %j', (text, status) => {
  expect(parseBareStatus(text, TODAY)).toBe(status)
})

const readSheetRow = (cells: Partial<Record<ImportField, string>>) =>
  readRow(Object.keys(cells) as ImportField[], Object.values(cells), {
    order: 'month-first',
    today: TODAY,
    headings: Object.keys(cells),
  })

test.each([
  ['Ken Adams (inactive)', 'Ken Adams'],
  ['Mia Ruiz - quit', 'Mia Ruiz'],
  ['Tom Lee (deceased)', 'Tom Lee'],
  ['Zoe (moved) Fox', 'Zoe Fox'],
  ['*INACTIVE* Mia Ruiz', 'Mia Ruiz'],
  ['Inactive - Tom Lee', 'Tom Lee'],
  ['Ken Adams QUIT', 'Ken Adams'],
  ['Eva Park [cancelled 5/2024]', 'Eva Park'],
  ['Kim Lee - left 2019', 'Kim Lee'],
  ['Dan Poe (former student)', 'Dan Poe'],
  ['Adams, Ken (no longer active)', 'Ken Adams'],
  ['Oda Ray (RIP)', 'Oda Ray'],
])('reads %j as %j, a student who left', (cell, name) => {
  const row = readSheetRow({ name: cell })
  expect([row.person.name, row.departure]).toEqual([name, `name: ${cell}`])
})

test.each([
  ['Robert (Rip) Torn', 'Robert Rip Torn'],
  ['Zoe Fox (Jr. Instructor)', 'Zoe Fox Jr. Instructor'],
  ['Ken (KJ) Adams', 'Ken KJ Adams'],
  ['Flo Ray (left-handed)', 'Flo Ray'],
  ['Gus Ray (moved to adult class)', 'Gus Ray'],
  ['Max Ray (reactivated)', 'Max Ray'],
  ['Jo Left', 'Jo Left'],
  ['Sam Moved', 'Sam Moved'],
  ['Ann Past', 'Ann Past'],
])('reads %j as %j, an active student', (cell, name) => {
  const row = readSheetRow({ name: cell })
  expect([row.person.name, row.departure, row.problems]).toEqual([name, null, []])
})

test('reads a trial or a vacation from the name cell', () => {
  expect(readSheetRow({ name: 'Leo Kim (trial)' }).person).toMatchObject({
    name: 'Leo Kim',
    is_trial: true,
  })
  expect(readSheetRow({ name: 'Ana Diaz - on hold' }).person).toMatchObject({
    name: 'Ana Diaz',
    on_vacation: true,
  })
})

test.each(['quit', 'CANCELLED 5/2024', 'Deceased', 'no longer training', 'Left 6/2022'])(
  'reads the note %j as left',
  (note) => {
    const row = readSheetRow({ name: 'Ken Adams', private_notes: note })
    expect([row.departure, row.person.private_notes]).toEqual([`private_notes: ${note}`, note])
  },
)

test.each(['quit smoking', 'left message', 'moved to Tuesday class', 'retired', 'old injury'])(
  'does not read the note %j as left',
  (note) => {
    expect(readSheetRow({ name: 'Ken Adams', private_notes: note }).departure).toBeNull()
  },
)

test('ignores the reason for leaving until the leaving date', () => {
  const leaving = { name: 'Zoe Fox', left_on: '1/15/2027', left_reason: 'Moving in January' }
  const row = readSheetRow(leaving)
  expect([row.departure, row.person.private_notes]).toEqual([
    null,
    'left_on: 1/15/2027\nleft_reason: Moving in January',
  ])
  const pastLeavingRow = readSheetRow({ ...leaving, left_on: '1/15/2025' })
  expect(pastLeavingRow.departure).toBe('left_on: 1/15/2025')
  expect(readSheetRow({ ...leaving, left_on: '' }).departure).toBe('left_reason: Moving in January')
})

test('reads the class name Inactive as left, not as a class', () => {
  const row = readSheetRow({ name: 'Ken Adams', classes: 'Inactive' })
  expect([row.departure, row.person.classes]).toEqual(['classes: Inactive', []])
})

test.each(
  splitInputs([
    'Parent, Staff, Employee, Lead, Guardian, Mom, Instructor, Non-member parent, Prospect',
    'Emergency contact',
  ]),
)('does not count the member type %s as a student', (type) => {
  expect(readSheetRow({ name: 'Ann Adams', member_type: type })).toMatchObject({
    otherRole: `member_type: ${type}`,
    departure: null,
  })
})

test.each(
  splitInputs([
    'Student, Member, Adult, Kids, Student & Parent, Parent/Member',
    'Junior Instructor (student), VIP, Gold',
  ]),
)('counts the member type %s as a student', (type) => {
  const row = readSheetRow({ name: 'Ken Adams', member_type: type })
  expect([row.otherRole, row.departure, row.problems]).toEqual([null, null, []])
})
