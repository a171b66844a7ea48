import { describe, expect, test } from 'vitest'
import { importBodyOfCsv, importBodyOfTable, requireOk } from '../test/sheets.ts'
import { setClock } from '../test/clock.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const TODAY = '2026-11-22'

/** Ken Adams left on November 3. The import body has Ken and a new student. */
async function setUpDojo() {
  setClock(`${TODAY}T18:00:00Z`)
  const sensei = await server.createSensei()
  const kids = await server.createClass(sensei, { class_name: 'Kids' })
  const ken = await server.createStudent(sensei, {
    name: 'Ken Adams',
    enrolled_classes: [kids.id],
  })
  await sensei.post(`/students/${ken.id}/leave`, { left_on: '2026-11-03', reason: 'schedule' })
  const importBody = importBodyOfTable([
    ['Name', 'Email'],
    ['Ken Adams', ken.email],
    ['Mia Ortiz', 'mia.ortiz@home.org'],
  ])
  const listNames = async (path: string) =>
    (await sensei.get(path)).body.map(({ name }: { name: string }) => name)
  return { sensei, ken, importBody, listNames }
}

test('asks about a former student, and skips the row until it has an answer', async () => {
  const { sensei, ken, importBody, listNames } = await setUpDojo()
  const { body: plan } = await sensei.post('/student-imports/preview', importBody)
  expect(plan).toMatchObject({ students: 1, merged: 0, left_out: 1 })
  expect(plan.duplicates).toMatchObject([
    { name: 'Ken Adams', student_id: ken.id, left_on: '2026-11-03', choice: 'skip' },
  ])
  await sensei.post('/student-imports', importBody)
  expect(await listNames('/students')).toEqual(['Mia Ortiz'])
  expect(await listNames('/former-students')).toEqual(['Ken Adams'])
})

test('re-enrolls a former student if the instructor says so, and can undo it', async () => {
  const { sensei, importBody, listNames } = await setUpDojo()
  const { body: plan } = await sensei.post('/student-imports/preview', importBody)
  const [duplicate] = plan.duplicates
  const choices = [{ row: duplicate.row, choice: 'update' }]
  const { body } = await sensei.post('/student-imports', { ...importBody, choices })
  expect(await listNames('/students')).toEqual(['Ken Adams', 'Mia Ortiz'])
  expect((await sensei.get('/students')).body[0].enrolled_classes).toHaveLength(1)
  await sensei.post(`/student-imports/${body.import.id}/undo`)
  expect(await listNames('/students')).toEqual([])
  const [ken] = (await sensei.get('/former-students')).body
  expect(ken).toMatchObject({ name: 'Ken Adams', left_on: '2026-11-03', left_reason: 'schedule' })
})

type Sensei = Awaited<ReturnType<typeof server.createSensei>>

/** Ken is a student. Mia and Tom have left. */
const SHEET =
  importBodyOfCsv(`Name,Class,Monthly fee,Status,Last Day,Reason for leaving,Parent,Parent Email
Ken Adams,Kids,95,Active,,,Ann Adams,ann@adams.example
Mia Ruiz,Kids,80,Canceled,3/31/2026,Moved to Denver,Rosa Ruiz,rosa@ruiz.example
Tom Lee,Kids,70,Inactive,,,,`)
const FORMER_ROWS = [1, 2]

const compareNames = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name)

const listFormerStudents = async (sensei: Sensei) => (await sensei.get('/former-students')).body

async function importFormerStudents() {
  setClock(`${TODAY}T18:00:00Z`)
  const sensei = await server.createSensei()
  const body = { ...SHEET, former_rows: FORMER_ROWS }
  const result = requireOk(await sensei.post('/student-imports', body))
  return { sensei, body, result }
}

describe('people who left', () => {
  test('are skipped unless the instructor wants them as former students', async () => {
    setClock(`${TODAY}T18:00:00Z`)
    const sensei = await server.createSensei()
    const plan = requireOk(await sensei.post('/student-imports/preview', SHEET))
    expect(plan).toMatchObject({ students: 1, former: 0, left_out: 2 })
    await sensei.post('/student-imports', SHEET)
    expect(await listFormerStudents(sensei)).toEqual([])
  })

  test('do not include leads, because leads never trained', async () => {
    setClock(`${TODAY}T18:00:00Z`)
    const sensei = await server.createSensei()
    const leads = importBodyOfCsv(`Name,Status
Ken Adams,Active
Mia Ruiz,Lead
Tom Lee,Prospect
Ann Day,Inquiry
Joe Kim,Trial no-show
Eve Orr,Canceled`)
    const body = { ...leads, former_rows: [1, 2, 3, 4, 5] }
    const plan = requireOk(await sensei.post('/student-imports/preview', body))
    expect(plan).toMatchObject({ students: 2, former: 1, left_out: 4 })
    expect(plan.left_out_rows).toMatchObject([
      { row: 1, kind: 'never', words: 'Status: Lead', is_former: false },
      { row: 2, kind: 'never' },
      { row: 3, kind: 'never' },
      { row: 4, kind: 'never' },
      { row: 5, kind: 'left', is_former: true },
    ])
    const bodyWithLead = { ...body, include_rows: [1] }
    const { students } = requireOk(await sensei.post('/student-imports/preview', bodyWithLead))
    expect(students).toBe(3)
  })

  test('keep their last day, reason and classes, and do not count as students', async () => {
    const { sensei, result } = await importFormerStudents()
    expect(result).toMatchObject({ students: 3, former: 2, left_out: 0, paying_students: 1 })
    expect(await listFormerStudents(sensei)).toMatchObject([
      { name: 'Mia Ruiz', left_on: '2026-03-31', left_reason: 'moved_away' },
      { name: 'Tom Lee', left_on: '2025-11-22', left_reason: 'other' },
    ])
    const [mia, tom] = await listFormerStudents(sensei)
    const getStudent = async (id: string) => (await sensei.get(`/students/${id}`)).body
    expect(await getStudent(mia.id)).toMatchObject({
      left_note: 'Status: Canceled. Moved to Denver',
      left_classes: [expect.any(String)],
      first_belt_since: '2026-03-31',
    })
    expect(await getStudent(tom.id)).toMatchObject({
      left_note: 'Day not known. Status: Inactive',
      joined_on: '2025-11-22',
    })
    const currentStudents = (await sensei.get('/students')).body
    expect(currentStudents).toMatchObject([{ name: 'Ken Adams' }])
    const dues = (await sensei.get('/month-dues?month=11&year=2026')).body
    expect(dues).toMatchObject([{ student_id: currentStudents[0].id }])
    expect((await sensei.get('/dashboard/stats')).body).toMatchObject({ total_students: 1 })
  })

  test('never have a last day before their join date', async () => {
    setClock(`${TODAY}T18:00:00Z`)
    const sensei = await server.createSensei()
    const list = importBodyOfCsv(`Name,Join Date,Status
Ken Adams,3/14/2026,Canceled
Mia Ruiz,3/14/2019,Canceled`)
    requireOk(await sensei.post('/student-imports', { ...list, former_rows: [0, 1] }))
    expect(await listFormerStudents(sensei)).toMatchObject([
      { name: 'Ken Adams', left_on: '2026-03-14' },
      { name: 'Mia Ruiz', left_on: '2025-11-22' },
    ])
  })

  test('get the end of the last paid month as their last day if the sheet has no day', async () => {
    setClock(`${TODAY}T18:00:00Z`)
    const sensei = await server.createSensei()
    const list = importBodyOfCsv(`Name,Join Date,Status,Last Day,Paid Through
Ana Diaz,3/14/2019,Inactive,,06/30/2026
Ben Fox,3/14/2019,Inactive,5/2/2026,06/15/2026
Cal Hay,7/8/2026,Inactive,,06/30/2026
Dee Lim,3/14/2019,Inactive,,11/30/2026
Eve Orr,3/14/2019,Inactive,,`)
    const body = { ...list, former_rows: [0, 1, 2, 3, 4] }
    const plan = requireOk(await sensei.post('/student-imports/preview', body))
    expect(plan.left_out_rows).toMatchObject([
      ...[{ assumed_last_day: null }, { assumed_last_day: null }, { assumed_last_day: null }],
      ...[{ assumed_last_day: '2025-11-22' }, { assumed_last_day: '2025-11-22' }],
    ])
    requireOk(await sensei.post('/student-imports', body))
    const students = await listFormerStudents(sensei)
    expect(students.toSorted(compareNames)).toMatchObject([
      { name: 'Ana Diaz', left_on: '2026-06-30' },
      { name: 'Ben Fox', left_on: '2026-05-02' },
      { name: 'Cal Hay', left_on: '2026-07-08' },
      { name: 'Dee Lim', left_on: '2025-11-22' },
      { name: 'Eve Orr', left_on: '2025-11-22' },
    ])
    const ana = students.find(({ name }: { name: string }) => name === 'Ana Diaz')
    const { body: page } = await sensei.get(`/students/${ana.id}`)
    expect(page.left_note).toBe('Day not known: end of the last paid month. Status: Inactive')
  })

  test('get their classes back when they return, and owe fees from then on', async () => {
    const { sensei } = await importFormerStudents()
    const [mia] = await listFormerStudents(sensei)
    requireOk(await sensei.post(`/students/${mia.id}/return`))
    const students = (await sensei.get('/students')).body
    const returnedStudent = students.find(({ name }: { name: string }) => name === 'Mia Ruiz')
    expect(returnedStudent.enrolled_classes).toHaveLength(1)
    expect((await sensei.get('/owing')).body).toEqual([])
    const dues = (await sensei.get('/month-dues?month=11&year=2026')).body
    expect(dues.map(({ owed }: { owed: number }) => owed).toSorted()).toEqual([80, 95])
  })

  test('are deleted when the import is undone', async () => {
    const { sensei, result } = await importFormerStudents()
    const undone = requireOk(await sensei.post(`/student-imports/${result.import.id}/undo`))
    expect(undone).toMatchObject({ students: 3, kept: [] })
    expect(await listFormerStudents(sensei)).toEqual([])
  })

  test('are neither re-enrolled nor added again when a sheet is imported twice', async () => {
    setClock(`${TODAY}T18:00:00Z`)
    const sensei = await server.createSensei()
    const body = {
      ...importBodyOfCsv(`Name,Birthday,Phone,Status
Mia Ruiz,3/4/1990,512-555-0142,Canceled`),
      former_rows: [0],
    }
    requireOk(await sensei.post('/student-imports', body))
    const [mia] = await listFormerStudents(sensei)
    const plan = requireOk(await sensei.post('/student-imports/preview', body))
    expect(plan.duplicates).toMatchObject([{ student_id: mia.id, is_former: true, choice: 'skip' }])
    const samePerson = { ...body, choices: [{ row: 0, choice: 'update' }] }
    for (const form of [body, samePerson]) {
      expect(requireOk(await sensei.post('/student-imports', form))).toMatchObject({
        import: null,
        students: 0,
        merged: 0,
      })
      expect(await listFormerStudents(sensei)).toHaveLength(1)
    }
  })

  test('do not change a current student', async () => {
    setClock(`${TODAY}T18:00:00Z`)
    const sensei = await server.createSensei()
    const ken = await server.createStudent(sensei, { name: 'Ken Adams' })
    const body = {
      ...importBodyOfCsv(`Name,Email,Class,Status
Ken Adams,${ken.email},Kids,Canceled`),
      former_rows: [0],
    }
    const plan = requireOk(await sensei.post('/student-imports/preview', body))
    expect(plan).toMatchObject({ students: 0, merged: 0, classes: 0, left_out: 1 })
    requireOk(await sensei.post('/student-imports', body))
    expect((await sensei.get('/students')).body).toMatchObject([
      { name: 'Ken Adams', enrolled_classes: [] },
    ])
  })

  test('count as current students if another row says that they are active', async () => {
    setClock(`${TODAY}T18:00:00Z`)
    const sensei = await server.createSensei()
    const body = {
      ...importBodyOfCsv(`Name,Email,Monthly fee,Status
Ken Adams,ken@adams.example,60,Canceled
Ken Adams,ken@adams.example,95,Active`),
      former_rows: [0],
    }
    const result = requireOk(await sensei.post('/student-imports', body))
    expect(result).toMatchObject({ students: 1, former: 0, merged: 1 })
    expect((await sensei.get('/students')).body).toMatchObject([
      { name: 'Ken Adams', monthly_payment_amount: 95 },
    ])
  })
})

test('counts an imported student as new this month only if their join date is this month', async () => {
  setClock(`${TODAY}T18:00:00Z`)
  const sensei = await server.createSensei()
  const list = importBodyOfCsv(`Name,Join Date,Trial,Status,Last Day
Ken Adams,3/4/2019,,Active,
Mia Ruiz,11/3/2026,,Active,
Tom Lee,11/4/2026,Yes,Active,
Ana Diaz,3/4/2019,,Canceled,11/5/2026
Leo Kim,3/4/2019,,Canceled,`)
  requireOk(await sensei.post('/student-imports', { ...list, former_rows: [3, 4] }))
  expect((await sensei.get('/dashboard/stats')).body).toMatchObject({
    total_students: 3,
    changes: { total: 1, regular: 0, trial: 1, vacation: 0 },
  })
})
