import { readFileSync } from 'node:fs'
import { toImportForm, parseSheet } from '@tatami/contract/import/sheet'
import { sql } from 'drizzle-orm'
import Papa from 'papaparse'
import { readSheet } from 'read-excel-file/universal'
import { describe, expect, test } from 'vitest'
import { newId } from '../db/columns.ts'
import { firstRow } from '../lib/rows.ts'
import { setClock } from '../test/clock.ts'
import { uniqueEmail } from '../test/fixtures.ts'
import { startMailServer } from '../test/mail-server.ts'
import { importBodyOfTable, requireOk } from '../test/sheets.ts'
import { startTestServer } from '../test/test-server.ts'

const { smtpUrl, mailsTo } = await startMailServer()
const server = await startTestServer({ smtpUrl })
type Sensei = Awaited<ReturnType<typeof server.createSensei>>

const TODAY = '2026-11-22'
const SHEETS_FOLDER = 'contract/test/sheets'

/** Returns the cells of an example file. */
async function readTable(name: string): Promise<string[][]> {
  const bytes = readFileSync(`${SHEETS_FOLDER}/${name}`)
  if (!name.endsWith('.xlsx')) return Papa.parse<string[]>(bytes.toString().trimEnd()).data
  const rows = await readSheet(new Blob([bytes]))
  return rows.map((row) =>
    row.map((cell) =>
      (cell as unknown) instanceof Date
        ? (cell as unknown as Date).toISOString().slice(0, 10)
        : String(cell ?? ''),
    ),
  )
}
const importBodyOfFile = async (name: string) =>
  toImportForm(parseSheet(await readTable(name), TODAY))
const importBodyOfRows = (...rows: string[][]) => importBodyOfTable(rows)

const COUNT_FIELDS = [
  'students',
  'merged',
  'left_out',
  'rows_with_problems',
  'guardians',
  'families',
  'classes',
  'invitations',
] as const
const pickCounts = (reply: Record<string, unknown>) =>
  Object.fromEntries(COUNT_FIELDS.map((name) => [name, reply[name]]))
const preview = async (sensei: Sensei, body: object) =>
  requireOk(await sensei.post('/student-imports/preview', body))
const importSheet = async (sensei: Sensei, body: object) =>
  requireOk(await sensei.post('/student-imports', body))
const undo = (sensei: Sensei, id: string) => sensei.post(`/student-imports/${id}/undo`)
const countRows = async (sensei: Sensei) => {
  const { rows } = await server.db.inDojo(sensei.dojoId, (tx) =>
    tx.execute<Record<string, number>>(sql`
      select
        (select count(*)::int from students) as students,
        (select count(*)::int from guardians) as guardians,
        (select count(*)::int from classes) as classes,
        (select count(*)::int from log_in_invitations) as invitations,
        (select count(distinct guardian_id)::int from guardianships where pays) as families`),
  )
  return firstRow(rows)
}

/** Answers to the questions about belts and stripes in the example files. */
const BELT_ANSWERS = {
  extra_stripes: 'add',
  belts: [
    { belt: 'white w/ yellow stripe', belt_level: 'white' },
    { belt: 'Black (2nd degree)', belt_level: 'black' },
  ],
}

test.each([
  [
    'gymdesk.csv',
    {
      students: 5,
      left_out: 1,
      guardians: 1,
      families: 1,
      classes: 2,
      invitations: 4,
      rows_with_problems: 0,
    },
  ],
  [
    'kicksite.csv',
    { students: 4, guardians: 3, families: 2, classes: 3, invitations: 4, rows_with_problems: 0 },
  ],
  [
    'zen-planner.xlsx',
    {
      students: 4,
      left_out: 1,
      guardians: 1,
      families: 1,
      classes: 2,
      invitations: 2,
      rows_with_problems: 0,
    },
  ],
  [
    'google-sheet.csv',
    { students: 3, guardians: 1, families: 1, classes: 3, invitations: 2, rows_with_problems: 3 },
  ],
  [
    'european.csv',
    { students: 3, guardians: 1, families: 1, classes: 2, invitations: 2, rows_with_problems: 0 },
  ],
  [
    'own-export.csv',
    { students: 3, guardians: 2, families: 1, classes: 3, invitations: 3, rows_with_problems: 0 },
  ],
])('imports the rows of %s as the preview says', async (name, expectedCounts) => {
  const sensei = await server.createSensei()
  const body = { ...(await importBodyOfFile(name)), ...BELT_ANSWERS }
  const plan = await preview(sensei, body)
  expect(pickCounts(plan)).toEqual({ merged: 0, left_out: 0, ...expectedCounts })
  const importResult = await importSheet(sensei, body)
  expect(pickCounts(importResult)).toEqual(pickCounts(plan))
  const { students, guardians, families, classes, invitations } = importResult
  expect(await countRows(sensei)).toEqual({ students, guardians, families, classes, invitations })
})

test('stores the students, guardians and notes in the sheet', async () => {
  const sensei = await server.createSensei()
  await importSheet(sensei, await importBodyOfFile('own-export.csv'))
  const [aiden, nina, omar] = (await sensei.get('/students')).body
  const classNameById = new Map(
    (await sensei.get('/classes')).body.map((row: { id: string; class_name: string }) => [
      row.id,
      row.class_name,
    ]),
  )
  expect(aiden).toMatchObject({
    name: 'Aiden Brooks',
    email: null,
    phone_number: '(512) 555-0131',
    belt_level: 'orange',
    date_of_birth: '2014-08-05',
    gender: 'male',
    emergency_contact_name: 'Dana Brooks',
    monthly_payment_amount: 85.5,
    payment_method: 'Card',
    is_trial: false,
    on_vacation: false,
    has_medical_note: true,
  })
  expect(aiden.enrolled_classes.map((id: string) => classNameById.get(id)).toSorted()).toEqual([
    'Kids Judo',
    'Saturday',
  ])
  expect(
    aiden.guardians.map(({ name, relation, email, pays }: any) => [name, relation, email, pays]),
  ).toEqual([
    ['Dana Brooks', 'mother', 'dana@example.com', true],
    ['Rob Brooks', 'father', 'rob@example.com', false],
  ])
  expect([nina.is_trial, nina.guardians[0].id === aiden.guardians[0].id]).toEqual([true, true])
  expect(omar).toMatchObject({
    phone_number: '+1 512 555 0134',
    payment_method: '=Cash',
    on_vacation: true,
    guardians: [],
  })
  expect((await sensei.get(`/students/${aiden.id}`)).body).toMatchObject({
    allergies: 'Bees, nuts',
    medical_note: 'Asthma.\nInhaler in the bag',
  })
  const secondReply = await importSheet(sensei, await importBodyOfFile('own-export.csv'))
  expect(pickCounts(secondReply)).toMatchObject({
    students: 0,
    merged: 3,
    guardians: 0,
    classes: 0,
    invitations: 0,
  })
  expect((await sensei.get('/students')).body).toEqual([aiden, nina, omar])
})

test('makes an adult student the guardian of their child, with one login', async () => {
  const sensei = await server.createSensei()
  const email = `carla-${newId()}@example.com`
  const body = importBodyOfRows(
    ['Name', 'DOB', 'Email'],
    ['Carla Reyes', '3/29/1986', email],
    ['Diego Reyes', '5/10/2016', email],
  )
  await importSheet(sensei, body)
  const [carla, diego] = (await sensei.get('/students')).body
  expect(diego.guardians).toMatchObject([{ id: carla.id, name: 'Carla Reyes', pays: true }])
  await expect.poll(() => mailsTo(email)).toHaveLength(1)
  const invitation = /accept-invitation#(\S+)/.exec(mailsTo(email)[0]!)![1]!
  const acceptedReply = requireOk(
    await server.anonymous.post('/log-in-invitations/accept', { invitation, password: 'eight8-8' }),
  )
  expect(acceptedReply.user).toMatchObject({
    id: carla.id,
    email,
    is_guardian: true,
    students: [{ id: diego.id }],
  })
})

describe('an existing student', () => {
  test('is updated, skipped or added again, as the instructor chooses', async () => {
    const sensei = await server.createSensei()
    const firstSheet = importBodyOfRows(
      ['Name', 'DOB', 'Phone'],
      ['Ken Adams', '3/1/2015', '512 555 0142'],
    )
    await importSheet(sensei, firstSheet)
    const secondSheet = importBodyOfRows(
      ['Name', 'DOB', 'Phone', 'Fee', 'Class'],
      ['Adams, Ken', '3/1/2015', '512-555-0142', '$60', 'Kids'],
      ['Ken Adams', '', '', '', 'Teens'],
      ['Ken Adams', '4/1/2015', '', '', ''],
    )
    const plan = await preview(sensei, secondSheet)
    expect(pickCounts(plan)).toMatchObject({ students: 2, merged: 1, classes: 2 })
    expect(plan.duplicates.map(({ row, reasons, choice }: any) => [row, reasons, choice])).toEqual([
      [0, ['name', 'phone', 'birthday'], 'update'],
      [1, ['name'], 'add'],
      [2, ['name'], 'add'],
    ])
    const choices = [{ row: 1, choice: 'skip' }]
    expect(pickCounts(await importSheet(sensei, { ...secondSheet, choices }))).toMatchObject({
      students: 1,
      merged: 1,
      left_out: 1,
      classes: 1,
    })
    const kens = (await sensei.get('/students')).body
    expect(kens).toHaveLength(2)
    expect(kens[0]).toMatchObject({
      phone_number: '512 555 0142',
      monthly_payment_amount: 60,
      enrolled_classes: [expect.any(String)],
    })
    expect(
      pickCounts(
        await importSheet(sensei, { ...firstSheet, choices: [{ row: 0, choice: 'add' }] }),
      ),
    ).toMatchObject({ students: 1, merged: 0 })
  })

  test('may be an earlier row of the sheet', async () => {
    const sensei = await server.createSensei()
    const body = importBodyOfRows(
      ['Name', 'DOB', 'Phone', 'Fee'],
      ['Mia Chen', '3/1/2015', '512-555-0142', ''],
      ['Mia Chen', '3/1/2015', '512-555-0142', '40'],
      ['Leo Chen', '3/1/2015', '512-555-0142', ''],
    )
    const plan = await preview(sensei, body)
    expect([plan.duplicates, plan.students, plan.merged]).toEqual([
      [expect.objectContaining({ row: 1, same_as_row: 0, student_id: null })],
      2,
      1,
    ])
    await importSheet(sensei, body)
    expect(
      (await sensei.get('/students')).body.map(({ monthly_payment_amount: fee }: any) => fee),
    ).toEqual([null, 40])
  })
})

test('reports each cell with a problem, and skips its row', async () => {
  const sensei = await server.createSensei()
  const body = importBodyOfRows(
    ['Name', 'DOB', 'Belt'],
    ['Ken Adams', '3/1/2999', 'white'],
    ['Mia Chen', '', 'purple'],
    ['Bo Li', '', ''],
  )
  const { problems, students } = await preview(sensei, body)
  expect([problems.map(({ row, field }: any) => [row, field]), students]).toEqual([
    [
      [0, 'date_of_birth'],
      [1, 'belt_level'],
    ],
    1,
  ])
  expect((await importSheet(sensei, body)).students).toBe(1)
})

test('imports into the chosen classes, and refuses a class of another dojo', async () => {
  const sensei = await server.createSensei()
  const kids = await server.createClass(sensei)
  const otherClass = await server.createClass(await server.createSensei())
  const body = importBodyOfRows(
    ['Name', 'Class'],
    ['Ken Adams', 'kids judo'],
    ['Mia Chen', 'Little 1; Nothing'],
    ['Bo Li', ''],
  )
  const classes = [{ name: 'Nothing', class_id: null }]
  const plan = await preview(sensei, { ...body, classes, default_class_id: kids.id })
  expect(plan.classes_in_sheet).toEqual([
    { name: 'kids judo', class_id: kids.id, class_name: 'Kids Judo', students: 1 },
    { name: 'Little 1', class_id: null, class_name: 'Little One', students: 1 },
    { name: 'Nothing', class_id: null, class_name: null, students: 1 },
  ])
  await importSheet(sensei, { ...body, classes, default_class_id: kids.id })
  const [bo, ken] = (await sensei.get('/students')).body
  expect([bo.enrolled_classes, ken.enrolled_classes]).toEqual([[kids.id], [kids.id]])
  for (const invalidClass of [
    { classes: [{ name: 'x', class_id: otherClass.id }] },
    { default_class_id: otherClass.id },
  ])
    expect(await sensei.post('/student-imports', { ...body, ...invalidClass })).toMatchObject({
      status: 422,
      body: { detail: 'Class is not valid' },
    })
})

test('imports a student only once if a request is repeated or simultaneous', async () => {
  const sensei = await server.createSensei()
  const email = `solo-${newId()}@example.com`
  const payload = importBodyOfRows(['Name', 'Email'], ['Ken Adams', email])
  const send = (key: string) =>
    server.http.inject({
      method: 'POST',
      url: '/api/student-imports',
      headers: { authorization: `Bearer ${sensei.token}`, 'idempotency-key': key },
      payload,
    })
  const [firstReply, secondReply] = [await send('a'), await send('a')]
  expect(secondReply.json()).toEqual(firstReply.json())
  const otherDojo = await server.createSensei()
  const replies = await Promise.all([
    importSheet(otherDojo, importBodyOfRows(['Name', 'Email'], ['Bo Li', 'bo.li@example.com'])),
    importSheet(otherDojo, importBodyOfRows(['Name', 'Email'], ['Bo Li', 'bo.li@example.com'])),
  ])
  expect(new Set(replies.map(({ students }) => students))).toEqual(new Set([0, 1]))
  expect((await sensei.get('/students')).body).toHaveLength(1)
  await expect.poll(() => mailsTo(email)).toHaveLength(1)
})

test('does not invite a student whose email has an account, or reveal the account', async () => {
  const otherStudent = await server.createStudent(await server.createSensei(), {
    name: 'Zed Secret',
  })
  const sensei = await server.createSensei()
  const plan = await preview(
    sensei,
    importBodyOfRows(['Name', 'Email'], ['Ken Adams', otherStudent.email]),
  )
  expect([plan.students, plan.invitations, plan.duplicates]).toEqual([1, 0, []])
  expect(JSON.stringify(plan)).not.toContain('Zed')
})

test('saves emails in the notes if invitations are off', async () => {
  const sensei = await server.createSensei()
  await importSheet(sensei, {
    ...importBodyOfRows(['Name', 'Email'], ['Ken Adams', 'ken@example.com']),
    invites: false,
  })
  const [ken] = (await sensei.get('/students')).body
  expect((await sensei.get(`/students/${ken.id}`)).body.private_notes).toBe(
    'Email: ken@example.com',
  )
})

test('does not invite a student who has a guardian but no date of birth', async () => {
  const sensei = await server.createSensei()
  const addresses = ['nina', 'rosa', 'omar'].map((name) => uniqueEmail(name))
  const [nina = '', rosa = '', omar = ''] = addresses
  const body = importBodyOfRows(
    ['name', 'email', 'date_of_birth', 'guardian_name', 'guardian_email'],
    ['Nina Ortiz', nina, '12/30/1899', 'Rosa Ortiz', rosa], // an empty date in Excel
    ['Omar Haddad', omar, '', '', ''],
  )
  const plan = await preview(sensei, body)
  expect(plan.invitations).toBe(2)
  expect(plan.notices).toContainEqual({
    row: 0,
    field: 'date_of_birth',
    message: 'Not invited: without a date of birth they may be under 13',
  })
  await importSheet(sensei, body)
  const countMails = () => addresses.map((address) => mailsTo(address).length)
  await expect.poll(countMails).toEqual([0, 1, 1])
  const roster = (await sensei.get('/students')).body as { id: string; name: string }[]
  const student = roster.find(({ name }) => name === 'Nina Ortiz')
  const page = (await sensei.get(`/students/${student?.id}`)).body
  expect(page.private_notes).toContain(nina)
})

describe('undoing an import', () => {
  test('does not change what siblings owe for the month', async () => {
    const sensei = await server.createSensei()
    const email = 'rosa@ortiz.example'
    const leo = await server.createStudent(sensei, {
      name: 'Leo Ortiz',
      monthly_payment_amount: 90,
    })
    await sensei.post('/guardians', {
      name: 'Rosa Ortiz',
      email,
      students: [{ student_id: leo.id, pays: true }],
    })
    const prices = [{ nth: 2, percent: 50, amount_off: null }]
    await sensei.put('/sibling-prices', { ordered_by: 'highest_fee', prices })
    const getOwedByLeo = async () => {
      const { body } = await sensei.get('/month-dues?month=10&year=2026')
      return body.find(({ student_id }: { student_id: string }) => student_id === leo.id)?.owed
    }
    const { import: importResult } = await importSheet(
      sensei,
      importBodyOfRows(
        ['name', 'monthly_payment_amount', 'guardian_name', 'guardian_email'],
        ['Nina Ortiz', '100', 'Rosa Ortiz', email],
      ),
    )
    expect(await getOwedByLeo()).toBe(45)
    expect(requireOk(await undo(sensei, importResult.id)).students).toBe(1)
    expect(await getOwedByLeo()).toBe(45)
  })

  test('removes everything that the import created or filled in', async () => {
    const sensei = await server.createSensei()
    const aiden = await server.createStudent(sensei, {
      name: 'Aiden Brooks',
      date_of_birth: '2014-08-05',
      phone_number: '512-555-0131',
    })
    await server.db.inDojo(sensei.dojoId, (tx) =>
      tx.execute(sql`update students set payment_method = null where id = ${aiden.id}`),
    )
    const rowsBefore = [(await sensei.get('/students')).body, await countRows(sensei)]
    const { import: importResult } = await importSheet(
      sensei,
      await importBodyOfFile('own-export.csv'),
    )
    expect((await sensei.get('/student-imports')).body).toEqual([importResult])
    expect(requireOk(await undo(sensei, importResult.id))).toEqual({
      students: 2,
      merged: 1,
      guardians: 2,
      classes: 3,
      kept: [],
    })
    expect([(await sensei.get('/students')).body, await countRows(sensei)]).toEqual(rowsBefore)
    expect(await undo(sensei, importResult.id)).toMatchObject({
      status: 409,
      body: { detail: 'This import was already undone' },
    })
    expect((await sensei.get('/student-imports')).body).toEqual([])
  })

  test('keeps what was used or changed after the import, and says why', async () => {
    const sensei = await server.createSensei()
    const names = ['Ann Lee', 'Bea Moss', 'Cleo Nash', 'Dan Orr']
    const { import: importResult } = await importSheet(
      sensei,
      importBodyOfRows(['Name', 'Class'], ...names.map((name) => [name, 'Kids'])),
    )
    const [ann, bea, cleo] = (await sensei.get('/students')).body
    const [kids] = (await sensei.get('/classes')).body
    await sensei.post('/attendance', {
      student_id: ann.id,
      class_id: kids.id,
      class_date: '2026-11-02',
      present: true,
    })
    await sensei.post('/payment-records', {
      student_id: bea.id,
      payment_month: 4,
      payment_year: 2026,
      payment_status: 'paid',
    })
    await sensei.put(`/students/${cleo.id}/notes`, { allergies: 'Nuts' })
    expect(requireOk(await undo(sensei, importResult.id))).toEqual({
      students: 1,
      merged: 0,
      guardians: 0,
      classes: 0,
      kept: [
        { kind: 'student', name: 'Ann Lee', reason: 'attendance' },
        { kind: 'student', name: 'Bea Moss', reason: 'payments' },
        { kind: 'student', name: 'Cleo Nash', reason: 'changed' },
        { kind: 'class', name: 'Kids', reason: 'in_use' },
      ],
    })
    expect((await sensei.get('/students')).body.map(({ name }: any) => name)).toEqual([
      'Ann Lee',
      'Bea Moss',
      'Cleo Nash',
    ])
  })

  test('is possible for one day, and only for the dojo’s own imports', async () => {
    const sensei = await server.createSensei()
    const { import: importResult } = await importSheet(
      sensei,
      importBodyOfRows(['Name'], ['Ken Adams']),
    )
    expect((await undo(await server.createSensei(), importResult.id)).status).toBe(404)
    setClock(new Date(Date.parse(importResult.undo_until) + 1000).toISOString())
    expect([
      (await sensei.get('/student-imports')).body,
      (await undo(sensei, importResult.id)).status,
    ]).toEqual([[], 409])
  })
})

test('records an import and its undo in the audit log', async () => {
  const sensei = await server.createSensei()
  const { import: importResult } = await importSheet(
    sensei,
    importBodyOfRows(['Name'], ['Ken Adams']),
  )
  await undo(sensei, importResult.id)
  const { rows } = await server.db.withoutDojo((tx) =>
    tx.execute<{ action: string }>(
      sql`select action from audit_log where subject_id = ${importResult.id} order by created_at, action desc`,
    ),
  )
  expect(rows.map(({ action }) => action)).toEqual(['students imported', 'import undone'])
})

test('refuses a sheet with too many rows or bytes', async () => {
  const sensei = await server.createSensei()
  const rows = Array.from({ length: 2001 }, () => ['Ken Adams'])
  expect(await sensei.post('/student-imports/preview', { columns: ['name'], rows })).toMatchObject({
    status: 422,
    body: { detail: 'At most 2,000 rows at a time' },
  })
  const largeRows = Array.from({ length: 400 }, () => ['x'.repeat(6000)]) // 2.4 MB
  expect(
    (await sensei.post('/student-imports/preview', { columns: ['private_notes'], rows: largeRows }))
      .status,
  ).toBe(413)
})
