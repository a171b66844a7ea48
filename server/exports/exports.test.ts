import { classesApi, type DojoClass } from '@tatami/contract/classes/classes'
import {
  STUDENT_CSV_COLUMNS,
  splitNames,
  unguardFormula,
} from '@tatami/contract/import/students-csv'
import { getTableColumns, getTableName, sql } from 'drizzle-orm'
import Papa from 'papaparse'
import { describe, expect, test } from 'vitest'
import { openSession } from '../accounts/sessions.ts'
import { addClass } from '../classes/classes.ts'
import { createStudents, exampleClass } from '../test/fixtures.ts'
import { plantCanaries, findCanaryTables } from '../test/canaries.ts'
import { unzipTexts } from '../test/files.ts'
import { grantEverything } from '../test/grant-everything.ts'
import { GLOBAL_TABLES } from '../test/global-tables.ts'
import type { Ids } from '../test/sample-ids.ts'
import { students } from '../students/tables.ts'
import { createSampleDojo, SAMPLE_ROWS } from '../test/sample-rows.ts'
import { startTestServer } from '../test/test-server.ts'
import { TABLES } from '../tables.ts'
import { studentUpdate } from '@tatami/contract/students/student-form'
import { STUDENTS_CSV } from './students-csv.ts'

const EXPORTED_TABLES = TABLES.flatMap(({ table, exported }) =>
  exported ? [{ table, ...exported }] : [],
)
const NOT_EXPORTED = TABLES.filter((rules) => 'notExported' in rules)

const server = await startTestServer()
const signInInstructor = async ({ instructor_id }: Pick<Ids, 'instructor_id'>) =>
  server.clientFor(await server.db.withoutDojo((tx) => openSession(tx, instructor_id)))

/** Parses a CSV file like a program that removes the apostrophes before formulas. */
function parseRows(csv: string): Record<string, string>[] {
  expect(csv.startsWith('\uFEFF')).toBe(true)
  const { data, errors } = Papa.parse<Record<string, string>>(csv.slice(1).trimEnd(), {
    header: true,
  })
  expect(errors).toEqual([])
  return data.map((row) =>
    Object.fromEntries(Object.entries(row).map(([column, cell]) => [column, unguardFormula(cell)])),
  )
}
const parseReply = ({ body }: { body: Buffer }) => parseRows(body.toString())
const parseCells = (csv: string) => Papa.parse<string[]>(csv.slice(1)).data.flat()

describe('the export of everything', async () => {
  const ownIds = await createSampleDojo(server.db)
  const otherIds = await createSampleDojo(server.db)
  await grantEverything(server)
  await plantCanaries(server.db, otherIds)
  const response = await (await signInInstructor(ownIds)).post('/export')
  const files = unzipTexts(response.body)
  async function countRowsIn(table: string) {
    const { rows } = await server.db.inDojo(ownIds.dojo_id, (tx) =>
      tx.execute<{ count: number }>(sql.raw(`select count(*)::int as count from ${table}`)),
    )
    return rows[0]!.count
  }

  test('is a zip named after the dojo and the day', () => {
    expect(response.headers).toMatchObject({
      'content-type': 'application/zip',
      'cache-control': 'no-store',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="cedar-park-judo-everything-\d{4}-\d\d-\d\d\.zip"$/,
      ) as string,
    })
  })

  test('has every table of a dojo, except tables with a reason not to export them', () => {
    const exportedTables = EXPORTED_TABLES.map(({ table }) => getTableName(table)).filter(
      (name) => !(name in GLOBAL_TABLES),
    )
    expect(
      [...exportedTables, ...NOT_EXPORTED.map(({ table }) => getTableName(table))].toSorted(),
    ).toEqual(Object.keys(SAMPLE_ROWS).toSorted())
  })

  test('has every row as CSV and as JSON, and counts them', async () => {
    const { rows } = JSON.parse(files['manifest.json']!) as { rows: Record<string, number> }
    for (const { name, table } of EXPORTED_TABLES) {
      const records = JSON.parse(files[`json/${name}.json`]!) as object[]
      expect([name, records.length, parseRows(files[`csv/${name}.csv`]!).length]).toEqual([
        name,
        rows[name],
        rows[name],
      ])
      if (!(getTableName(table) in GLOBAL_TABLES))
        expect([name, rows[name]]).toEqual([name, await countRowsIn(getTableName(table))])
      if (!['opted_out_phones'].includes(name))
        expect([name, records.length > 0]).toEqual([name, true])
      expect(files['README.txt']).toContain(`  ${name} `)
    }
    expect(parseRows(files['students.csv']!).map(({ name }) => name)).toEqual([
      'Ken Adams',
      'Leo Adams',
    ])
  })

  test('has every column except secrets', () => {
    const hiddenColumns = ({ hidden: names = [], table }: (typeof EXPORTED_TABLES)[number]) =>
      names.map((name) => `${getTableName(table)}.${name}`)
    expect(EXPORTED_TABLES.flatMap(hiddenColumns).toSorted()).toEqual([
      'accounts.password_hash',
      'bookings.address_hash',
      'bookings.check_in_code',
      'bookings.form_key',
      'bookings.needs_check',
      'class_dates.kept_marks',
      'dojo_logos.bytes',
      'dojo_logos.key',
      'dojos.invite_code',
      'family_changes.details',
      'holds.told_on',
      'kiosks.counted_since',
      'kiosks.link_expires_at',
      'kiosks.link_hash',
      'kiosks.searches',
      'kiosks.token_hash',
      'kiosks.wrong_pins',
      'message_batches.failures_notified',
      'messages.account_sid',
      'messages.claim',
      'messages.claimed_at',
      'messages.due_at',
      'messages.unanswered',
      'online_payments.checkout_url',
      'online_payments.next_check_at',
      'online_payments.refresh_at',
      'page_photos.bytes',
      'page_photos.small_bytes',
      'payment_promises.ended_by_act',
      'saved_methods.fingerprint',
      'saved_methods.next_check_at',
      'signature_details.noticed_days_ahead',
      'signatures.copy_hash',
      'signing_links.token_hash',
      'staff_certificates.noticed_day',
      'staff_certificates.noticed_days_ahead',
      'staff_invitations.token_hash',
      'stripe_accounts.next_poll_at',
      'stripe_accounts.polled_until',
      'stripe_accounts.public_url',
      'stripe_accounts.sealed_key',
      'stripe_accounts.sealed_webhook_secret',
      'stripe_accounts.server_identity',
      'stripe_accounts.webhook_id',
      'student_photos.bytes',
      'student_photos.key',
      'texting_accounts.next_at',
      'texting_accounts.sealed_token',
      'texting_accounts.share',
      'texting_accounts.slowed_at',
      'trial_payments.checkout_url',
      'trial_payments.form_key',
      'trial_payments.next_check_at',
    ])
    for (const { name, table, hidden: hiddenNames = [] } of EXPORTED_TABLES) {
      const [record] = JSON.parse(files[`json/${name}.json`]!) as object[]
      const expectedColumns = Object.keys(getTableColumns(table)).filter(
        (column) => column !== 'dojo_id' && !hiddenNames.includes(column),
      )
      if (record) expect([name, Object.keys(record)]).toEqual([name, expectedColumns])
    }
  })

  test('has no passwords, no tokens and nothing of another dojo', () => {
    const allText = Object.values(files).join('\n')
    expect(findCanaryTables(allText)).toEqual([])
    for (const id of Object.values(otherIds)) expect(allText).not.toContain(id)
    // The session, and the address and key of a browser with notifications.
    for (const secret of [ownIds.session_id, 'push.example.com', 'B'.repeat(87)])
      expect(allText).not.toContain(secret)
    expect(allText).not.toMatch(/password_hash|token_hash|p256dh/)
  })

  test('shows a name next to each id', () => {
    expect(parseRows(files['csv/attendance.csv']!)[0]).toMatchObject({
      student_id: ownIds.student_id,
      student_name: 'Ken Adams',
      present: 'yes',
    })
    expect(parseRows(files['csv/audit_log.csv']!).at(-1)).toMatchObject({
      action: 'everything exported',
      actor_name: 'Aiko Tanaka',
    })
  })
})

test('has all data as of one moment, even if students are deleted during the download', async () => {
  const ids = await createSampleDojo(server.db)
  // These students fill more than one block.
  await createStudents(server.db, ids.dojo_id, 2_500)
  const address = await server.http.listen({ host: '127.0.0.1', port: 0 })
  const token = await server.db.withoutDojo((tx) => openSession(tx, ids.instructor_id))
  const response = await fetch(`${address}/api/export`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  // The headers have arrived, but the body has not been read yet.
  await server.db.inDojo(ids.dojo_id, (tx) => tx.execute(sql`delete from students`))
  const files = unzipTexts(new Uint8Array(await response.arrayBuffer()))
  expect(JSON.parse(files['json/student_records.json']!)).toHaveLength(2_502)
  expect(JSON.parse(files['json/attendance.json']!)).toHaveLength(1)
  expect(new Set(parseRows(files['csv/student_records.csv']!).map(({ id }) => id)).size).toBe(2_502)
})

const UNUSUAL_VALUES = {
  classes: ['=cmd()', 'Kids; small', 'A "quoted", one', '🥋 Mat \\ 2'],
  phone_number: '+15551234567',
  payment_method: '=HYPERLINK("http://evil.test")',
  emergency_contact_phone: '-512 555 0143',
  allergies: 'Peanuts,\r\n"all" nuts\n=1+1',
  medical_note: '@asthma 🫁',
}

describe('the exported lists', async () => {
  const sensei = await server.createSensei()
  // Forms accept only letters, but older classes may have other characters.
  const form = classesApi.create.body.parse(exampleClass())
  const classes: DojoClass[] = []
  for (const class_name of UNUSUAL_VALUES.classes)
    classes.push(
      await server.db.inDojo(sensei.dojoId, (tx) => addClass(tx, { ...form, class_name })),
    )
  const { phone_number, payment_method, emergency_contact_phone, allergies, medical_note } =
    UNUSUAL_VALUES
  const zoe = await server.createStudent(sensei, {
    name: 'Zoë Ångström',
    phone_number,
    payment_method,
    emergency_contact_phone,
    monthly_payment_amount: 85.5,
    enrolled_classes: classes.map(({ id }) => id),
  })
  const adam = await server.createStudent(sensei, {
    name: 'Adam Miller',
    payment_method: '0042',
    enrolled_classes: [classes[0]!.id],
  })
  await sensei.put(`/students/${zoe.id}/notes`, {
    allergies,
    medical_note,
    private_notes: 'Not for a list',
  })
  const ann = await server.createGuardian(sensei, [zoe], {
    name: 'Ann Adams',
    phone: '+1 512 555 0111',
    students: [{ student_id: zoe.id, relation: 'mother', pays: true }],
  })
  await server.createGuardian(sensei, [zoe], { name: 'Ben Adams', phone: '512 555 0112' })
  for (const [student, day, present] of [
    [zoe, '2026-03-02', true],
    [zoe, '2026-03-04', false],
    [adam, '2026-03-04', true],
  ] as const)
    await sensei.post('/attendance', {
      student_id: student.id,
      class_id: classes[0]!.id,
      class_date: day,
      present,
    })
  await sensei.post('/payment-records', {
    student_id: zoe.id,
    payment_month: 2,
    payment_year: 2026,
    payment_status: 'paid',
  })
  const otherDojo = await server.createSensei()
  const otherDojosStudent = await server.createStudent(otherDojo)

  test('students.csv keeps every value for a later import', async () => {
    const { body } = await sensei.post('/export/students', {})
    const text = (body as Buffer).toString()
    expect(
      text.split('\r\n', 1)[0]!.slice(1).split(',').slice(0, STUDENT_CSV_COLUMNS.length),
    ).toEqual([...STUDENT_CSV_COLUMNS])
    expect(parseCells(text).filter((cell) => /^[=+\-@\t\r\n]/.test(cell))).toEqual([])
    const [adamRow, zoeRow] = parseRows(text)
    expect(adamRow).toMatchObject({
      name: 'Adam Miller',
      payment_method: '0042',
      guardian_name: '',
      on_vacation: 'no',
    })
    expect(splitNames(zoeRow!.classes!)).toEqual(UNUSUAL_VALUES.classes)
    expect(zoeRow).toMatchObject({
      phone_number,
      payment_method,
      emergency_contact_phone,
      allergies,
      medical_note,
      name: 'Zoë Ångström',
      email: zoe.email,
      belt_level: 'white',
      date_of_birth: '2010-03-01',
      monthly_payment_amount: '85.50',
      is_trial: 'no',
      guardian_name: 'Ann Adams',
      guardian_relation: 'mother',
      guardian_email: ann.email,
      guardian_phone: '+1 512 555 0111',
      guardian_2_name: 'Ben Adams',
      guardian_2_relation: 'guardian',
      student_id: zoe.id,
    })
    expect(text).not.toContain('Not for a list')
  })

  test('students.csv has only the selected students, and none of another dojo', async () => {
    expect(
      parseReply(
        await sensei.post('/export/students', { student_ids: [zoe.id, otherDojosStudent.id] }),
      ).map(({ name }) => name),
    ).toEqual(['Zoë Ångström'])
    expect(parseReply(await sensei.post('/export/students', { student_ids: [] }))).toEqual([])
  })

  test('attendance.csv has all records, newest first, or those that match the filter', async () => {
    const allRows = parseReply(await sensei.post('/export/attendance', {}))
    expect(
      allRows.map(({ class_date, student_name, class_name, present }) => [
        class_date,
        student_name,
        class_name,
        present,
      ]),
    ).toEqual([
      ['2026-03-04', 'Adam Miller', '=cmd()', 'yes'],
      ['2026-03-04', 'Zoë Ångström', '=cmd()', 'no'],
      ['2026-03-02', 'Zoë Ångström', '=cmd()', 'yes'],
    ])
    const filters = [
      { class_date: '2026-03-02' },
      { class_id: classes[1]!.id },
      { student_id: zoe.id },
      { student_id: otherDojosStudent.id },
    ]
    const counts = await Promise.all(
      filters.map(
        async (filter) => parseReply(await sensei.post('/export/attendance', filter)).length,
      ),
    )
    expect(counts).toEqual([1, 0, 2, 0])
  })

  test('payments.csv has every record, or a month with all students', async () => {
    expect(parseReply(await sensei.post('/export/payments', {}))).toMatchObject([
      { month: '2026-03', student_name: 'Zoë Ångström', payment_status: 'paid', amount: '85.50' },
    ])
    const monthRows = parseReply(
      await sensei.post('/export/payments', {
        of: { month: 2, year: 2026, student_ids: [zoe.id, adam.id, otherDojosStudent.id] },
      }),
    )
    expect(
      monthRows.map(({ student_name, payment_status, amount }) => [
        student_name,
        payment_status,
        amount,
      ]),
    ).toEqual([
      ['Adam Miller', 'nothing_due', ''],
      ['Zoë Ångström', 'paid', '85.50'],
    ])
  })

  test('are recorded in the audit log with the person who downloaded them', async () => {
    const [newestAction] = (await sensei.get('/audit-log?kind=exports')).body
    expect(newestAction).toMatchObject({
      action: 'payments exported',
      actor: 'Aiko Tanaka',
      details: { month: 2, year: 2026 },
    })
  })
})

describe('the export of one student', async () => {
  const sensei = await server.createSensei()
  const kids = await server.createClass(sensei)
  const leo = await server.createStudent(sensei, {
    name: 'Leo Adams',
    enrolled_classes: [kids.id],
    emergency_contact_name: 'Ben Adams',
    emergency_contact_phone: '512 555 0112',
  })
  const ann = await server.createGuardian(sensei, [leo], {
    name: 'Ann Adams',
    students: [{ student_id: leo.id, may_edit: true, sees_fees: true, note: 'Court order' }],
  })
  const ben = await server.createGuardian(sensei, [leo], {
    name: 'Ben Adams',
    phone: '512 555 0112',
    students: [{ student_id: leo.id, pays: true }],
  })
  const guardianWithoutView = await server.createGuardian(sensei, [leo], {
    name: 'Cat Adams',
    students: [{ student_id: leo.id, sees: false }],
  })
  await sensei.put(`/students/${leo.id}/notes`, {
    allergies: 'Peanuts',
    medical_note: 'Asthma',
    private_notes: 'Shy at first',
  })
  await sensei.post('/attendance', {
    student_id: leo.id,
    class_id: kids.id,
    class_date: '2026-03-02',
    present: true,
  })
  await sensei.post('/payment-records', {
    student_id: leo.id,
    payment_month: 2,
    payment_year: 2026,
    payment_status: 'paid',
  })
  const unzipReply = ({ status, body }: { status: number; body: Buffer }) => {
    expect(status).toBe(200)
    return unzipTexts(body)
  }
  const restrictedTexts = [
    'Ben Adams',
    '512 555 0112',
    'Cat Adams',
    'Court order',
    'Shy at first',
    'Peanuts',
    'Asthma',
  ]

  test('has everything for the dojo', async () => {
    const files = unzipReply(await sensei.post(`/students/${leo.id}/export`, {}))
    const fileText = JSON.stringify(files)
    expect(restrictedTexts.filter((name) => !fileText.includes(name))).toEqual([])
    expect(JSON.parse(files['student.json']!)).toMatchObject({
      name: 'Leo Adams',
      private_notes: 'Shy at first',
      classes: 'Kids Judo',
    })
    expect(parseRows(files['attendance.csv']!)).toMatchObject([
      { class_date: '2026-03-02', class_name: 'Kids Judo', present: 'yes' },
    ])
    expect(parseRows(files['payments.csv']!)).toMatchObject([
      { month: '2026-03', payment_status: 'paid', amount: '85.50' },
    ])
    expect(parseRows(files['ledger.csv']!)).toMatchObject([
      { line: 'charge', charge: 'month', month: '2026-03', amount: '85.5' },
      { line: 'payment', charge: 'month', month: '2026-03', amount: '-85.5' },
    ])
    for (const name of Object.keys(files).filter((file) => file.endsWith('.csv')))
      expect(files['README.txt']).toMatch(new RegExp(`  ${name}  (the student|[a-z ,-]{8,})\\r\\n`))
    expect(files['README.txt']).not.toContain('undefined')
  })

  test('has only what the guardian may see, even if the instructor downloads it', async () => {
    const ownFile = unzipReply(await ann.post(`/family/students/${leo.id}/export`))
    const fileForGuardian = unzipReply(
      await sensei.post(`/students/${leo.id}/export`, { reader_id: ann.id }),
    )
    expect(fileForGuardian['student.json']).toBe(ownFile['student.json'])
    const fileText = JSON.stringify(ownFile)
    expect(restrictedTexts.filter((name) => fileText.includes(name))).toEqual([])
    expect(Object.keys(JSON.parse(ownFile['student.json']!) as object)).toContain('payments')
    expect(Object.keys(unzipReply(await ben.post(`/family/students/${leo.id}/export`)))).toContain(
      'payments.csv',
    )
  })

  test('has the student’s own data, without notes and guardians', async () => {
    const fileText = JSON.stringify(unzipReply(await leo.post(`/family/students/${leo.id}/export`)))
    // The emergency contact is the student's own.
    expect(restrictedTexts.filter((name) => fileText.includes(name))).toEqual([
      'Ben Adams',
      '512 555 0112',
    ])
  })

  test('refuses people who may not see the student', async () => {
    const otherStudent = await server.createStudent(sensei)
    for (const requester of [guardianWithoutView, otherStudent])
      expect((await requester.post(`/family/students/${leo.id}/export`)).status).toBe(404)
    expect(
      (await sensei.post(`/students/${leo.id}/export`, { reader_id: guardianWithoutView.id }))
        .status,
    ).toBe(404)
    expect(
      (await sensei.post(`/students/${leo.id}/export`, { reader_id: otherStudent.id })).status,
    ).toBe(404)
    expect((await ann.post(`/students/${leo.id}/export`, {})).status).toBe(403)
  })
})

test('the list of students has every field of the form', () => {
  const fields = Object.keys(studentUpdate.shape)
  const shownInOtherColumns = ['class_preferences', 'enrolled_classes', 'rank_id', 'fee_from']
  const missingFields = fields.filter(
    (field) => !STUDENTS_CSV.includes(field) && !shownInOtherColumns.includes(field),
  )
  expect(missingFields).toEqual([])
})

test('the list of students leaves out only these columns', () => {
  const omittedColumns = Object.keys(getTableColumns(students)).filter(
    (column) => !STUDENTS_CSV.includes(column),
  )
  expect(omittedColumns.toSorted()).toEqual([
    'class_preferences',
    'created_at',
    'dojo_id',
    'former_fee',
    'former_fee_month',
    'id',
    'kept_price',
    'kept_price_month',
    'kept_price_of',
    'kept_price_reason',
    'left_classes',
    'pays_since',
    'previously_left_on',
    'returned_on',
  ])
})
