import { expect, test } from 'vitest'
import type { ImportField } from './import-fields.ts'
import { parsePhone } from './phones.ts'
import { readRow } from './rows.ts'

const OPTIONS = { order: 'month-first', today: '2026-11-22' } as const
function readStudent(cells: Partial<Record<ImportField, string>>) {
  const fields = Object.keys(cells) as ImportField[]
  return readRow(['name', ...fields], ['Ken Adams', ...Object.values(cells)], OPTIONS)
}

test.each([
  ['a@x1.com; b@x1.com', 'a@x1.com'],
  ['j@x10.com/k@x10.com', 'j@x10.com'],
  ['a@x1.com, b@x1.com', 'a@x1.com'],
  ['a@x1.com or b@x1.com', 'a@x1.com'],
  ['i@x9.com (mom)', 'i@x9.com'],
  ['n@x13.com - unsubscribed', 'n@x13.com'],
  ['Mom: i@x9.com', 'i@x9.com'],
  ['old@x.com (old); new@x.com', 'new@x.com'],
  ['bounced: l@x11.com', null],
  ['l@x11.com - do not use', null],
])('reads the email cell %j as %j, and saves the whole cell in the notes', (text, email) => {
  const { person, notices, problems } = readStudent({ email: text })
  expect([person.email, person.private_notes, problems]).toEqual([email, `Email: ${text}`, []])
  expect(notices).toMatchObject([{ field: 'email' }])
})

test.each([
  ['Ken <ken@x2.com>', 'ken@x2.com'],
  ['mailto:c@x3.com', 'c@x3.com'],
  ['g@x7.com.', 'g@x7.com'],
  ['“m@x12.com”', 'm@x12.com'],
  ['H@X8.COM', 'h@x8.com'],
])('cleans the email %j to %j', (text, email) => {
  const { person, notices } = readStudent({ email: text })
  expect([person.email, person.private_notes, notices]).toEqual([email, null, []])
})

test.each(['no email', 'No', 'TBD', 'declined', 'same as father', 'does not have one'])(
  'imports a student with %j instead of an email',
  (text) => {
    const { person, problems, notices } = readStudent({ email: text })
    expect([person.email, problems, notices.length]).toEqual([null, [], 1])
  },
)

test.each(['f at x6.com', 'e@x5', 'OWNER'])('reports a problem for the email %j', (text) => {
  expect(readStudent({ email: text }).problems).toMatchObject([{ field: 'email' }])
})

test.each([
  'disconnected 512-555-1420',
  '512-555-1421 wrong number',
  '512-555-1421 (not in service)',
  'old: 512-555-1421',
  'fax 512-555-1421',
  'no longer in service 512-555-1421',
  'WRONG # 512-555-1421',
])('saves the unusable phone %j in the notes', (text) => {
  const { person, notices } = readStudent({ phone_number: text })
  expect([person.phone_number, person.private_notes]).toEqual([null, `Phone: ${text}`])
  expect(notices).toEqual([
    {
      field: 'phone_number',
      message: `“${text}” is not used: saved in notes`,
      kind: 'no_texts',
    },
  ])
})

test.each([
  ['512-555-0001 (old) / 512-555-0009', '512-555-0009'],
  ['wrong number 512-555-0001; 512-555-0009', '512-555-0009'],
  ['H:512-555-1404 C:512-555-1405', '512-555-1405'],
  ['Home: 512-555-1404 Cell: 512-555-1405', '512-555-1405'],
  ['512-555-1417?', '512-555-1417'],
])('reads the phone cell %j as %j', (text, number) => {
  expect(parsePhone(text)).toMatchObject({ number, hasMore: true, isOutOfUse: false })
})

test.each([
  'No Belt',
  'none',
  'no rank yet',
  'Unranked',
  'not ranked',
  'no belt yet',
  'n/a',
  'Beginner',
  '0',
])('reads the belt %j as no belt, without reporting a problem', (text) => {
  const { person, problems } = readStudent({ belt_level: text })
  expect([person.belt_level, problems]).toEqual([null, []])
})

test.each([
  ['Thu Mar 14 2013 00:00:00 GMT-0600', '2013-03-14'],
  ['Thu Mar 14 2013 00:00:00 GMT-0600 (Central Standard Time)', '2013-03-14'],
  ['2013-03-14T06:00:00.000Z', '2013-03-14'],
  ['3/14/2013 12:00:00 AM CST', '2013-03-14'],
  ['2013-03-14 00:00:00+00:00', '2013-03-14'],
  ['2013-03-14 00:00:00 UTC', '2013-03-14'],
  ["3/14/'13", '2013-03-14'],
  ['11/12/1911', '1911-11-12'],
  ['11/11/11', '2011-11-11'],
])('reads the birthday %j as %s', (text, date) => {
  expect(readStudent({ date_of_birth: text })).toMatchObject({
    person: { date_of_birth: date },
    notices: [],
  })
})

test.each(['11/11/1911', '11-11-1911', '1911-11-11', '11/11/1911 0:00:00'])(
  'reads the placeholder %j as no birthday',
  (text) => {
    const { person, notices } = readStudent({ date_of_birth: text })
    expect([person.date_of_birth, notices]).toMatchObject([null, [{ kind: 'no_birthday' }]])
  },
)

test('turns an en dash or a minus sign in a name into a hyphen', () => {
  const cells = ['Mary Smith–Jones', 'Ann Smith–Jones', 'Eva Smith−Jones']
  const columns = ['name', 'guardian_name', 'emergency_contact_name'] as const
  expect(readRow(columns, cells, OPTIONS).person).toMatchObject({
    name: 'Mary Smith-Jones',
    emergency_contact_name: 'Eva Smith-Jones',
    guardians: [{ name: 'Ann Smith-Jones' }],
  })
})

test('reads -1 as yes, as Microsoft Access writes it', () => {
  expect(readStudent({ is_active: '-1' })).toMatchObject({ departure: null, problems: [] })
  expect(readStudent({ has_left: '-1' }).departure).toBe('Left: -1')
  expect(readStudent({ phone_number: '512-555-0142', no_texts: '-1' }).rowOptOut).toBe(
    'Do not text: -1',
  )
})

test.each(['STOP', 'DO NOT TEXT', 'no texts please', 'Opted out', 'unsubscribed'])(
  'reads the note %j as an opt-out from texts',
  (note) => {
    expect(readStudent({ private_notes: note }).rowOptOut).toBe(`Notes: ${note}`)
  },
)

test.each(['do not text after 9pm', 'stop by the office', 'mom opted out of photos'])(
  'does not read the note %j as an opt-out from texts',
  (note) => {
    expect(readStudent({ private_notes: note }).rowOptOut).toBeNull()
  },
)
