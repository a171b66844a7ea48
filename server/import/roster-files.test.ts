import { describe, expect, test } from 'vitest'
import { sql } from 'drizzle-orm'
import { textConsents } from '../consent/tables.ts'
import { requireOk, importBodyOfCsv, importBodyOfTable } from '../test/sheets.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
type Sensei = Awaited<ReturnType<typeof server.createSensei>>

const preview = async (sensei: Sensei, body: object) =>
  requireOk(await sensei.post('/student-imports/preview', body))
const importSheet = async (sensei: Sensei, body: object) =>
  requireOk(await sensei.post('/student-imports', body))
const getStudents = async (sensei: Sensei) => (await sensei.get('/students')).body
const findNotes = async (sensei: Sensei, name: string) => {
  const student = (await getStudents(sensei)).find((row: { name: string }) => row.name === name)
  return (await sensei.get(`/students/${student.id}`)).body.private_notes
}

const FORMER_STUDENTS = `Name,DOB,Phone,Status
Student Aone,3/1/1984,512-555-0110,Not active
Student Bone,3/2/1984,512-555-0111,No longer active
Student Cone,3/3/1984,512-555-0112,Non-member
Student Done,3/4/1984,512-555-0113,Past student
Student Eone,3/5/1984,512-555-0114,Previous student
Student Fone,3/6/1984,512-555-0115,Not enrolled
Student Gone,3/7/1984,512-555-0116,Moved away
Student Hone,3/8/1984,512-555-0117,Passed away
Student Ione,3/9/1984,512-555-0118,Never enrolled
Student Jone,3/10/1984,512-555-0119,Active until 2019`
const STUDENTS = `Name,DOB,Monthly fee
Ken Adams,3/14/2013,95
Mia Ruiz,11/24/2010,95
Tom Lee,1/30/1988,95`

describe('people who left', () => {
  test('are left out with a reason unless the instructor includes them', async () => {
    const sensei = await server.createSensei()
    const body = importBodyOfCsv(FORMER_STUDENTS)
    const plan = await preview(sensei, body)
    expect(plan).toMatchObject({ students: 0, left_out: 10, rows_with_problems: 0 })
    expect(plan.left_out_rows[7]).toMatchObject({
      row: 7,
      kind: 'left',
      words: 'Status: Passed away',
      is_included: false,
    })
    const bodyWithIncludedRow = { ...body, include_rows: [6] }
    expect((await preview(sensei, bodyWithIncludedRow)).left_out_rows[6]).toMatchObject({
      is_included: true,
    })
    expect(await importSheet(sensei, bodyWithIncludedRow)).toMatchObject({
      students: 1,
      left_out: 9,
    })
    expect(await getStudents(sensei)).toMatchObject([{ name: 'Student Gone', on_vacation: false }])
  })

  test.each([
    ['Active', 'No', 'Yes'],
    ['Is Active?', 'FALSE', 'TRUE'],
    ['Currently enrolled', '0', '1'],
    ['Inactive', 'Yes', 'No'],
    ['Inactive', 'Inactive', 'Active'],
    ['Archived', 'TRUE', 'FALSE'],
    ['isArchived', 'true', 'false'],
    ['Deceased', 'x', ''],
    ['Cancelled', '3/4/2020', ''],
    ['Cancel Date', '3/4/2020', '12/31/2199'],
    ['Date Left', 'Mar 4 2020', ''],
    ['Left on', '2020-11-22', '2199-11-23'],
    ['Membership End', '2019-12-31', '2199-12-31'],
    ['Membership End Date', '12/31/2019', '12/31/9999'],
    ['Expiration date', '43830', 'Auto-renew'],
    ['Active until', '2019-05-01', '2199-05-01'],
    ['Reason for leaving', 'moved away', ''],
    ['Client Status', 'In-active', 'Active'],
    ['Status', 'Cancelled 3/4/2020', 'Active since 2019'],
  ])(
    'are left out if the column %j says %j, but not if it says %j',
    async (heading, leftValue, presentValue) => {
      const sensei = await server.createSensei()
      const plan = await preview(
        sensei,
        importBodyOfCsv(
          `Name,DOB,${heading}\nGone Gary,3/5/1984,${leftValue}\nKen Adams,3/4/1983,${presentValue}`,
        ),
      )
      expect([plan.students, plan.left_out, plan.problems]).toEqual([1, 1, []])
      expect(plan.left_out_rows).toMatchObject([
        { row: 0, kind: 'left', words: `${heading}: ${leftValue}`, is_included: false },
      ])
    },
  )

  test.each(['x', '✓', 'Yes', 'TRUE', '1'])(
    'are left out if Active is blank and other rows have %j',
    async (checkMark) => {
      const sensei = await server.createSensei()
      const body = importBodyOfCsv(
        `Name,DOB,Active\nKen Adams,3/4/1983,${checkMark}\nGone Gary,3/5/1984,\nMia Ruiz,3/6/1984,${checkMark}`,
      )
      const plan = await preview(sensei, body)
      expect([plan.students, plan.left_out, plan.problems]).toEqual([2, 1, []])
      expect(plan.left_out_rows).toMatchObject([{ row: 1, words: 'Active: blank' }])
      const blankForAll = {
        ...body,
        rows: body.rows.map(([name = '', birthday = '']) => [name, birthday, '']),
      }
      expect(await preview(sensei, blankForAll)).toMatchObject({ students: 3, left_out: 0 })
    },
  )

  test.each(['Inactive Members', 'FORMER STUDENTS', 'Past', 'Alumni', 'Cancelled:'])(
    'are left out below the heading %j',
    async (heading) => {
      const sensei = await server.createSensei()
      const body = importBodyOfCsv(`Name,DOB,Phone
Active Members,,
Ken Adams,3/5/2010,512-555-0700
Mia Ruiz,3/6/2010,512-555-0701
Tom Lee,3/6/2011,512-555-0702
${heading},,
Gone Gary,3/5/2010,512-555-0800
Kids,,
Left Lena,3/6/2010,512-555-0801
Current Members,,
Eva Park,3/6/2010,512-555-0802`)
      const plan = await preview(sensei, body)
      expect([plan.students, plan.problems]).toEqual([4, []])
      expect(
        plan.left_out_rows.flatMap(({ kind, words }: any) => (kind === 'left' ? [words] : [])),
      ).toEqual([`Below “${heading}”`, `Below “${heading}”, “Kids”`])
    },
  )

  test('are chosen by the instructor if a status is unclear', async () => {
    const sensei = await server.createSensei()
    const body = importBodyOfCsv(
      'Name,DOB,Status\nKen Adams,3/4/1983,1\nMia Ruiz,3/5/1983,0\nTom Lee,3/5/1984,1\nAna Diaz,3/5/1985,Frozen',
    )
    const plan = await preview(sensei, body)
    expect([plan.students, plan.problems.map(({ message }: any) => message)]).toEqual([
      1,
      ['Choose what “1” means', 'Choose what “0” means', 'Choose what “1” means'],
    ])
    expect(plan.statuses_in_sheet).toEqual([
      { status: '1', rows: 2, means: null },
      { status: '0', rows: 1, means: null },
      { status: 'Frozen', rows: 1, means: 'vacation' },
    ])
    const statuses = [
      { status: '1', means: 'active' },
      { status: '0', means: 'left' },
    ]
    expect(await importSheet(sensei, { ...body, statuses })).toMatchObject({
      students: 3,
      left_out: 1,
    })
  })
})

const listConsents = (sensei: Sensei) =>
  server.db.inDojo(sensei.dojoId, (tx) =>
    tx.select().from(textConsents).orderBy(textConsents.phone),
  )

describe('students who opted out of texts', () => {
  test.each([
    ['Do Not Text', 'Yes', ''],
    ['SMS Opt Out', 'TRUE', 'FALSE'],
    ['smsOptOut', '1', '0'],
    ['Text Opt-Out Date', '3/4/2020', ''],
    ['Text Consent', 'No', 'Yes'],
    ['Text consent', 'None', 'Opted in'],
    ['SMS Consent', 'Revoked', 'Granted'],
    ['OK to text?', 'N', 'Y'],
    ['Receive SMS', 'off', 'on'],
    ['Unsubscribed', 'x', ''],
    ['Do Not Contact', 'please do not', 'no'],
    ['Preferred Contact', 'Email only', 'Text only'],
    ['Communication Preferences', 'No texts', 'Any'],
    ['Text Consent', 'No', '2019-03-04'],
  ])(
    'get no texts if the column %j says %j, but do get texts if it says %j',
    async (heading, noAnswer, yesAnswer) => {
      const sensei = await server.createSensei()
      const body = importBodyOfCsv(
        `Name,DOB,Phone,${heading}\nKen Adams,3/4/1983,512-555-0142,${yesAnswer}\nSilent Sue,3/5/1984,(512) 555-0143,${noAnswer}`,
      )
      expect(await preview(sensei, body)).toMatchObject({ students: 2, phones_without_texts: 1 })
      await importSheet(sensei, body)
      expect(await listConsents(sensei)).toMatchObject([
        {
          phone: '+15125550143',
          event: 'revoked',
          source: 'import',
          recorded_by: sensei.id,
          words: `${heading}: ${noAnswer}`,
        },
      ])
      const [ken, sue] = await getStudents(sensei)
      requireOk(
        await sensei.post('/sms/messages', { student_ids: [ken.id, sue.id], text: 'Class is on' }),
      )
      expect(await listTextedPhones(sensei)).toEqual(['+15125550142'])
    },
  )

  test.each(['x', '✓', 'Yes', '3/4/2020'])(
    'get no texts if OK to text is blank and other rows have %j',
    async (checkMark) => {
      const sensei = await server.createSensei()
      const body = importBodyOfCsv(
        `Name,DOB,Phone,OK to text\nKen Adams,3/4/1983,512-555-0142,${checkMark}\nSilent Sue,3/5/1984,512-555-0143,`,
      )
      await importSheet(sensei, body)
      const consents = await listConsents(sensei)
      expect(consents.map(({ phone, words }) => [phone, words])).toEqual([
        ['+15125550143', 'OK to text: blank'],
      ])
      const bodyWithNo = {
        ...body,
        rows: [...body.rows, ['Ana Diaz', '3/4/1985', '512-555-0144', 'No']],
      }
      expect(await preview(sensei, bodyWithNo)).toMatchObject({ phones_without_texts: 1 })
    },
  )

  test('are opted out by phone number, even if a row with the number is not imported', async () => {
    const sensei = await server.createSensei()
    const body =
      importBodyOfCsv(`Name,DOB,Phone,Mother,Mother Phone,Mother SMS Opt Out,Father,Father Phone,Do Not Text,Active
Ken Adams,3/4/2014,,Ann Adams,512-555-0142,Yes,Bob Adams,512-555-0143,,Yes
Mia Ruiz,3/4/2014,512-555-0144,Rosa Ruiz,512-555-0145,,,,Yes,Yes
Tom Lee,3/4/2014,512-555-0146,,,,,,,Yes
Gone Lee,3/4/1984,512-555-0146,,,,,,Yes,No
Gone Kim,3/4/1984,512-555-0147,,,,,,Yes,No`)
    await importSheet(sensei, body)
    const consents = await listConsents(sensei)
    expect(consents.map(({ phone, words }) => [phone, words])).toEqual([
      ['+15125550142', 'Mother SMS Opt Out: Yes'],
      ['+15125550144', 'Do Not Text: Yes'],
      ['+15125550145', 'Do Not Text: Yes'],
      ['+15125550146', 'Do Not Text: Yes'],
    ])
  })

  test('are remembered only as a hash after the import is undone', async () => {
    const sensei = await server.createSensei()
    const body = importBodyOfCsv('Name,Phone,Do Not Text\nSilent Sue,512-555-0143,Yes')
    const { import: importResult } = await importSheet(sensei, body)
    requireOk(await sensei.post(`/student-imports/${importResult.id}/undo`, {}))
    const [consent] = await listConsents(sensei)
    expect(consent).toMatchObject({ event: 'revoked', words: null })
    expect(consent!.phone).not.toContain('555')
  })

  test('are still opted out if they are imported again after the import was undone', async () => {
    const sensei = await server.createSensei()
    const sheetWithOptOut = 'Name,Phone,Do Not Text\nSilent Sue,512-555-0143,Yes'
    const { import: importResult } = await importSheet(sensei, importBodyOfCsv(sheetWithOptOut))
    requireOk(await sensei.post(`/student-imports/${importResult.id}/undo`, {}))
    await importSheet(sensei, importBodyOfCsv('Name,Phone\nSilent Sue,512-555-0143'))
    const [sue] = await getStudents(sensei)
    const optOut = { event: 'revoked', source: 'import', words: null }
    expect(requireOk(await sensei.get(`/students/${sue.id}/consents`))).toMatchObject([
      { phone_number: '+15125550143', consents: [optOut] },
    ])
    const path = `/sms/phones/${encodeURIComponent('+15125550143')}`
    expect(requireOk(await sensei.get(path)).consents).toMatchObject([optOut])
    await sensei.post('/sms/messages', { student_ids: [sue.id], text: 'Class is on' })
    expect(await listTextedPhones(sensei)).toEqual([])
    requireOk(await sensei.post(`${path}/consents`, { event: 'given', given_by: 'Silent Sue' }))
    requireOk(await sensei.post('/sms/messages', { student_ids: [sue.id], text: 'Class is on' }))
    expect(await listTextedPhones(sensei)).toEqual(['+15125550143'])
  })
})

async function listTextedPhones(sensei: Sensei): Promise<string[]> {
  const { rows } = await server.db.inDojo(sensei.dojoId, (tx) =>
    tx.execute<{ phone: string }>(
      sql`select phone from messages where state <> 'skipped' order by phone`,
    ),
  )
  return rows.map(({ phone }) => phone)
}

test('does not use the name of the family as a student’s surname', async () => {
  const sensei = await server.createSensei()
  await importSheet(
    sensei,
    importBodyOfCsv(`Family Name,Student First Name,Student Last Name,Student DOB,Parent 1 First Name,Parent 1 Last Name,Parent 1 Email
Ruiz,Mia,Cole,11/24/2012,Rosa,Ruiz,rosa@example.com
,Hal,Firth,1/5/2013,Joan,Firth,joan@example.com`),
  )
  const names = (await getStudents(sensei)).map(({ name }: any) => name)
  expect(names).toEqual(['Hal Firth', 'Mia Cole'])
})

test('uses the mobile number, and saves other numbers in the notes', async () => {
  const sensei = await server.createSensei()
  await importSheet(
    sensei,
    importBodyOfCsv(`First Name,Last Name,DOB,Home Phone,Work Phone,Mobile Phone
Ken,Adams,3/14/1983,(512) 555-0110,512-555-0111 x25,512-555-0142
Mia,Ruiz,3/15/1983,(512) 555-0112,,`),
  )
  expect((await getStudents(sensei)).map(({ phone_number }: any) => phone_number)).toEqual([
    '512-555-0142',
    '(512) 555-0112',
  ])
  expect(await findNotes(sensei, 'Ken Adams')).toBe(
    'Home Phone: (512) 555-0110\nWork Phone: 512-555-0111 x25',
  )
  expect(await findNotes(sensei, 'Mia Ruiz')).toBeNull()
})

test('reports invalid numbers, and saves extensions and second numbers', async () => {
  const sensei = await server.createSensei()
  const body = importBodyOfCsv(`Name,DOB,Phone,Emergency phone
Ken Adams,3/14/1983,5.12555E+09,310-823-7320 x25
Mia Ruiz,3/15/1983,555-0142,310-823-7320 ext. 1234
Tom Lee,3/16/1983,512-555-0142 / 512-555-0188,310-823-7320 #12
Ana Diaz,3/17/1983,000-000-0000,512-555-0199`)
  const { notices, problems } = await preview(sensei, body)
  const messages = notices
    .filter(({ field }: any) => field === 'phone_number')
    .map(({ row, message }: any) => [row, message])
  expect([messages, problems]).toEqual([
    [
      [0, '“5.12555E+09” isn’t a phone number: left empty'],
      [1, '555-0142 cannot get texts: it is not a complete number'],
      [2, 'We’ll use 512-555-0142. Saved in notes: “Phone: 512-555-0142 / 512-555-0188”'],
      [3, '“000-000-0000” isn’t a phone number: left empty'],
    ],
    [],
  ])
  await importSheet(sensei, body)
  const students = await getStudents(sensei)
  expect(
    students.map((student: any) => [
      student.name,
      student.phone_number,
      student.emergency_contact_phone,
    ]),
  ).toEqual([
    ['Ana Diaz', null, '512-555-0199'],
    ['Ken Adams', null, '310-823-7320'],
    ['Mia Ruiz', '555-0142', '310-823-7320'],
    ['Tom Lee', '512-555-0142', '310-823-7320'],
  ])
  expect(await findNotes(sensei, 'Tom Lee')).toBe(
    'Phone: 512-555-0142 / 512-555-0188\nEmergency phone: 310-823-7320 #12',
  )
})

test('ignores invisible characters in cells', async () => {
  const sensei = await server.createSensei()
  await importSheet(
    sensei,
    importBodyOfCsv(`Name,DOB,Phone,Email
Ken Adams,3/14/1983,\u202A+1 512 555 0142\u202C,ken@example.com
\u200BMia\u00A0Ruiz,３/15/1983,\u2066(512) 555-0143\u2069,mia@example.com\u200B`),
  )
  expect(await getStudents(sensei)).toMatchObject([
    { name: 'Ken Adams', phone_number: '+1 512 555 0142' },
    { name: 'Mia Ruiz', phone_number: '(512) 555-0143', date_of_birth: '1983-03-15' },
  ])
  expect(await findNotes(sensei, 'Mia Ruiz')).toBe('Email: mia@example.com')
})

test('clears birthdays that software writes for unknown birthdays', async () => {
  const sensei = await server.createSensei()
  const dates = ['1/1/1900', '01/01/1901', '01/01/0001', '12/30/1899', '11/11/1111', '1970-01-01']
  const rows = dates.map((date, index) => `Kid ${'ABCDEF'[index]}ble,${date},Ann Doe,512-555-0142`)
  const body = importBodyOfCsv(
    `Name,DOB,Parent,Parent Phone\n${rows.join('\n')}\nPat Stone,1970-01-01,,`,
  )
  const { notices, problems } = await preview(sensei, body)
  expect(problems).toEqual([])
  expect(
    notices.flatMap(({ field, message }: any) => (field === 'date_of_birth' ? [message] : [])),
  ).toEqual(dates.map((date) => `“${date}” is a placeholder: left empty`))
  await importSheet(sensei, body)
  const students = await getStudents(sensei)
  expect(new Set(students.map(({ date_of_birth }: any) => date_of_birth))).toEqual(
    new Set([null, '1970-01-01']),
  )
})

test('does not import totals and group headings unless the instructor includes them', async () => {
  const sensei = await server.createSensei()
  const body = importBodyOfCsv(`Name,DOB,Monthly fee
KIDS CLASS (Mon/Wed),,
Ken Adams,3/14/2013,95
TEENS,,
Mia Ruiz,11/24/2010,95
ADULTS,,
Tom Lee,1/30/1988,95
Total,,285`)
  const plan = await preview(sensei, body)
  expect(plan.left_out_rows.map(({ row, kind }: any) => [row, kind])).toEqual([
    [0, 'heading'],
    [2, 'heading'],
    [4, 'heading'],
    [6, 'total'],
  ])
  expect([plan.students, plan.problems]).toEqual([3, []])
  expect(await preview(sensei, { ...body, include_rows: [2] })).toMatchObject({ students: 4 })
})

test.each(
  [
    'Kids, Tiny Tigers, TINY TIGERS, Active Members, Black Belt Class, Beginners - Monday 5pm, Subtotal',
    'Little Dragons (4-6), 8 students, Students: 8, Page 1 of 3, Printed on 3/4/2024, Total, Grand Total',
    'Total revenue, Average, Wednesday Sparring, Teens & Adults',
  ].flatMap((line) => line.split(', ')),
)('does not import a row that has only %j', async (name) => {
  const sensei = await server.createSensei()
  const plan = await preview(sensei, importBodyOfCsv(`${STUDENTS}\n${name},,`))
  expect([plan.students, plan.left_out, plan.problems]).toEqual([3, 1, []])
})

const GROUP_LIKE_NAMES =
  'Wednesday Addams, Total Garcia, Junior Garcia, Teen Nguyen, Summer Day, Max Power, Count Basie'
test.each(GROUP_LIKE_NAMES.split(', '))(
  'imports a row that has only the name %j, and asks about it',
  async (name) => {
    const sensei = await server.createSensei()
    const plan = await preview(sensei, importBodyOfCsv(`${STUDENTS}\n${name},,`))
    expect([plan.students, plan.left_out]).toEqual([4, 0])
    expect(plan.notices).toContainEqual({
      row: 3,
      field: 'name',
      message: 'This row has only a name. Is it a student?',
    })
  },
)

test('leaves out rows below “Inactive Members” even if most rows have only a name', async () => {
  const sensei = await server.createSensei()
  const plan = await preview(
    sensei,
    importBodyOfCsv(
      'Name,DOB\nAna Young,\nMax Power,\nSummer Day,\nInactive Members,\nGone Gary,3/5/1984',
    ),
  )
  expect([plan.students, plan.left_out]).toEqual([3, 2])
})

test('reads a count below the birthdays as a total', async () => {
  const sensei = await server.createSensei()
  const plan = await preview(sensei, importBodyOfCsv(`${STUDENTS}\nTotal,13,1235`))
  expect(plan.left_out_rows).toMatchObject([{ row: 3, kind: 'total' }])
})

test('keeps Jr., III and PhD after the name', async () => {
  const sensei = await server.createSensei()
  const names = ['Smith, John Jr.', 'Lee III, Tom', 'Ann Kim, PhD', 'Ruiz, Mia']
  const table = [['Name'], ...names.map((name) => [name])]
  await importSheet(sensei, importBodyOfTable(table))
  const studentNames = (await getStudents(sensei)).map(({ name }: any) => name)
  expect(studentNames).toEqual(['Ann Kim PhD', 'John Smith Jr.', 'Mia Ruiz', 'Tom Lee III'])
})

test('does not read a school grade as a belt', async () => {
  const sensei = await server.createSensei()
  const body = importBodyOfCsv(
    'First Name,Last Name,DOB,Grade\nKen,Adams,3/14/2013,7\nMia,Ruiz,11/24/2012,8',
  )
  expect(await preview(sensei, body)).toMatchObject({ students: 2, problems: [] })
})

test('saves a second number in an existing student’s empty notes', async () => {
  const sensei = await server.createSensei()
  await importSheet(sensei, importBodyOfCsv('Name,DOB,Phone\nKen Adams,3/14/1983,512-555-0142'))
  const body = importBodyOfCsv(`Name,DOB,Phone,Work Phone
Ken Adams,3/14/1983,512-555-0142,512-555-0188
Ken Adams,3/14/1983,512-555-0142,512-555-0199`)
  const { import: importResult } = await importSheet(sensei, body)
  expect(await findNotes(sensei, 'Ken Adams')).toBe(
    'Work Phone: 512-555-0188\nWork Phone: 512-555-0199',
  )
  requireOk(await sensei.post(`/student-imports/${importResult.id}/undo`, {}))
  expect(await findNotes(sensei, 'Ken Adams')).toBeNull()
})

test('ignores invisible characters in forms', async () => {
  const sensei = await server.createSensei()
  const student = await server.createStudent(sensei)
  const kids = await server.createClass(sensei)
  const reply = await sensei.put(`/students/${student.id}`, {
    ...{ belt_level: 'white', date_of_birth: '2010-03-01', gender: 'male' },
    ...{ emergency_contact_name: 'Ann Adams', monthly_payment_amount: 85 },
    class_preferences: [kids.id],
    email: `\u200B${student.email}\u00AD`,
    name: '\u200BMia\u00A0Ruiz',
    phone_number: '\u202A+1 512 555 0142\u202C',
    emergency_contact_phone: '５１２-555-0143',
  })
  expect([reply.status, reply.body.student]).toMatchObject([
    200,
    {
      name: 'Mia Ruiz',
      email: student.email,
      phone_number: '+1 512 555 0142',
      emergency_contact_phone: '512-555-0143',
    },
  ])
  const guardian = await sensei.post('/guardians', {
    name: 'Rosa\u200B Ruiz',
    phone: '\u2066(512) 555-0144\u2069',
    email: 'rosa@example.com\u200B',
    students: [{ student_id: student.id }],
  })
  expect(guardian).toMatchObject({
    status: 200,
    body: {
      guardian: { name: 'Rosa Ruiz', phone: '(512) 555-0144', email: 'rosa@example.com' },
    },
  })
})

test('reports a class name that has only punctuation', async () => {
  const sensei = await server.createSensei()
  const plan = await preview(
    sensei,
    importBodyOfCsv('Name,Class\nKen Adams,---\nMia Ruiz,Kids\nTom Lee,'),
  )
  expect(plan.notices).toEqual([
    { row: 0, field: 'classes', message: '“---” isn’t a class: left empty' },
  ])
})

test('asks about each of many unclear statuses', async () => {
  const sensei = await server.createSensei()
  const rows = Array.from({ length: 45 }, (_, number) =>
    [
      `Ken ${'abcdefghij'[number % 10]}${'abcde'[Math.floor(number / 10)]}`,
      number < 5 ? 'Active' : `Code ${number}`,
    ].join(),
  )
  const plan = await preview(sensei, importBodyOfCsv(`Name,Status\n${rows.join('\n')}`))
  const unclearStatuses = plan.statuses_in_sheet.filter(({ means }: any) => means === null)
  expect([unclearStatuses.length, plan.statuses_in_sheet.length]).toEqual([40, 41])
})

test.each([
  '512-555-0143 DO NOT TEXT',
  '512-555-0143 (no texts please)',
  '512-555-0143 opted out',
  'DNT 512-555-0143',
  '(512) 555-0143 - don’t text',
])('opts out a number because of the words in its cell: %j', async (cell) => {
  const sensei = await server.createSensei()
  const body = importBodyOfCsv(`Name,DOB,Phone,Parent,Parent Phone
Ken Adams,3/4/1983,${cell},,
Mia Ruiz,3/4/2014,,Rosa Ruiz,${cell.replace('0143', '0144')}
Tom Lee,3/4/1985,512-555-0145,,`)
  expect((await preview(sensei, body)).problems).toEqual([])
  await importSheet(sensei, body)
  const consents = await listConsents(sensei)
  expect(consents.map(({ phone, words }) => [phone, words])).toEqual([
    ['+15125550143', `Phone: ${cell}`],
    ['+15125550144', `Parent Phone: ${cell.replace('0143', '0144')}`],
  ])
})

test('saves other words in a phone or birthday cell in the notes', async () => {
  const sensei = await server.createSensei()
  const body = importBodyOfCsv(`Name,DOB,Phone,Belt
Ken Adams,3/4/1983,512-555-0142 (mom),White
Mia Ruiz,ask mother,call first,#N/A
Tom Lee,TBD,TBD,#REF!
Ana Diaz,Jan-00,landline 512-555-0143,White
Leo Kim,#VALUE!,cell: 512-555-0144,White
Eva Park,3/4/1983,512-CALL-NOW,White`)
  const plan = await preview(sensei, body)
  expect([plan.students, plan.problems]).toEqual([6, []])
  expect(plan.notices.map(({ row, message }: any) => `${row} ${message}`).toSorted()).toEqual([
    '0 We’ll use 512-555-0142. Saved in notes: “Phone: 512-555-0142 (mom)”',
    '1 “#N/A” is a spreadsheet error: left empty',
    '1 “ask mother” is not a birthday: saved in notes',
    '1 “call first” isn’t a phone number: saved in notes',
    '2 “#REF!” is a spreadsheet error: left empty',
    '2 “TBD” is not a birthday: left empty',
    '2 “TBD” isn’t a phone number: left empty',
    '3 We’ll use 512-555-0143. Saved in notes: “Phone: landline 512-555-0143”',
    '3 “Jan-00” is a placeholder: left empty',
    '4 “#VALUE!” is a spreadsheet error: left empty',
    '5 “512-CALL-NOW” isn’t a phone number: saved in notes',
  ])
  await importSheet(sensei, body)
  expect(await findNotes(sensei, 'Mia Ruiz')).toBe('DOB: ask mother\nPhone: call first')
})
